#include "tools/stats/compute_interval.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decision/decision.h"
#include "tools/stats/anytime.h"
#include "tools/stats/hierarchical_interval.h"
#include "tools/stats/hodges_lehmann.h"

namespace duetbench::stats {

absl::StatusOr<std::vector<double>> RunLogRatios(absl::Span<const RunPairs> runs,
                                                 Estimator estimator) {
  if (runs.empty()) return absl::InvalidArgumentError("the experiment has no runs");
  std::vector<double> log_ratios;
  log_ratios.reserve(runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const absl::StatusOr<double> log_ratio = RunLogRatio(runs[r], estimator);
    if (!log_ratio.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("run ", r, ": ", log_ratio.status().message()));
    }
    log_ratios.push_back(*log_ratio);
  }
  return log_ratios;
}

namespace {

absl::StatusOr<RatioInterval> RobustInterval(absl::Span<const RunPairs> runs,
                                             const IntervalOptions& options) {
  if (runs.size() == 1) return CheckRunValues({0}, 2);
  std::vector<RunValue> values;
  for (const RunPairs& run : runs) {
    absl::StatusOr<RunValue> value = ReduceRun(run, run, options.estimator);
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
  }
  DecisionPolicy policy;
  policy.level = options.level;
  policy.estimand = Estimand::kTypical;
  absl::StatusOr<Decision> decision = Decide({{}, values}, policy);
  if (!decision.ok()) return decision.status();
  return decision->typical;
}

}  // namespace

absl::StatusOr<RatioInterval> IntervalOfRuns(absl::Span<const double> run_log_ratios,
                                             const IntervalOptions& options) {
  switch (options.kind) {
    case IntervalKind::kT:
      return TInterval(run_log_ratios, options.level);
    case IntervalKind::kHodgesLehmann:
      return HodgesLehmannInterval(run_log_ratios, options.level);
    case IntervalKind::kAnytime:
      return AnytimeInterval(run_log_ratios, options.level);
    default:
      return BootstrapInterval(run_log_ratios, options.kind, options.level, options.resampling);
  }
}

absl::StatusOr<RatioInterval> ComputeInterval(absl::Span<const RunPairs> runs,
                                              const IntervalOptions& options) {
  if (options.kind == IntervalKind::kHierarchical) {
    return HierarchicalInterval(runs, options.estimator, options.level, options.resampling);
  }
  if (options.kind == IntervalKind::kEwc) {
    if (runs.size() == 1) return EwcInterval(runs[0], options.estimator, options.level);
    return absl::InvalidArgumentError(absl::StrCat("the kind 'ewc' is for a single run, got ",
                                                   runs.size(), " runs: use 't' for several"));
  }
  const absl::StatusOr<std::vector<double>> log_ratios = RunLogRatios(runs, options.estimator);
  if (!log_ratios.ok()) return log_ratios.status();
  if (options.kind == IntervalKind::kRobust) {
    return RobustInterval(runs, options);
  }
  return IntervalOfRuns(*log_ratios, options);
}

}  // namespace duetbench::stats
