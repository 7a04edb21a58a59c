#ifndef DUETBENCH_TOOLS_DUET_LAB_AA_H_
#define DUETBENCH_TOOLS_DUET_LAB_AA_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// `duet_lab aa`: runs duet programs many times with different seeds, and counts how often their
// intervals and verdicts are wrong. A benchmark compares a function with itself unless --truth says
// what the ratio is.
absl::StatusOr<LabReport> MeasureAccuracy(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_AA_H_
