#ifndef DUETBENCH_STATS_VERDICT_H_
#define DUETBENCH_STATS_VERDICT_H_

#include "absl/strings/string_view.h"
#include "duetbench/stats/conclusions.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// "FASTER", "SLOWER", "EQUAL" or "INCONCLUSIVE".
absl::string_view VerdictName(Verdict verdict);

// The verdict with the practical margin d = `margin` >= 0 and the band [1/(1+d), 1+d]. In this
// order: the interval is inside the band (ends included): kEqual; above 1: kSlower; below 1:
// kFaster; else kInconclusive. The band comes first: a difference that is proved but smaller than
// the margin is no news. With margin 0 it is the rule of the duet paper (Bulej et al., ICPE 2020,
// section 3), where an interval that contains 1 reports no difference; only the interval [1, 1] is
// then kEqual. An interval with a NaN end is kInconclusive. A negative or NaN margin stops the
// program.
//   Decide({1.002, 0.996, 1.008, ...}, 0.01)  ->  kEqual
//   Decide({1.030, 0.999, 1.061, ...}, 0.01)  ->  kInconclusive
Verdict Decide(const RatioInterval& interval, double margin);

// "PASS", "FAIL" or "INCONCLUSIVE".
absl::string_view GateOutcomeName(GateOutcome outcome);

// kPass if the upper end is at most `limit`, kFail if the lower end is above it, else
// kInconclusive. `limit` is a ratio, e.g. 1.05 for 'at most 5 % slower'; it must be positive, or
// the program stops.
GateOutcome Gate(const RatioInterval& interval, double limit);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_VERDICT_H_
