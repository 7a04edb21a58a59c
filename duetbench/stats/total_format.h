#ifndef DUETBENCH_STATS_TOTAL_FORMAT_H_
#define DUETBENCH_STATS_TOTAL_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/stats/diagnosis.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/total_ratio.h"

namespace duetbench::stats {

// How typical and total ratio differ, and why:
//   "typical 1.00 x, total 2.01 x: one call in about 10,000 of new takes 10,000 times as long"
// The variant that is named is the one whose total exceeds its typical time by more.
std::string TotalSentence(const RatioInterval& typical, const TotalRatio& total);

// "calls rarer than 1 in 2,000,000 were not seen", of so many calls of a variant.
std::string UnseenText(double calls);

// As Explain of diagnosis_format.h. Where the total ratio differs from the typical one, its
// sentence comes first and takes the place of the one about tails.
std::vector<std::string> Explain(const Diagnosis& diagnosis, bool interleaved,
                                 const RatioInterval& typical, const TotalRatio* total);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_TOTAL_FORMAT_H_
