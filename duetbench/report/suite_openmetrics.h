#ifndef DUETBENCH_REPORT_SUITE_OPENMETRICS_H_
#define DUETBENCH_REPORT_SUITE_OPENMETRICS_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

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

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_OPENMETRICS_H_
