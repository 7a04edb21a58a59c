#ifndef DUETBENCH_REPORT_SUITE_BMF_H_
#define DUETBENCH_REPORT_SUITE_BMF_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

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

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_BMF_H_
