#include "tools/stats/anytime.h"

#include <cmath>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

// Prior variance of the effect in units of the runs' variance: an effect of about one standard
// deviation is what an experiment of some ten runs can find.
constexpr double kPriorVariance = 1;

}  // namespace

double AnytimeHalfWidth(std::size_t n, double level, double g) {
  Require(n >= 2, "an anytime interval needs two runs");
  Require(level > 0 && level < 1, "the level of an interval lies between 0 and 1");
  Require(g > 0, "the prior variance of an anytime interval is positive");
  const auto runs = static_cast<double>(n);
  const double inflation = 1 + runs * g;
  // log1p and expm1: for many runs c approaches 1.
  const double log_c = (std::log(inflation) - 2 * std::log1p(-level)) / runs;
  if (log_c >= std::log(inflation)) return std::numeric_limits<double>::infinity();
  return std::sqrt((runs - 1) * std::expm1(log_c) / (1 - std::exp(log_c) / inflation) / runs);
}

absl::StatusOr<RatioInterval> AnytimeInterval(absl::Span<const double> run_log_ratios,
                                              double level) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const double mean = Mean(run_log_ratios);
  const double factor = AnytimeHalfWidth(run_log_ratios.size(), level, kPriorVariance);
  RatioInterval interval{std::exp(mean), 0, factor, level, IntervalKind::kAnytime, ""};
  if (std::isinf(factor)) {  // even for runs that are all equal: 0 * infinity must not become NaN
    interval.warning =
        absl::StrCat("not enough runs for this interval kind: ", run_log_ratios.size(),
                     " runs cannot bound the ratio at any time at this level");
    return interval;
  }
  const double half_width = factor * StandardDeviation(run_log_ratios);
  interval.lo = std::exp(mean - half_width);
  interval.hi = std::exp(mean + half_width);
  return interval;
}

}  // namespace duetbench::stats
