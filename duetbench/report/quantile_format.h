#ifndef DUETBENCH_REPORT_QUANTILE_FORMAT_H_
#define DUETBENCH_REPORT_QUANTILE_FORMAT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "duetbench/estimate/experiment_result.h"
#include "duetbench/gates/gate.h"

// The quantiles of single calls, and gates on them, as text and numbers.
namespace duetbench {

// "p50", "p99.9".
std::string QuantileName(double quantile);

// Why a quantile has no interval: "too few calls, 8400 of 50000 needed". Intervals of several
// quantiles `together` need more calls than that of one: "too few calls for 3 quantiles at once,
// 8400 of 50000 needed".
std::string TooFewText(const stats::QuantileRatio& ratio, size_t together = 1);

// A line for each quantile of the estimate:
//   "p99: 1.213 x [1.180, 1.251], a call 1.52 us -> 1.85 us"
//   "p99.9: too few calls for 3 quantiles at once, 8400 of 50000 needed"
//   "p50: too few runs for 3 quantiles at once, 5 of 10 needed"
std::vector<std::string> QuantileLines(const Estimate& estimate);

// The line of a gate on a quantile:
//   "FAIL (limit 1.1 ×): p99 of calls 1.180 to 1.251 ×, all above the limit"
std::string QuantileGateSentence(const QuantileGateResult& gate);

// For a reader who has only this line:
//   "FAIL BM_Find: p99 of calls 1.180 to 1.251 ×, all above the limit of 1.1 ×, in 18 runs."
std::string QuantileGateMessage(const std::string& name, const QuantileGateResult& gate);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_QUANTILE_FORMAT_H_
