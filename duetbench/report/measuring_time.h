#ifndef DUETBENCH_REPORT_MEASURING_TIME_H_
#define DUETBENCH_REPORT_MEASURING_TIME_H_

#include <optional>
#include <string>

#include "duetbench/decide/comparison.h"

namespace duetbench {

// The time that would decide an undecided comparison. The width of an interval shrinks with the
// square root of the time, so that the time needed follows from the width that was reached and the
// one that is needed: that of an interval around the same ratio which lies on one side of 1 or
// within the margin (with a gate: on one side of the limit). Where the pairs of the runs spread
// more than the runs do, longer runs suffice, and no more set-ups. Pure.
//
// Wall time in seconds of an experiment that decides it in about four of five cases. Nothing if it
// is decided, if more time would not help (too many pairs were disturbed, the work was removed), or
// if it is not known: fewer than two runs, an unbounded interval. Infinite if the ratio lies on the
// limit.
std::optional<double> SecondsToDecide(const Comparison& comparison);

// The end of a sentence: "; about 28 s would decide", "; about 4 min would decide", "; more than a
// day would decide"; empty without SecondsToDecide. With too few slow calls, which leave that
// unknown: "; measure longer: total 1.2 ×, of too few slow calls".
std::string AndDecisionTime(const Comparison& comparison);

// The flag with which it is measured for so long, rounded up: "--benchmark_min_time=28", where
// a gate is measured until it is decided "--duet_max_time=28". Empty without SecondsToDecide, for
// more than a day, and within the budget of a suite.
std::string DecisionFlag(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_MEASURING_TIME_H_
