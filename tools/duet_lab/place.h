#ifndef DUETBENCH_TOOLS_DUET_LAB_PLACE_H_
#define DUETBENCH_TOOLS_DUET_LAB_PLACE_H_

#include "absl/status/statusor.h"
#include "duetbench/runner/machine.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// Looks at the machine (--cpus=A,B chooses the CPUs) and writes it into the report: the CPUs, the
// clock, the load average (figures taken beside other work are worth less) and the warnings.
absl::StatusOr<Machine> DescribePlace(Arguments& arguments, LabReport* report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PLACE_H_
