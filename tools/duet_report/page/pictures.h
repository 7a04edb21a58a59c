#ifndef DUETBENCH_TOOLS_DUET_REPORT_PAGE_PICTURES_H_
#define DUETBENCH_TOOLS_DUET_REPORT_PAGE_PICTURES_H_

#include <string>
#include <vector>

#include "duetbench/report/facts.h"
#include "tools/duet_report/explain/call_tree.h"

// The pictures of one benchmark, <figure> elements that are empty where the data are not known, and
// the tables.
namespace duetbench::page {

// Both variants over time in one run: what hits one at a moment hits the other.
std::string PairsOverTime(const Facts& benchmark);

// The ratio of each run, the interval, the limits of the gate.
std::string RunRatios(const Facts& benchmark);

// A differential flame graph with its caption: each function stands on the one that calls it, as
// wide as the mean of its times in old and new. Red: new takes longer in it, blue: shorter; gray:
// the interval of the difference contains 0. The browser shows times and interval of the function
// below the mouse. Empty if the tree has no calls.
std::string FlameGraph(const CallNode& calls);

// The verdict as a mark and a word in a <span>: "▼ FASTER".
std::string VerdictSpan(stats::Verdict verdict);

// The gate likewise, "✗ FAIL"; "–" without a gate.
std::string GateSpan(GateStatus gate);

// All ratios with their intervals on one logarithmic axis, a row of a table for each: the largest
// ratio first, then what has none. Names link to "#b0", "#b1" and so on, by the position in
// `benchmarks`.
std::string ForestTable(const std::vector<Facts>& benchmarks);

// A row of a table for each quantile of single calls: its ratio, its interval, the times and, where
// there are some, the gates. Empty where no quantiles were asked for.
std::string QuantileTable(const std::vector<Facts::Quantile>& quantiles);

}  // namespace duetbench::page

#endif  // DUETBENCH_TOOLS_DUET_REPORT_PAGE_PICTURES_H_
