#ifndef DUETBENCH_REPORT_SUITE_MARKDOWN_H_
#define DUETBENCH_REPORT_SUITE_MARKDOWN_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {

// A suite as GitHub-flavoured Markdown: a heading, a table of all duets, the ones that do not hold
// first, then their messages with the command lines. `program` stands in the heading.
std::string SuiteMarkdown(absl::Span<const SuiteEntry> suite, absl::Span<const GateStatus> statuses,
                          const std::string& program, const CpuPairChoice& cpus);

// `text` as code in a cell of a table; any text is safe.
std::string MarkdownCode(const std::string& text);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_MARKDOWN_H_
