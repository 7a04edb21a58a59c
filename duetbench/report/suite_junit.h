#ifndef DUETBENCH_REPORT_SUITE_JUNIT_H_
#define DUETBENCH_REPORT_SUITE_JUNIT_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/platform/cpu_pair.h"

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

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_JUNIT_H_
