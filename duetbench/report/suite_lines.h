#ifndef DUETBENCH_REPORT_SUITE_LINES_H_
#define DUETBENCH_REPORT_SUITE_LINES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/report/suite_summary.h"

// The end of a report about a suite, as lines of text. Pure functions.
namespace duetbench {

// The headline, then a message and the command line for every gate that does not hold. Empty
// without gates.
std::vector<std::string> ClosingLines(const SuiteFacts& suite, WhenInconclusive when);

// The workflow commands by which GitHub Actions shows a message beside the line of the source, for
// every gate that does not hold and every error:
//
//   ::error file=bench/parse.cc,line=12,title=FAIL BM_Parse/1024::FAIL BM_Parse/1024: new is …
//
// Inconclusive gates are warnings unless they count as failed. `workspace` is $GITHUB_WORKSPACE:
// GitHub names files by their path in the repository, the compiler by the path that it was given;
// a leading workspace, or leading "../", is removed. A duet without a file has no file.
std::vector<std::string> Annotations(const SuiteFacts& suite, WhenInconclusive when,
                                     const std::string& workspace);

// --duet_profile: a table with a line for each duet that was measured, of its TimeAccount in
// percent of its wall time, its schedule, and why that was chosen.
std::vector<std::string> TimeAccountLines(absl::Span<const SuiteEntry> suite);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_LINES_H_
