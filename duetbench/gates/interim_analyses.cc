#include "duetbench/gates/interim_analyses.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "duetbench/gates/gate.h"
#include "duetbench/stats/decision.h"
#include "duetbench/stats/interim_analysis.h"

namespace duetbench {

bool InterimAnalyses::Continue(absl::Span<const RunResult> results, double wall_ns) {
  const auto runs = static_cast<int>(results.size());
  if (runs == stats::AnalysisRuns(done_)) {
    decided_ = Decides(results, stats::AnalysisShare(done_));
    ++done_;
    if (decided_) return false;
  }
  if (runs < stats::AnalysisRuns(0)) return true;
  const double wall_of_one = wall_ns / (runs + 1);  // the calibration is one
  time_spent_ = wall_ns + wall_of_one > MaxTime(options_) * 1e9;
  return !time_spent_;
}

double InterimAnalyses::SecondsLeft(int, double wall_ns) const {
  return std::max(0.0, MaxTime(options_) - wall_ns * 1e-9);
}

double InterimAnalyses::final_share() const {
  return decided_ ? stats::AnalysisShare(done_ - 1) : stats::kFinalAnalysisShare;
}

bool InterimAnalyses::Decides(absl::Span<const RunResult> results, double share) const {
  if (options_.gate.has_value() || !options_.quantile_gates.empty()) {
    const SelectedPairs selected = SelectPairs(results, options_, ns_per_tick_);
    if (options_.gate.has_value() && !DecidesTimes(*options_.gate, selected, share)) return false;
    if (!DecidesQuantiles(selected, share)) return false;
  }
  return std::all_of(options_.counter_gates.begin(), options_.counter_gates.end(),
                     [&](const CounterGateSpec& spec) {
                       const CounterGateResult gate =
                           JudgeCounterGate(spec, results, options_.events, options_.level, share);
                       return stats::EndsMeasuring(gate.outcome, gate.p, options_.level);
                     });
}

bool InterimAnalyses::DecidesQuantiles(const SelectedPairs& selected, double share) const {
  return std::all_of(
      options_.quantile_gates.begin(), options_.quantile_gates.end(),
      [&](const QuantileGateSpec& spec) {
        const QuantileGateResult gate = JudgeQuantileGate(spec, selected, options_.level, share);
        // Samples of several calls stay as they are.
        return !gate.has_single_calls || stats::EndsMeasuring(gate.outcome, gate.p, options_.level);
      });
}

bool InterimAnalyses::DecidesTimes(const GateSpec& spec, const SelectedPairs& selected,
                                   double share) const {
  if (selected.runs.size() < 2 || selected.is_biased) return false;
  if (selected.lacks_work[0] || selected.lacks_work[1]) return true;  // more runs do not help
  const absl::StatusOr<stats::Decision> decision =
      stats::Decide(selected.values, PolicyFor(selected, options_, share));
  if (!decision.ok()) return false;
  const stats::GateDecision gate = stats::JudgeRatio(*decision, {spec.lo(), spec.hi()}, share);
  if (selected.two_speeds.has_value() &&
      ContradictsGate(*selected.two_speeds, spec, gate.outcome)) {
    return false;
  }
  return gate.ends_measuring;
}

}  // namespace duetbench
