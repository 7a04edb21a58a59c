#include "duetbench/decide/stopping_rule.h"

#include <algorithm>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/gate.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {

StoppingRule::StoppingRule(const ExperimentOptions& options, double ns_per_tick)
    : options_(options),
      ns_per_tick_(ns_per_tick),
      analyzes_(options.runs == 0 && (!options.gates.empty() || options.until_verdict)),
      planned_runs_(options.runs) {}

void StoppingRule::Plan(int runs, double seconds, double limit_ns) {
  planned_runs_ = runs;
  planned_s_ = seconds;
  limit_ns_ = limit_ns;
}

bool StoppingRule::Continue(absl::Span<const RunResult> results, double wall_ns, double run_ns) {
  const auto runs = static_cast<int>(results.size());
  if (!analyzes_) {
    const bool is_late = limit_ns_ > 0 && wall_ns > limit_ns_;
    const bool has_time = wall_ns + run_ns <= options_.min_time * 1e9;
    const bool are_few = options_.runs == 0 && planned_runs_ < kMeasuringPolicy.min_runs;
    if (runs == planned_runs_ && are_few && has_time) ++planned_runs_;
    return runs < planned_runs_ && !(is_late && runs >= kMeasuringPolicy.fewest_runs);
  }
  if (runs == stats::AnalysisRuns(done_)) {
    decided_ = Decides(results, stats::AnalysisShare(done_));
    ++done_;
    if (decided_) return false;
  }
  if (runs < stats::AnalysisRuns(0)) return true;
  time_spent_ = wall_ns + run_ns > MaxTime(options_) * 1e9;
  return !time_spent_;
}

void StoppingRule::Restart() {
  done_ = 0;
  decided_ = false;
  prospect_ = {};
}

int StoppingRule::runs() const { return analyzes_ ? stats::AnalysisRuns(done_) : planned_runs_; }

double StoppingRule::SecondsLeft(int done, double wall_ns) const {
  if (analyzes_) return std::max(0.0, MaxTime(options_) - wall_ns * 1e-9);
  return planned_s_ * (planned_runs_ - done) / planned_runs_;
}

double StoppingRule::final_share() const {
  if (!analyzes_) return 1;
  return decided_ ? stats::AnalysisShare(done_ - 1) : stats::kFinalAnalysisShare;
}

Prospect StoppingRule::prospect(int done) const {
  Prospect prospect;
  if (!analyzes_) {
    prospect.first_runs = std::max(1, planned_runs_ - done);
    return prospect;
  }
  prospect.first_runs = std::max(0, stats::AnalysisRuns(1) - done);
  prospect.runs_to_decide = std::max(0.0, prospect_.runs_to_decide - done);
  // Nothing ends between two analyses.
  prospect.runs_to_end = std::max<double>(stats::AnalysisRuns(done_), prospect_.runs_to_end) - done;
  return prospect;
}

bool StoppingRule::Decides(absl::Span<const RunResult> results, double share) {
  prospect_ = {};
  const SelectedPairs selected = SelectPairs(results, options_, ns_per_tick_);
  const absl::StatusOr<stats::Decision> decision = stats::Decide(selected, options_, share);
  if (!decision.ok()) return false;
  LookAhead(*decision);
  if (options_.gates.empty()) return stats::EndsMeasuring(*decision);
  const std::vector<GateResult> gates = JudgeGates(options_, results, selected, *decision);
  return std::all_of(gates.begin(), gates.end(),
                     [](const GateResult& gate) { return gate.ends_measuring; });
}

void StoppingRule::LookAhead(const stats::Decision& decision) {
  if (!options_.gates.empty() && TimeGate(options_.gates) == nullptr) return;
  // More runs like these say nothing about another speed and rare slow calls.
  if (decision.two_speeds.has_value() || decision.open_total.has_value() ||
      decision.is_withheld()) {
    return;
  }
  prospect_.runs_to_decide = RunsAt(decision, stats::kFinalAnalysisShare);
  prospect_.runs_to_end = RunsAt(decision, stats::AnalysisShare(done_));
}

double StoppingRule::RunsAt(const stats::Decision& decision, double share) const {
  constexpr double kDegreesOfFreedom = stats::kManyRuns - 1;  // of enough runs
  const double reached =
      stats::TwoSidedT((1 - options_.level) * share, kDegreesOfFreedom) * decision.log_error;
  const double factor = stats::NarrowingToDecide(decision, TimeGate(options_.gates), reached);
  return static_cast<double>(decision.typical_log_ratios.size() + decision.slow_core_runs) *
         factor * factor;
}

}  // namespace duetbench
