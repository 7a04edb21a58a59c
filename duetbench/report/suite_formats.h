#ifndef DUETBENCH_REPORT_SUITE_FORMATS_H_
#define DUETBENCH_REPORT_SUITE_FORMATS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/record/verdict.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/suite_summary.h"

namespace duetbench {

// A suite as JUnit XML, as GitLab, Jenkins and others read it: a test case for each duet, with the
// ratio and its ends as properties. A gate that failed is a failure, a duet that could not be
// measured an error; one that is inconclusive is a failure, skipped, or neither, as `when` says.
std::string SuiteJunit(const SuiteFacts& suite, WhenInconclusive when);

// `text` as the content of an element or of an attribute of XML 1.0: markup characters are escaped,
// characters that XML does not allow are replaced.
std::string XmlEscaped(const std::string& text);

// A suite as GitHub-flavoured Markdown: a heading, the summary, a table of all duets, folded if
// there are many, the ones that do not hold first, then their messages with the command lines.
std::string SuiteMarkdown(const SuiteFacts& suite);

// `text` as code in a cell of a table; any text is safe.
std::string MarkdownCode(const std::string& text);

// The recording that `duet_report page` makes the page of (report/facts_json.h).
std::string PageRecording(const SuiteFacts& suite);

// The end of a report about a suite, as lines of text. Pure functions.

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

#endif  // DUETBENCH_REPORT_SUITE_FORMATS_H_
