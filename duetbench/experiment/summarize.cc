#include "duetbench/experiment/summarize.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/call_quantiles.h"
#include "duetbench/experiment/result_notices.h"
#include "duetbench/experiment/run_reports.h"
#include "duetbench/stats/interim_analysis.h"
#include "duetbench/stats/interval.h"

namespace duetbench {
namespace {

double Percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<size_t>(rank)];
}

// Splits the product of both times so that their quotient is `ratio`: the clock that the ratio is
// of; the other clock follows.
void ScaleToRatio(double ratio, bool cpu_time, Measured* measured) {
  const double* const times = cpu_time ? measured->cpu_ns : measured->time_ns;
  if (!(times[0] > 0) || !(times[1] > 0) || !(ratio > 0) || !std::isfinite(ratio)) return;
  const double factor = std::sqrt(ratio / (times[1] / times[0]));
  for (double* const clock : {measured->time_ns, measured->cpu_ns}) {
    clock[0] /= factor;
    clock[1] *= factor;
  }
}

// Whether code that is the same might differ as much in programs with one layout.
bool MaybeLayout(const Estimate& estimate, const ExperimentOptions& options) {
  const bool differs =
      estimate.verdict == stats::Verdict::kFaster || estimate.verdict == stats::Verdict::kSlower;
  return differs && !estimate.layouts.has_value() && options.self < 0 &&
         std::abs(std::log(estimate.interval.ratio)) <= std::log1p(options.layout_noise);
}

Failure FailureOf(std::string cause) {
  Failure failure;
  failure.error.cause = std::move(cause);
  return failure;
}

}  // namespace

absl::StatusOr<Ratios> RatiosOf(const SelectedPairs& selected, const ExperimentOptions& options,
                                double share) {
  Ratios ratios;
  absl::StatusOr<stats::RatioInterval> typical =
      selected.runs.size() == 1
          ? stats::EwcInterval(selected.runs[0], stats::Estimator::kTrimmed, options.level)
          : stats::AnalysisInterval(selected.run_values, options.level, share);
  if (!typical.ok()) return typical.status();
  ratios.typical = *std::move(typical);
  // Layouts are the modes that are known.
  const bool may_hide_modes = selected.runs.size() > 1 && !selected.layouts.has_value();
  if (may_hide_modes) {
    ratios.typical.kind = stats::IntervalKind::kWeighted;
    stats::WidenToLeastSpread(selected.run_values, share, &ratios.typical);
  }
  stats::TotalInput input;
  input.runs = selected.total_runs;
  input.run_log_ratios = selected.run_log_ratios;
  for (int variant = 0; variant < 2; ++variant) {
    input.iterations[variant] = selected.sample_iterations[variant];
  }
  input.least = stats::LeastNotable(options.margin);
  absl::StatusOr<stats::TotalRatio> total = stats::ComputeTotalRatio(input, options.level, share);
  if (!total.ok()) return ratios;
  ratios.total = *std::move(total);
  if (may_hide_modes) {
    stats::WidenToLeastSpread(ratios.total->run_values, share, &ratios.total->interval);
  }
  ratios.total_decides = options.estimand == stats::Estimand::kTotal ||
                         (options.estimand == stats::Estimand::kAuto && ratios.total->differs);
  if (options.estimand == stats::Estimand::kAuto) {
    ratios.open_total = stats::OpenTotal(*ratios.total, ratios.typical);
  }
  return ratios;
}

stats::Verdict VerdictOf(const Estimate& estimate) {
  if (estimate.is_withheld()) return stats::Verdict::kInconclusive;
  const stats::Verdict verdict = stats::Decide(estimate.interval, estimate.margin);
  if (!estimate.open_total.has_value()) return verdict;
  const stats::Verdict of_total =
      stats::Decide(stats::PointInterval(*estimate.open_total), estimate.margin);
  return of_total == verdict ? verdict : stats::Verdict::kInconclusive;
}

ExperimentResult Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                           double ns_per_tick, double share) {
  ExperimentResult result;
  result.results = std::move(results);
  result.cpu_time = UsesCpuTime(options);
  SelectedPairs selected = SelectPairs(result.results, options, ns_per_tick);
  AddNotices(selected, result.results, options, &result.notices);
  if (selected.runs.empty()) {
    const bool no_times = selected.untimed == selected.dropped && options.manual_time;
    result.outcome = FailureOf(
        no_times ? "no pair has a time: call state.SetIterationTime(seconds) in every iteration"
                 : "no pair could be used: in every pair a variant was preempted or took no "
                   "measurable time; measure longer (--benchmark_min_time)");
    return result;
  }
  absl::StatusOr<Ratios> ratios = RatiosOf(selected, options, share);
  if (!ratios.ok()) {
    result.outcome = FailureOf(absl::StrCat("there is no interval of the ratio: ",
                                            std::string(ratios.status().message())));
    return result;
  }

  Estimate estimate;
  estimate.schedule = options.schedule.value_or(Schedule::kDuet);
  estimate.batch = result.results.back().batch;
  estimate.runs = static_cast<int>(selected.runs.size());
  estimate.pairs = selected.pairs;
  for (int variant = 0; variant < 2; ++variant) {
    estimate.time_ns[variant] = selected.time_ns[variant];
    estimate.cpu_ns[variant] = selected.cpu_ns[variant];
    estimate.iterations[variant] = selected.iterations[variant];
  }
  ScaleToRatio(ratios->deciding().ratio, UsesCpuTime(options), &estimate);
  SetReports(result.results, &estimate);
  const double bytes_per_iteration[2] = {
      WorkPerIteration(result.results, 0, &VariantReport::bytes),
      WorkPerIteration(result.results, 1, &VariantReport::bytes)};
  estimate.counters =
      SummarizeCounters(result.results, options.events, options.level, bytes_per_iteration);
  if (estimate.counters.clock_rates_differ.has_value()) {
    AddNotice(*estimate.counters.clock_rates_differ, &result.notices);
  }

  estimate.interval = ratios->deciding();
  static_cast<Reservations&>(estimate) = selected;
  estimate.layouts = selected.layouts;
  estimate.open_total = ratios->open_total;
  estimate.margin = options.margin;
  estimate.verdict = VerdictOf(estimate);
  if (MaybeLayout(estimate, options)) {
    AddNotice({Notice::Kind::kMaybeLayout, {estimate.interval.ratio, options.layout_noise}, ""},
              &result.notices);
  }
  estimate.quantiles = CallQuantiles(selected, options, share);
  if (!options.quantiles.empty() && !HasSingleCalls(selected)) {
    AddNotice({Notice::Kind::kNoSingleCalls,
               {selected.sample_iterations[0], selected.sample_iterations[1]},
               ""},
              &result.notices);
  }
  estimate.typical = ratios->typical;
  estimate.total_decides = ratios->total_decides;
  estimate.total = std::move(ratios->total);
  estimate.cpu_time = UsesCpuTime(options);
  estimate.this_process_only = options.runs == 1;
  estimate.dropped = selected.dropped;
  estimate.kept_disturbed = selected.kept_disturbed;
  estimate.skew_p50_ns = Percentile(selected.skews_ns, 0.50);
  estimate.skew_p99_ns = Percentile(selected.skews_ns, 0.99);
  estimate.overlap_p50 = Percentile(selected.overlaps, 0.50);
  estimate.typical_log_ratios = std::move(selected.run_log_ratios);
  estimate.run_log_ratios = estimate.total_decides && selected.runs.size() > 1
                                ? estimate.total->run_values
                                : std::move(selected.run_values);
  estimate.run_pairs = std::move(selected.runs);
  absl::StatusOr<stats::Diagnosis> diagnosis = stats::Diagnose(estimate.run_pairs, options.seed);
  if (diagnosis.ok()) estimate.diagnosis = *std::move(diagnosis);
  result.outcome = std::move(estimate);
  return result;
}

ExperimentResult SummarizeDryRun(RunResult run, const ExperimentOptions& options,
                                 double ns_per_tick) {
  ExperimentResult result;
  DryRun dry_run;
  dry_run.runs = 1;
  dry_run.schedule = options.schedule.value_or(Schedule::kDuet);
  dry_run.batch = run.batch;
  for (const PairRecord& pair : run.pairs) {
    ++dry_run.pairs;
    for (int variant = 0; variant < 2; ++variant) {
      const auto iterations = static_cast<double>(pair.iterations[variant]);
      dry_run.time_ns[variant] = pair.ticks[variant] * ns_per_tick / iterations;
      dry_run.cpu_ns[variant] = pair.cpu_ns[variant] / iterations;
      dry_run.iterations[variant] += pair.iterations[variant];
    }
  }
  if (!run.notice.empty()) {
    AddNotice({Notice::Kind::kRunDegraded, {}, run.notice}, &result.notices);
  }
  result.results.push_back(std::move(run));
  SetReports(result.results, &dry_run);
  result.outcome = std::move(dry_run);
  return result;
}

}  // namespace duetbench
