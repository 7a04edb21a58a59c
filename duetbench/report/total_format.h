#ifndef DUETBENCH_REPORT_TOTAL_FORMAT_H_
#define DUETBENCH_REPORT_TOTAL_FORMAT_H_

#include <string>

#include "duetbench/decide/interval.h"
#include "duetbench/decide/total_ratio.h"

namespace duetbench::stats {

// The typical and the total ratio, and why they differ:
//   "typical 1.00 x, total 2.01 x: one call in about 10,000 of new takes 10,000 times as long"
// The variant that is named is the one whose total exceeds its typical time by more.
std::string TotalSentence(const RatioInterval& typical, const TotalRatio& total);

// The same where the ratios differ, and slow calls explain it or the verdicts differ; else empty.
std::string TotalFinding(const RatioInterval& typical, const TotalRatio& total);

// "calls rarer than 1 in 2,000,000 were not seen"; `calls` of a variant were.
std::string UnseenText(double calls);

}  // namespace duetbench::stats

#endif  // DUETBENCH_REPORT_TOTAL_FORMAT_H_
