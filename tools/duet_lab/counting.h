#ifndef DUETBENCH_TOOLS_DUET_LAB_COUNTING_H_
#define DUETBENCH_TOOLS_DUET_LAB_COUNTING_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// `duet_lab counters`: what counting changes. The same duets, of a function with itself, are run
// with and without counters, by turns and with the same seed: the time of an operation and the
// ratio of the one by those of the other, and what one reading costs.
absl::StatusOr<LabReport> MeasureCounting(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_COUNTING_H_
