#ifndef DUETBENCH_REPORT_DIAGNOSIS_FORMAT_H_
#define DUETBENCH_REPORT_DIAGNOSIS_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/decide/diagnosis.h"
#include "duetbench/decide/total_ratio.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// Short sentences without a full stop, most important first, in plain ASCII; none for most results:
//   "runs fall into two clusters (3 of 10 are 2 % slower), perhaps by memory layout"
//   "typical 1.00 x, total 2.01 x: one call in about 10,000 of new takes 10,000 times as long"
// Ratios are of new/old: 'slower' means that new loses more, or gains less, than in the other runs.
// Each sentence needs a significant finding (diagnosis.h states the false alarms) that changes the
// ratio by at least 0.1 %. `total` may be null.
std::vector<std::string> Explain(const Diagnosis& diagnosis, const RatioInterval& typical,
                                 const TotalRatio* total);

// The typical and the total ratio, and why they differ:
//   "typical 1.00 x, total 2.01 x: one call in about 10,000 of new takes 10,000 times as long"
// The variant that is named is the one whose total exceeds its typical time by more.
std::string TotalSentence(const RatioInterval& typical, const TotalRatio& total);

// "calls rarer than 1 in 2,000,000 were not seen"; `calls` of a variant were.
std::string UnseenText(double calls);

}  // namespace duetbench::stats

#endif  // DUETBENCH_REPORT_DIAGNOSIS_FORMAT_H_
