#include "duetbench/gates/interim_analyses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/status/statusor.h"
#include "duetbench/decision/decision.h"
#include "duetbench/decision/interim_analysis.h"
#include "duetbench/gates/gate.h"
#include "duetbench/stats/decision_policy.h"

namespace duetbench {

bool InterimAnalyses::Continue(absl::Span<const RunResult> results, double wall_ns, double run_ns) {
  const auto runs = static_cast<int>(results.size());
  if (runs == stats::AnalysisRuns(done_)) {
    decided_ = Decides(results, stats::AnalysisShare(done_));
    ++done_;
    if (decided_) return false;
  }
  if (runs < stats::AnalysisRuns(0)) return true;
  time_spent_ = wall_ns + run_ns > MaxTime(options_) * 1e9;
  return !time_spent_;
}

double InterimAnalyses::SecondsLeft(int, double wall_ns) const {
  return std::max(0.0, MaxTime(options_) - wall_ns * 1e-9);
}

double InterimAnalyses::final_share() const {
  return decided_ ? stats::AnalysisShare(done_ - 1) : stats::kFinalAnalysisShare;
}

Prospect InterimAnalyses::prospect(int done) const {
  Prospect prospect;
  prospect.first_runs = std::max(0, stats::AnalysisRuns(1) - done);
  prospect.runs_to_decide = std::max(0.0, prospect_.runs_to_decide - done);
  // Nothing ends between two analyses.
  prospect.runs_to_end = std::max<double>(stats::AnalysisRuns(done_), prospect_.runs_to_end) - done;
  return prospect;
}

bool InterimAnalyses::Decides(absl::Span<const RunResult> results, double share) {
  prospect_ = {};
  if (options_.gate.has_value() || !options_.quantile_gates.empty() || !options_.has_gates()) {
    const SelectedPairs selected = SelectPairs(results, options_, ns_per_tick_);
    const bool of_times = options_.gate.has_value() || !options_.has_gates();
    if (of_times && !DecidesTimes(selected, share)) return false;
    if (!DecidesQuantiles(selected, share)) return false;
  }
  return std::all_of(options_.counter_gates.begin(), options_.counter_gates.end(),
                     [&](const CounterGateSpec& spec) {
                       return JudgeCounterGate(spec, results, options_.events, options_.level,
                                               share)
                           .ends_measuring;
                     });
}

bool InterimAnalyses::DecidesQuantiles(const SelectedPairs& selected, double share) const {
  return std::all_of(options_.quantile_gates.begin(), options_.quantile_gates.end(),
                     [&](const QuantileGateSpec& spec) {
                       const QuantileGateResult gate =
                           JudgeQuantileGate(spec, selected, selected, options_.level, share);
                       // Samples of several calls stay as they are.
                       return !gate.has_single_calls || gate.ends_measuring;
                     });
}

bool InterimAnalyses::DecidesTimes(const SelectedPairs& selected, double share) {
  const absl::StatusOr<stats::Decision> decision =
      stats::Decide(selected, PolicyOf(options_, share));
  if (!decision.ok()) return false;
  LookAhead(*decision);
  return options_.gate.has_value() ? JudgeGate(*options_.gate, *decision).ends_measuring
                                   : stats::EndsMeasuring(*decision);
}

void InterimAnalyses::LookAhead(const stats::Decision& decision) {
  // More runs like these say nothing about another speed and rare slow calls.
  if (decision.two_speeds.has_value() || decision.open_total.has_value() ||
      decision.is_withheld()) {
    return;
  }
  prospect_.runs_to_decide = RunsAt(decision, stats::kFinalAnalysisShare);
  prospect_.runs_to_end = RunsAt(decision, stats::AnalysisShare(done_));
}

double InterimAnalyses::RunsAt(const stats::Decision& decision, double share) const {
  const double center = std::log(decision.interval.ratio);
  const double half_width =
      options_.gate.has_value()
          ? stats::HalfWidthOfGate(center, {options_.gate->lo(), options_.gate->hi()})
          : stats::HalfWidthOfVerdict(center, options_.margin);
  const double needed = half_width - decision.systematic;
  if (!(needed > 0)) return std::numeric_limits<double>::infinity();
  constexpr double kDegreesOfFreedom = stats::kManyRuns - 1;  // of enough runs
  const double reached =
      stats::TwoSidedT((1 - options_.level) * share, kDegreesOfFreedom) * decision.log_error;
  const double factor = stats::kDecision.room_to_decide * reached / needed;
  return static_cast<double>(decision.typical_log_ratios.size() + decision.slow_core_runs) *
         factor * factor;
}

}  // namespace duetbench
