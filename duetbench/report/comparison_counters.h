#ifndef DUETBENCH_REPORT_COMPARISON_COUNTERS_H_
#define DUETBENCH_REPORT_COMPARISON_COUNTERS_H_

#include <map>
#include <string>

#include "duetbench/gates/comparison.h"

namespace duetbench {

// The numbers of a comparison by the names that reports give them: ratio, ratio_lo, ratio_hi,
// ratio_level, runs, pairs, pairs_dropped, pairing_gain, skew_ns, and those of its events
// (CounterKeys); of a gate also gate (1 PASS, 0 INCONCLUSIVE, -1 FAIL), gate_p, gate_lo and gate_hi
// (the ratios that it allows; gate_lo only where there is a least one), gate_looks and
// gate_seconds; of a gate on a counter gate.COUNTER and gate_p.COUNTER. Values that are not finite
// are left out. None of a dry run.
std::map<std::string, double> ComparisonCounters(const Comparison& comparison);

// The parts of code and link layout in the ratio (LayoutLine): layouts,
// layout_effect (0.012 for +1.2 %), layout_spread, run_spread (standard deviations). What is not
// known is left out; empty for one layout.
std::map<std::string, double> LayoutKeys(const Estimate& estimate);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COMPARISON_COUNTERS_H_
