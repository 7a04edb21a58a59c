#ifndef DUETBENCH_REPORT_RATIO_FORMAT_H_
#define DUETBENCH_REPORT_RATIO_FORMAT_H_

#include <string>

#include "duetbench/decide/interval.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/record/verdict.h"

// An interval of the ratio new/old as text, the same in the report of a run and in what
// duet_stat prints about files.
namespace duetbench {

// "0.797 x": with as many digits as the interval justifies, 3 to 5 after the point; "1234 x",
// "7.33e+12 x".
std::string RatioText(const stats::RatioInterval& interval);

// "[0.795, 0.799]", with the digits of RatioText. An unbounded end reads "0" or "inf".
std::string IntervalText(const stats::RatioInterval& interval);

// "0.797 ×": the ratio, and the interval as "0.795 to 0.799 ×", in sentences. An interval without
// an upper end reads "0.25 × and more", one that bounds nothing "any ratio".
std::string TimesText(const stats::RatioInterval& interval);
std::string RangeText(const stats::RatioInterval& interval, double limit = 1);

// The verdict and what it means for a reader who sees only this line:
//   "FASTER: BM_BTreeMap takes 0.797 × the time of BM_StdMap"
//   "SLOWER: new takes 2.010 × the time of old"
//   "EQUAL: new takes the same time as old, within 1 %"
//   "INCONCLUSIVE: new takes 0.979 to 1.034 × the time of old"
// `margin` is the one that the verdict was given with.
std::string VerdictSentence(const stats::RatioInterval& interval, stats::Verdict verdict,
                            double margin, const VariantNames& names = {});

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_RATIO_FORMAT_H_
