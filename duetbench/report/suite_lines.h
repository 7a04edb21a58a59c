#ifndef DUETBENCH_REPORT_SUITE_LINES_H_
#define DUETBENCH_REPORT_SUITE_LINES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
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

// The summary of a suite; empty for fewer than two measured duets. Pure.
//
//   duetbench: 10 duets: 8 FASTER, 1 EQUAL, 1 INCONCLUSIVE; geometric mean 0.55 ×
//     BM_BTreeMap takes 0.42 × the time of BM_StdMap (geometric mean of 5, from 0.32 to 0.80 ×)
//   duetbench: measured longer, what is INCONCLUSIVE would be decided:
//     '--benchmark_filter=^BM_StdMap_vs_BM_BTreeMap/8$' --benchmark_min_time=28
//
// The filter is there where at most three of several are undecided. Verdicts are counted of duets
// without a gate; SuiteHeadline counts the gates. A family of several duets has a line; the mean of
// their ratios is geometric, because that of the inverse ratios is then its inverse. It has no
// interval: that other arguments would give the same is not claimed.
std::vector<std::string> SuiteSummaryLines(absl::Span<const SuiteEntry> suite);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_LINES_H_
