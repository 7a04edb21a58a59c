#ifndef DUETBENCH_GATES_COUNTER_GATE_H_
#define DUETBENCH_GATES_COUNTER_GATE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/counters/event.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/gates/counter_gate_spec.h"
#include "duetbench/gates/gate.h"
#include "duetbench/stats/interval.h"

// Gates on the ratio of what the two variants count. Pure functions.
namespace duetbench {

// Whether the counter is counted in every run without a performance counter: ALLOCATIONS (with a
// memory manager) and MINOR-FAULTS. The others are names of events.
bool IsCountedAlways(const std::string& counter);

struct CounterGateResult {
  CounterGateSpec spec;
  GateOutcome outcome = GateOutcome::kInconclusive;
  int runs = 0;                      // that counted it for both variants
  double per_iteration[2] = {0, 0};  // means over these runs, by variant
  // Of the ratio new/old at the level of the analysis. Absent where a variant counted 0 in a run.
  std::optional<stats::RatioInterval> interval;
  double p = 1;  // as GateResult::p
};

// The decision about `spec` by what `results` counted, with a share of 1 - level
// (stats/interim_analysis.h). `events` are those of the runs. Each run gives one value, and the
// runs the t interval, as for times: ln of the ratio or, where a variant counted 0 in a run, the
// difference new - max_ratio * old in units of the largest one. A counter that is the same in every
// run is decided by the first analysis. Inconclusive with fewer than two runs.
CounterGateResult JudgeCounterGate(const CounterGateSpec& spec, absl::Span<const RunResult> results,
                                   const std::vector<Event>& events, double level, double share);

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COUNTER_GATE_H_
