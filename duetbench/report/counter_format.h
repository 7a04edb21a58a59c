#ifndef DUETBENCH_REPORT_COUNTER_FORMAT_H_
#define DUETBENCH_REPORT_COUNTER_FORMAT_H_

#include <map>
#include <string>
#include <vector>

#include "duetbench/counters/survey.h"
#include "duetbench/experiment/counter_summary.h"

// Counters as text and as numbers: pure functions.
namespace duetbench {

// For the head of a report: what is counted and how, then what is not, why, and what would help, a
// line for each reason. Empty if no counter was asked for.
//   counting INSTRUCTIONS, CYCLES for both variants of duets, outside of what is timed
//   warning: not counted: L1-DCACHE-LOAD-MISSES: …
std::vector<std::string> CounterHeaderLines(const EventSurvey& survey);

// One line under a benchmark; empty if there is nothing to say.
//   per iteration, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.799, 0.801]), MINOR-FAULTS 0 ->
//   1000
std::string CounterLine(const CounterSummary& summary);

// The numbers by the names that JSON and CSV give them: perf.<EVENT>.old, .new, .ratio, .ratio_lo,
// .ratio_hi, as far as they exist; of derived columns .old and .new. All are finite.
std::map<std::string, double> CounterKeys(const CounterSummary& summary);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COUNTER_FORMAT_H_
