#ifndef DUETBENCH_REPORT_COUNTER_GATE_FORMAT_H_
#define DUETBENCH_REPORT_COUNTER_GATE_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/gates/comparison.h"

// Gates on counters as text: pure functions.
namespace duetbench {

// What the line of a gate on a counter says:
//   "FAIL (limit 1 ×): ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit"
//   "INCONCLUSIVE (limit 1.02 ×): INSTRUCTIONS 51 -> 52 an iteration, 1.010 to 1.030 ×, on both
//   sides of the limit"
// Without the ratio where a variant counted 0.
std::string CounterGateSentence(const CounterGateResult& gate);

// All gates of the comparison, times, counters and quantiles, those that do not hold first, for a
// reader of a log that has only this line. `times` is the GateMessage of the gate on times; empty:
// there is none.
std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const std::string& times);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COUNTER_GATE_FORMAT_H_
