#ifndef DUETBENCH_TOOLS_DUET_LAB_GATE_COUNT_H_
#define DUETBENCH_TOOLS_DUET_LAB_GATE_COUNT_H_

#include <vector>

#include "absl/types/span.h"
#include "tools/duet_lab/observation.h"

namespace duetbench::lab {

// What many gates with one limit came to, where the true ratio is known. Pure.
struct GateCount {
  int gates = 0;  // with a result
  int errors = 0;
  int passed = 0;
  int failed = 0;
  int undecided = 0;
  int false_decisions = 0;    // PASS where the true ratio is above the limit, FAIL where it is not
  double median_runs = 0;     // NaN without a gate, as what follows
  double median_seconds = 0;  // that one took, its processes together
  double largest_seconds = 0;
  double all_seconds = 0;  // 0 without a gate
};

// `truths` belong to the observations, one each. An observation without a gate counts as an error.
GateCount CountGates(absl::Span<const Observation> observations, absl::Span<const double> truths,
                     double limit);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_GATE_COUNT_H_
