#ifndef DUETBENCH_DECIDE_GATE_H_
#define DUETBENCH_DECIDE_GATE_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

// The answers to gates on times, on quantiles of single calls, and on what variants count. Pure
// functions.
namespace duetbench {

using stats::GateResult;
using stats::Judge;
using stats::JudgeGate;

// True for the counter of an event. Counted in every run without one is what IsAlwaysCounted, and
// amounts (record/amount.h).
bool NeedsEvent(const Metric& metric);

// The answers to the gates of `options`, in their order. `decision` is made of `selected`, the
// pairs of `results`; its level, and its share of 1 - level, are those of each answer.
//
// Quantiles of calls: inconclusive with too few calls or runs, and where reservations withhold the
// ratio of times. `selected` is not needed without such a gate.
//
// Counters: each run gives one value, and the runs the t interval: ln of the ratio or, where a
// variant counted 0 in a run, the difference new - max_ratio * old in units of the largest one. A
// counter that is the same in every run is decided by the first analysis. Inconclusive with fewer
// than two runs.
std::vector<GateResult> JudgeGates(const ExperimentOptions& options,
                                   absl::Span<const RunResult> results,
                                   const SelectedPairs& selected, const stats::Decision& decision);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_GATE_H_
