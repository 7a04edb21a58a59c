#ifndef DUETBENCH_REPORT_PAIR_DIGEST_H_
#define DUETBENCH_REPORT_PAIR_DIGEST_H_

#include "duetbench/decide/comparison.h"
#include "duetbench/stats/pair_digest.h"

namespace duetbench {

// Pairs of an experiment with an estimate, digested for pictures: histograms of the pairs that are
// used, and the pairs of the run with the median ratio, disturbed ones included. Times are per
// iteration in ns, by the clock of the ratio. Empty without an estimate.
stats::PairDigest DigestOfExperiment(const Comparison& result, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PAIR_DIGEST_H_
