#include "duetbench/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/distributions.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/series.h"

namespace duetbench::stats {
namespace {

// Means of consecutive values, as few to a mean as give at most `longest` means. An incomplete
// batch at the end is left out.
std::vector<double> Condense(std::vector<double> series, std::size_t longest) {
  if (series.size() <= longest) return series;
  return BatchMeans(series, series.size() / ((series.size() + longest - 1) / longest));
}

// The contrasts between the strata as orthogonal series of unit length and mean zero: of each
// stratum but the first against those before it. Empty if there is one stratum, or if the estimator
// ignores them.
std::vector<std::vector<double>> UnitContrasts(const RunPairs& run, Estimator estimator) {
  if (estimator == Estimator::kGeomean) return {};
  const std::vector<std::vector<std::size_t>> strata = Strata(run);
  std::vector<std::vector<double>> contrasts;
  auto before = static_cast<double>(strata[0].size());
  for (std::size_t s = 1; s < strata.size(); ++s) {
    const auto size = static_cast<double>(strata[s].size());
    const double length = std::sqrt(1 / before + 1 / size);
    std::vector<double>& contrast = contrasts.emplace_back(run.size());
    for (std::size_t earlier = 0; earlier < s; ++earlier) {
      for (const std::size_t position : strata[earlier]) contrast[position] = -1 / before / length;
    }
    for (const std::size_t position : strata[s]) contrast[position] = 1 / size / length;
    before += size;
  }
  return contrasts;
}

}  // namespace

RatioInterval PointInterval(double ratio) { return {ratio, ratio, ratio, 1, IntervalKind::kT, ""}; }

double TwoSidedT(double alpha, double degrees_of_freedom) {
  return StudentsTQuantile(degrees_of_freedom, alpha / 2);
}

absl::Status CheckLevel(double level) {
  if (level > 0 && level < 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the level must lie between 0 and 1, for example 0.99; got ", level));
}

absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least) {
  if (run_log_ratios.size() < least) {
    return absl::InvalidArgumentError(absl::StrCat(
        "this kind of interval needs at least ", least, " runs, got ", run_log_ratios.size(),
        run_log_ratios.size() == 1 ? ": use the kind 'ewc' for a single run" : ""));
  }
  for (std::size_t r = 0; r < run_log_ratios.size(); ++r) {
    if (!std::isfinite(run_log_ratios[r])) {
      return absl::InvalidArgumentError(
          absl::StrCat("run ", r, ": the log-ratio is ", run_log_ratios[r]));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const auto n = static_cast<double>(run_log_ratios.size());
  const double mean = Mean(run_log_ratios);
  const double s = StandardDeviation(run_log_ratios);
  const double half_width = TwoSidedT(1 - level, n - 1) * s / std::sqrt(n);
  return RatioInterval{std::exp(mean),
                       std::exp(mean - half_width),
                       std::exp(mean + half_width),
                       level,
                       IntervalKind::kT,
                       ""};
}

absl::StatusOr<SeriesEstimate> EstimateSeries(const RunPairs& run, Estimator estimator) {
  const absl::StatusOr<double> log_ratio = RunLogRatio(run, estimator);
  if (!log_ratio.ok()) return log_ratio.status();
  if (run.size() < kDecision.min_pairs_of_series) {
    return absl::InvalidArgumentError(absl::StrCat("the interval of a single run needs at least ",
                                                   kDecision.min_pairs_of_series, " pairs, got ",
                                                   run.size()));
  }
  const std::vector<double> influence = InfluenceValues(run, estimator);
  const std::vector<double> series = Condense(influence, kDecision.max_series);
  const std::vector<std::vector<double>> contrasts = UnitContrasts(run, estimator);
  if (run.size() < contrasts.size() + 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("the interval of a single run with ", contrasts.size() + 1,
                     " assignments and rounds needs at least ", contrasts.size() + 2,
                     " pairs, got ", run.size()));
  }
  const int nu =
      std::max(EwcDegreesOfFreedom(series.size()), static_cast<int>(contrasts.size()) + 1);
  double removed = 0;  // of the nu dimensions that the cosines span
  for (const std::vector<double>& contrast : contrasts) {
    // Condensing shortens the contrast: its batch means stand for batches of values.
    const std::vector<double> condensed = Condense(contrast, kDecision.max_series);
    const double batch =
        std::floor(static_cast<double>(run.size()) / static_cast<double>(condensed.size()));
    removed += batch * nu * EwcLongRunVariance(condensed, nu);
  }
  const double variance =
      EwcLongRunVariance(series, nu) * nu / (nu - removed) / static_cast<double>(series.size());
  SeriesEstimate estimate{*log_ratio, std::sqrt(variance), nu - removed,
                          "this process only: how much processes differ cannot be seen in one"};
  if (const double lag1 = Lag1(influence); lag1 > kDecision.strong_lag1) {
    absl::StrAppend(&estimate.warning,
                    absl::StrFormat("; too narrow: neighboring pairs are strongly correlated "
                                    "(lag-1 autocorrelation %.2f)",
                                    lag1));
  }
  return estimate;
}

absl::StatusOr<RatioInterval> IntervalOfSeries(const SeriesEstimate& series, double level) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  const double half_width = TwoSidedT(1 - level, series.degrees_of_freedom) * series.log_error;
  return RatioInterval{std::exp(series.log_ratio),
                       std::exp(series.log_ratio - half_width),
                       std::exp(series.log_ratio + half_width),
                       level,
                       IntervalKind::kEwc,
                       series.warning};
}

absl::StatusOr<RatioInterval> EwcInterval(const RunPairs& run, Estimator estimator, double level) {
  const absl::StatusOr<SeriesEstimate> series = EstimateSeries(run, estimator);
  if (!series.ok()) return series.status();
  return IntervalOfSeries(*series, level);
}

}  // namespace duetbench::stats
