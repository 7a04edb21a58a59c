#include "tools/duet_lab/papers/widths.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tools/stats/compute_interval.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::lab {
namespace {

constexpr double kNoWidth = std::numeric_limits<double>::quiet_NaN();

double WidthOf(const absl::StatusOr<stats::RatioInterval>& interval) {
  if (!interval.ok()) return kNoWidth;
  const double width = (interval->hi - interval->lo) / interval->ratio;
  return std::isfinite(width) ? width : kNoWidth;
}

}  // namespace

double PaperWidth(const duet_stat::BenchmarkPairs& pairs, bool shuffled, uint64_t seed) {
  duet_stat::BenchmarkPairs used = pairs;
  duet_stat::SelectPairs(used, /*keep_disturbed=*/true);
  duet_stat::DropEmptyRuns(used);
  if (shuffled) duet_stat::ShufflePairs(duet_stat::Shuffle::kAll, seed, used.runs);
  const absl::StatusOr<stats::RatioInterval> interval = stats::PaperInterval(used.runs, seed);
  // The paper's width is not divided by the ratio, which is about 1.
  return interval.ok() ? interval->hi - interval->lo : kNoWidth;
}

double OurWidth(const duet_stat::BenchmarkPairs& pairs) {
  duet_stat::BenchmarkPairs used = pairs;
  duet_stat::SelectPairs(used);
  duet_stat::DropEmptyRuns(used);
  return WidthOf(stats::ComputeInterval(used.runs));
}

double StandardWidth(const StandardTimes& times, stats::OutlierRule winsorize, uint64_t seed) {
  const absl::StatusOr<stats::MeansDifference> difference =
      stats::DifferenceOfMeans(times.old_times, times.new_times, 0.99, {10'000, seed}, winsorize);
  return difference.ok() ? difference->Width() : kNoWidth;
}

double GeometricMean(absl::Span<const double> values) {
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    sum += std::log(value);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : kNoWidth;
}

}  // namespace duetbench::lab
