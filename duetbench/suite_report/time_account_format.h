#ifndef DUETBENCH_SUITE_REPORT_TIME_ACCOUNT_FORMAT_H_
#define DUETBENCH_SUITE_REPORT_TIME_ACCOUNT_FORMAT_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

// --duet_profile: a table with a line for each duet that was measured, of its TimeAccount in
// percent of its wall time, its schedule, and why that was chosen.
std::vector<std::string> TimeAccountLines(absl::Span<const SuiteEntry> suite);

// Part of the time of its calls from which on the set-up of a function of benchmark::State&
// dominates. Loops are made as long as what surrounds them where that is possible: a half is usual.
inline constexpr double kDominatingSetUp = 2.0 / 3;

// A line about the benchmarks of `suite` in which it dominates: how many they are, the part that it
// takes of them together, and the benchmark with the largest part, its time and its runs. No line
// where there is none. Set-up is never part of what is timed; what it costs is samples.
std::vector<std::string> CallSetUpLines(absl::Span<const SuiteEntry> suite);

}  // namespace duetbench

#endif  // DUETBENCH_SUITE_REPORT_TIME_ACCOUNT_FORMAT_H_
