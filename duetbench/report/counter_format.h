#ifndef DUETBENCH_REPORT_COUNTER_FORMAT_H_
#define DUETBENCH_REPORT_COUNTER_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/counters/survey.h"
#include "duetbench/estimate/counter_summary.h"
#include "duetbench/gates/comparison.h"

// Counters, and gates on them, as text and as numbers: pure functions.
namespace duetbench {

// For the head of a report: what is counted and how, then what is not, why, and what would help, a
// line for each reason. Empty if no counter was asked for.
//   counting INSTRUCTIONS, CYCLES for both variants of duets, outside of what is timed
//   warning: not counted: L1-DCACHE-LOAD-MISSES: …
std::vector<std::string> CounterHeaderLines(const EventSurvey& survey);

// One line under a benchmark; empty if there is nothing to say.
//   per iteration, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.799, 0.801]), MINOR-FAULTS 0 ->
//   1000; in all, old -> new: PEAK-HEAP 1 MiB -> 2 MiB (2 x [1.99, 2.01])
std::string CounterLine(const CounterSummary& summary);

// The line of a gate on a counter:
//   "FAIL (limit 1 ×): ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit"
//   "INCONCLUSIVE (limit 1.02 ×): INSTRUCTIONS 51 -> 52 an iteration, 1.010 to 1.030 ×, on both
//   sides of the limit"
// Without the ratio where a variant counted 0.
std::string CounterGateSentence(const CounterGateResult& gate);

// For a reader who has only this line:
//   "FAIL BM_A: ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit of 1 ×, in 8 runs."
std::string CounterGateMessage(const std::string& name, const CounterGateResult& gate);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COUNTER_FORMAT_H_
