#ifndef DUETBENCH_REPORT_SUITE_FORMATS_H_
#define DUETBENCH_REPORT_SUITE_FORMATS_H_

#include <string>

#include "duetbench/record/gate_spec.h"
#include "duetbench/report/facts.h"

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

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_FORMATS_H_
