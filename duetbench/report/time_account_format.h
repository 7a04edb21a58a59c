#ifndef DUETBENCH_REPORT_TIME_ACCOUNT_FORMAT_H_
#define DUETBENCH_REPORT_TIME_ACCOUNT_FORMAT_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

// --duet_profile: a table with a line for each duet that was measured, of its TimeAccount in
// percent of its wall time, its schedule, and why that was chosen.
std::vector<std::string> TimeAccountLines(absl::Span<const SuiteEntry> suite);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_TIME_ACCOUNT_FORMAT_H_
