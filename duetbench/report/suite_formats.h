#ifndef DUETBENCH_REPORT_SUITE_FORMATS_H_
#define DUETBENCH_REPORT_SUITE_FORMATS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/suite.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/report/shown_suite.h"
#include "duetbench/report/suite_summary.h"

namespace duetbench {

// A suite as JUnit XML, as GitLab, Jenkins and others read it: a test case for each duet, with the
// ratio and its ends as properties. A gate that failed is a failure, a duet that could not be
// measured an error; one that is inconclusive is a failure, skipped, or neither, as `when` says.
// `program` names the suite.
std::string SuiteJunit(absl::Span<const SuiteEntry> suite, absl::Span<const GateStatus> statuses,
                       WhenInconclusive when, const std::string& program,
                       const CpuPairChoice& cpus);

// `text` as the content of an element or of an attribute of XML 1.0: markup characters are escaped,
// characters that XML does not allow are replaced.
std::string XmlEscaped(const std::string& text);

// A suite as GitHub-flavoured Markdown: a heading, the summary, a table of all duets, folded if
// there are many, the ones that do not hold first, then their messages with the command lines.
// `program` stands in the heading.
std::string SuiteMarkdown(absl::Span<const SuiteEntry> suite, absl::Span<const GateStatus> statuses,
                          const SuiteSummary& summary, const std::string& program,
                          const CpuPairChoice& cpus);

// `text` as code in a cell of a table; any text is safe.
std::string MarkdownCode(const std::string& text);

page::GateMark MarkOf(GateStatus status);

// A suite as the page of --duet_report shows it. `header` are lines about the machine and the
// options, `statuses` are GateStatuses(suite).
page::ShownSuite SuitePage(absl::Span<const SuiteEntry> suite,
                           absl::Span<const GateStatus> statuses, const SuiteSummary& summary,
                           const std::string& program, const std::vector<std::string>& header,
                           const CpuPairChoice& cpus);

// The recording that `duet_report page` makes the page of (report/shown_suite_json.h).
std::string PageRecording(const page::ShownSuite& suite);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_FORMATS_H_
