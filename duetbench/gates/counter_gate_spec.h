#ifndef DUETBENCH_GATES_COUNTER_GATE_SPEC_H_
#define DUETBENCH_GATES_COUNTER_GATE_SPEC_H_

#include <string>

// Users' headers include this one.
namespace duetbench {

// A requirement on what both variants count per iteration: new counts at most `max_ratio` times as
// much as old. 1 allows no increase. A finite number above 0.
struct CounterGateSpec {
  std::string counter;  // "ALLOCATIONS", "INSTRUCTIONS", …
  double max_ratio = 1;
};

inline bool operator==(const CounterGateSpec& a, const CounterGateSpec& b) {
  return a.counter == b.counter && a.max_ratio == b.max_ratio;
}

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COUNTER_GATE_SPEC_H_
