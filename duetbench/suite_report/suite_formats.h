#ifndef DUETBENCH_SUITE_REPORT_SUITE_FORMATS_H_
#define DUETBENCH_SUITE_REPORT_SUITE_FORMATS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/page/benchmark.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/suite_report/suite_summary.h"

namespace duetbench {

// A suite in Bencher Metric Format (bencher.dev, the adapter `json`):
//
//   {"BM_A_vs_B/8": {"ratio": {"value": 0.8, "lower_value": 0.79, "upper_value": 0.81}},
//    "BM_A_vs_B/8/old": {"latency": {"value": 125, "lower_value": 124, "upper_value": 126}},
//    "BM_A_vs_B/8/new": {"latency": {…}}}
//
// Times are in nanoseconds, as Bencher's measure `latency` has them, under the names of the rows of
// JSON reports. The ends of the ratio are those of its interval; those of a time are of the t
// interval of its run means, which interference widens that the ratio does not see. An unbounded
// end is left out. Repetitions of a benchmark are pooled, as names are unique here; a benchmark
// without an estimate is left out.
std::string SuiteBmf(absl::Span<const SuiteEntry> suite);

// The run means of a suite in Go's benchmark format (golang.org/design/14313-benchmark-format), two
// lines for each run:
//
//   pkg: my_benchmarks
//   BenchmarkBM_A_vs_B/8/variant=old 3000 125.3 ns/op
//   BenchmarkBM_A_vs_B/8/variant=new 3010 100.1 ns/op
//
// `benchstat -col /variant FILE` compares the variants. It takes their runs for independent, which
// they are not: its intervals are those of separate measurements, wider than the duet's.
//
// White space in names becomes '_'. The second number is that of the pairs of the run, of which the
// third is the mean. Benchmarks without an estimate are left out.
std::string SuiteGobench(absl::Span<const SuiteEntry> suite, const std::string& program);

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

// A suite in the text format of OpenMetrics 1.0, for Prometheus and the like:
//
//   duetbench_ratio{program="bench",benchmark="BM_A_vs_B/8",repetition="0"} 0.8
//   duetbench_ratio_lower{…} 0.79        duetbench_ratio_upper{…} 0.81
//   duetbench_time_seconds{…,variant="old"} 1.25e-07
//   duetbench_verdict{…,duetbench_verdict="FASTER"} 1     and 0 for the other verdicts
//   duetbench_gate{…,duetbench_gate="PASS"} 1             where there is a gate
//   duetbench_error{…} 0                                  1: the benchmark has no result
//
// Times are those of one iteration. An unbounded end is "+Inf". `statuses` are
// GateStatuses(suite).
std::string SuiteOpenMetrics(absl::Span<const SuiteEntry> suite,
                             absl::Span<const GateStatus> statuses, const std::string& program);

page::GateMark MarkOf(GateStatus status);
page::GateMark MarkOf(GateOutcome outcome);
page::ShownRange PrintableRange(page::ShownRange range);

// A suite as the page of --duet_report shows it. `header` are lines about the machine and the
// options, `statuses` are GateStatuses(suite).
page::ShownSuite SuitePage(absl::Span<const SuiteEntry> suite,
                           absl::Span<const GateStatus> statuses, const SuiteSummary& summary,
                           const std::string& program, const std::vector<std::string>& header,
                           const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_SUITE_REPORT_SUITE_FORMATS_H_
