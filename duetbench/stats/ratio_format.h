#ifndef DUETBENCH_STATS_RATIO_FORMAT_H_
#define DUETBENCH_STATS_RATIO_FORMAT_H_

#include <string>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/verdict.h"

// What an interval of the ratio new/old says, as text, the same in the report of a run and in what
// duet_stat prints about files.
namespace duetbench {

// "0.797 x": with as many digits as the interval justifies, 3 to 5 after the point; "1234 x",
// "7.33e+12 x".
std::string RatioText(const stats::RatioInterval& interval);

// "[0.795, 0.799]", with the digits of RatioText. An unbounded end reads "0" or "inf".
std::string IntervalText(const stats::RatioInterval& interval);

// The change that a ratio means, in words: "20.3 % less time", "2.01 times as long".
std::string ChangeText(double ratio);

// The verdict and what it means for a reader who sees only this line:
//   "FASTER: new takes 20.3 % less time"      "SLOWER: new takes 2.01 times as long"
//   "EQUAL: within 1 %"                       "INCONCLUSIVE: from 2.1 % less to 3.4 % more time"
// `margin` is the one that the verdict was given with.
std::string VerdictSentence(const stats::RatioInterval& interval, stats::Verdict verdict,
                            double margin);

}  // namespace duetbench

#endif  // DUETBENCH_STATS_RATIO_FORMAT_H_
