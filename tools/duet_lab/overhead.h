#ifndef DUETBENCH_TOOLS_DUET_LAB_OVERHEAD_H_
#define DUETBENCH_TOOLS_DUET_LAB_OVERHEAD_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// `duet_lab overhead`: time per empty operation of duetbench's loops and of Google Benchmark's, on
// one CPU, in random order in every repetition.
absl::StatusOr<LabReport> MeasureOverhead(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_OVERHEAD_H_
