#ifndef DUETBENCH_REPORT_SUITE_LINES_H_
#define DUETBENCH_REPORT_SUITE_LINES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/suite.h"
#include "duetbench/platform/cpu_pair.h"

// The end of a report about a suite, as lines of text. Pure functions; `statuses` are those of
// GateStatuses(suite).
namespace duetbench {

// "2 of 31 gates failed", "30 of 31 gates hold, 1 is inconclusive", "1 gate holds"; empty without
// gates.
std::string SuiteHeadline(const SuiteCounts& counts);

// The message of the entry's gate, with the correction if that changed its status, or of its error.
// Empty without either.
std::string EntryMessage(const SuiteEntry& entry, GateStatus status, const CpuPairChoice& cpus);

// The headline, then a message and the command line for every gate that does not hold. Empty
// without gates.
std::vector<std::string> ClosingLines(absl::Span<const SuiteEntry> suite,
                                      absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                      const CpuPairChoice& cpus);

// The workflow commands by which GitHub Actions shows a message beside the line of the source, for
// every gate that does not hold and every error:
//
//   ::error file=bench/parse.cc,line=12,title=FAIL BM_Parse/1024::FAIL BM_Parse/1024: new is …
//
// Inconclusive gates are warnings unless they count as failed. `workspace` is $GITHUB_WORKSPACE:
// GitHub names files by their path in the repository, the compiler by the path that it was given;
// a leading workspace, or leading "../", is removed. An entry without a file has no file.
std::vector<std::string> Annotations(absl::Span<const SuiteEntry> suite,
                                     absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                     const CpuPairChoice& cpus, const std::string& workspace);

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

#endif  // DUETBENCH_REPORT_SUITE_LINES_H_
