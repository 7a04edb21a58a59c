#ifndef DUETBENCH_TOOLS_DUET_LAB_GATES_H_
#define DUETBENCH_TOOLS_DUET_LAB_GATES_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// `duet_lab gates`: runs duet programs many times under --duet_max_ratio, and counts how their
// gates come out and what a decision takes; with --fixed also what the same suites take without
// gates. A benchmark compares a function with itself unless --truth says what the ratio is.
absl::StatusOr<LabReport> MeasureGates(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_GATES_H_
