#include "duetbench/decide/interim_analyses.h"

#include <algorithm>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/gate.h"
#include "duetbench/decide/interim_analysis.h"
#include "duetbench/decide/select_pairs.h"

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
  const SelectedPairs selected = SelectPairs(results, options_, ns_per_tick_);
  const absl::StatusOr<stats::Decision> decision =
      stats::Decide(selected, PolicyOf(options_, share));
  if (!decision.ok()) return false;
  LookAhead(*decision);
  if (options_.gates.empty()) return stats::EndsMeasuring(*decision);
  const std::vector<GateResult> gates = JudgeGates(options_, results, selected, *decision);
  return std::all_of(gates.begin(), gates.end(),
                     [](const GateResult& gate) { return gate.ends_measuring; });
}

void InterimAnalyses::LookAhead(const stats::Decision& decision) {
  if (!options_.gates.empty() && TimeGate(options_.gates) == nullptr) return;
  // More runs like these say nothing about another speed and rare slow calls.
  if (decision.two_speeds.has_value() || decision.open_total.has_value() ||
      decision.is_withheld()) {
    return;
  }
  prospect_.runs_to_decide = RunsAt(decision, stats::kFinalAnalysisShare);
  prospect_.runs_to_end = RunsAt(decision, stats::AnalysisShare(done_));
}

double InterimAnalyses::RunsAt(const stats::Decision& decision, double share) const {
  constexpr double kDegreesOfFreedom = stats::kManyRuns - 1;  // of enough runs
  const double reached =
      stats::TwoSidedT((1 - options_.level) * share, kDegreesOfFreedom) * decision.log_error;
  const double factor = stats::NarrowingToDecide(decision, TimeGate(options_.gates), reached);
  return static_cast<double>(decision.typical_log_ratios.size() + decision.slow_core_runs) *
         factor * factor;
}

}  // namespace duetbench
