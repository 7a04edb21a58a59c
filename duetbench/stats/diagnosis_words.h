#ifndef DUETBENCH_STATS_DIAGNOSIS_WORDS_H_
#define DUETBENCH_STATS_DIAGNOSIS_WORDS_H_

#include <string>
#include <vector>

#include "duetbench/stats/diagnosis.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// What the sentences need to know beside the diagnosis.
struct ExplainOptions {
  IntervalKind kind = IntervalKind::kT;  // of the interval that is reported
  double level = 0.99;                   // of that interval
  bool interleaved = false;              // an assignment is the order of the two sides on one CPU
  // Effects on the ratio below this are not worth a sentence, however significant: 0.1 %.
  double negligible = 0.001;
};

// Short sentences without a full stop, most important first, in plain ASCII; none for most results:
//   "pairing made the interval 6.1x narrower"
//   "runs fall into two groups (3 of 10 are 2 % slower): memory layout?"
//   "the two CPUs differ by 1.3 %"
//   "tails differ: mean +4 %, trimmed +0.1 %"
//   "not enough runs for this interval kind: ..." (NarrownessWarning; kEwc warns with the interval)
// Ratios are of new/old: 'slower' means that new loses more, or gains less, than in the other runs.
// Each sentence needs the finding of the diagnosis with its rate of false alarms (diagnosis.h); the
// last one is a table look-up (narrowness.h).
std::vector<std::string> Explain(const Diagnosis& diagnosis, const ExplainOptions& options = {});

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_DIAGNOSIS_WORDS_H_
