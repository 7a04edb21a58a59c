#ifndef DUETBENCH_PAGE_TABLES_H_
#define DUETBENCH_PAGE_TABLES_H_

#include <string>
#include <vector>

#include "duetbench/page/benchmark.h"

namespace duetbench::page {

// The verdict as a mark and a word in a <span>: "▼ FASTER".
std::string VerdictSpan(stats::Verdict verdict);

// The gate likewise, "✗ FAIL"; "–" without a gate.
std::string GateSpan(GateMark gate, const std::string& gate_name);

// All ratios with their intervals on one logarithmic axis, a row of a table for each: the largest
// ratio first, then what has none. Names link to "#b0", "#b1" and so on, by the position in
// `benchmarks`.
std::string ForestTable(const std::vector<ShownBenchmark>& benchmarks);

// A row of a table for each quantile of single calls: its ratio as a line across, its interval as a
// bar, both as numbers, the times and, where there are some, the gates. Empty where no quantiles
// were asked for. About 200 bytes for a quantile: a figure with axes takes two thousand.
std::string QuantileTable(const std::vector<ShownQuantile>& quantiles);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_TABLES_H_
