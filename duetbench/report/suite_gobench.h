#ifndef DUETBENCH_REPORT_SUITE_GOBENCH_H_
#define DUETBENCH_REPORT_SUITE_GOBENCH_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

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

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_GOBENCH_H_
