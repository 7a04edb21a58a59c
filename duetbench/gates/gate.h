#ifndef DUETBENCH_GATES_GATE_H_
#define DUETBENCH_GATES_GATE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/counters/event.h"
#include "duetbench/decision/decision.h"
#include "duetbench/estimate/select_pairs.h"
#include "duetbench/gates/gate_spec.h"
#include "duetbench/sampling/run_result.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/quantile_ratio.h"

// The decisions about gates: on the ratio of times, on quantiles of single calls, on what the two
// variants count. Pure functions.
namespace duetbench {

using stats::GateOutcome;

// "PASS", "FAIL" or "INCONCLUSIVE".
const char* GateOutcomeName(GateOutcome outcome);

// stats::JudgeInterval for the ratios that `spec` allows.
//   Judge(GateSpec::MaxRatio(1.05), [1.061, 1.085])   ->  kFail
//   Judge(GateSpec::Equivalent(0.02), [0.99, 1.03])   ->  kInconclusive
GateOutcome Judge(const GateSpec& spec, const stats::RatioInterval& interval);

struct GateResult : stats::GateDecision {
  GateSpec spec;
  int analyses = 1;         // of the runs, the one that this result is of included
  bool time_spent = false;  // undecided when --duet_max_time was over
};

// The result of a gate on the ratio that was decided, at analysis number `analyses`.
GateResult JudgeGate(const GateSpec& spec, const stats::Decision& decision, int analyses = 1);

// --- Quantiles of the times of single calls ---

struct QuantileGateResult : stats::GateDecision {
  QuantileGateSpec spec;
  bool has_single_calls = false;  // else nothing is known of the quantile
  // At the level of the analysis, of this quantile alone.
  stats::QuantileRatio ratio;
};

// The decision about `spec` at `level`, with a share of 1 - level (decision/interim_analysis.h).
// Inconclusive with too few calls or runs, and where `reservations` withhold the ratio of times.
QuantileGateResult JudgeQuantileGate(const QuantileGateSpec& spec, const SelectedPairs& selected,
                                     const stats::Reservations& reservations, double level,
                                     double share);

// --- Counters ---

// True if the counter is counted in every run without a performance counter: ALLOCATIONS (with a
// memory manager), MINOR-FAULTS and amounts (sampling/run_result.h). The others are names of
// events.
bool IsCountedAlways(const std::string& counter);

struct CounterGateResult : stats::GateDecision {
  CounterGateSpec spec;
  int runs = 0;                      // that counted it for both variants
  double per_iteration[2] = {0, 0};  // means over these runs, by variant
  // Interval of the ratio new/old at the level of the analysis. Absent where a variant counted 0 in
  // a run.
  std::optional<stats::RatioInterval> interval;
};

// The decision about `spec` by what `results` counted, with a share of 1 - level
// (decision/interim_analysis.h). `events` are those of the runs. Each run gives one value, and the
// runs the t interval, as for times: ln of the ratio or, where a variant counted 0 in a run, the
// difference new - max_ratio * old in units of the largest one. A counter that is the same in every
// run is decided by the first analysis. Inconclusive with fewer than two runs.
CounterGateResult JudgeCounterGate(const CounterGateSpec& spec, absl::Span<const RunResult> results,
                                   const std::vector<Event>& events, double level, double share);

}  // namespace duetbench

#endif  // DUETBENCH_GATES_GATE_H_
