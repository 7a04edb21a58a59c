#ifndef DUETBENCH_STATS_DIAGNOSIS_FORMAT_H_
#define DUETBENCH_STATS_DIAGNOSIS_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/stats/diagnosis.h"

namespace duetbench::stats {

// Short sentences without a full stop, most important first, in plain ASCII; none for most results:
//   "pairing made the interval 6.1x narrower"
//   "runs fall into two groups (3 of 10 are 2 % slower): memory layout?"
//   "the two CPUs differ by 1.3 %"
//   "tails differ: mean +4 %, trimmed +0.1 %"
// Ratios are of new/old: 'slower' means that new loses more, or gains less, than in the other runs.
// Each sentence needs a significant finding (diagnosis.h states the false alarms) that changes the
// ratio by at least 0.1 %. `interleaved`: the assignment is the order of the variants on one CPU.
std::vector<std::string> Explain(const Diagnosis& diagnosis, bool interleaved = false);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_DIAGNOSIS_FORMAT_H_
