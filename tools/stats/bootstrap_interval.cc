#include "tools/stats/bootstrap_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "boost/math/distributions/normal.hpp"
#include "boost/math/distributions/students_t.hpp"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/method_names.h"
#include "tools/stats/narrowness.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMaxReplicates = 100000000;

std::vector<double> SortedMeans(absl::Span<const double> values, std::size_t size,
                                const Resampling& resampling) {
  Random random(resampling.seed);
  std::vector<double> means = MeanReplicates(values, size, resampling.replicates, random);
  std::sort(means.begin(), means.end());
  return means;
}

Ends BootTEnds(absl::Span<const double> values, double level, const Resampling& resampling) {
  // Rounding errors of equal values have no distribution to studentize.
  if (StandardDeviation(values) < kRounding) return {Mean(values), Mean(values)};
  Random random(resampling.seed);
  std::vector<double> studentized = StudentizedReplicates(values, resampling.replicates, random);
  std::sort(studentized.begin(), studentized.end());
  const double se = StandardDeviation(values) / std::sqrt(static_cast<double>(values.size()));
  return StudentizedEnds(Mean(values), se, studentized, level);
}

Ends BcaEndsOfMean(absl::Span<const double> values, absl::Span<const double> sorted, double level) {
  const double mean = Mean(values);
  std::vector<double> influence(values.begin(), values.end());
  for (double& value : influence) value -= mean;  // the jackknife of a mean, exactly
  return BcaEnds(sorted, BiasCorrection(mean, sorted, /*ties_as_half=*/true),
                 Acceleration(influence), level);
}

// The run values in an order that depends neither on the order of the runs nor on which variant is
// called old: ascending, and turned about (all signs changed) if they are skewed to the left. So an
// experiment gives the same interval whatever the order of its runs, and the reciprocal one, not
// another random one, when old and new are swapped.
struct Canonical {
  std::vector<double> values;
  bool turned;
};

Canonical MakeCanonical(absl::Span<const double> values) {
  Canonical canonical{{values.begin(), values.end()}, false};
  std::sort(canonical.values.begin(), canonical.values.end());
  const double mean = Mean(canonical.values);
  double cubes = 0;
  for (double value : canonical.values) cubes += std::pow(value - mean, 3);
  if (cubes < 0) {
    canonical.turned = true;
    for (double& value : canonical.values) value = -value;
    std::reverse(canonical.values.begin(), canonical.values.end());
  }
  return canonical;
}

// False for the kinds that are not a bootstrap of run values.
bool LogEnds(absl::Span<const double> values, IntervalKind kind, double level,
             const Resampling& resampling, Ends* ends) {
  switch (kind) {
    case IntervalKind::kPercentile:
      *ends = PercentileEnds(SortedMeans(values, values.size(), resampling), level);
      return true;
    case IntervalKind::kExpanded:
      *ends = TailEnds(SortedMeans(values, values.size(), resampling),
                       ExpandedTail(values.size(), level));
      return true;
    case IntervalKind::kNMinus1:
      *ends = PercentileEnds(SortedMeans(values, values.size() - 1, resampling), level);
      return true;
    case IntervalKind::kBasic:
      *ends = BasicEnds(Mean(values), SortedMeans(values, values.size(), resampling), level);
      return true;
    case IntervalKind::kBca:
      *ends = BcaEndsOfMean(values, SortedMeans(values, values.size(), resampling), level);
      return true;
    case IntervalKind::kBootT:
      *ends = BootTEnds(values, level, resampling);
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status CheckResampling(const Resampling& resampling) {
  if (resampling.replicates >= 2 && resampling.replicates <= kMaxReplicates) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the number of bootstrap replicates must lie in 2..", kMaxReplicates, ", got ",
                   resampling.replicates));
}

absl::StatusOr<RatioInterval> BootstrapInterval(absl::Span<const double> run_log_ratios,
                                                IntervalKind kind, double level,
                                                const Resampling& resampling) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckResampling(resampling); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const Canonical canonical = MakeCanonical(run_log_ratios);
  Ends ends{};
  if (!LogEnds(canonical.values, kind, level, resampling, &ends)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", IntervalKindName(kind), "' is not a bootstrap of the runs"));
  }
  if (canonical.turned) ends = {-ends.hi, -ends.lo};
  const double mean = Mean(run_log_ratios);
  return RatioInterval{std::exp(mean),
                       std::exp(std::min(ends.lo, mean)),
                       std::exp(std::max(ends.hi, mean)),
                       level,
                       kind,
                       NarrownessWarning(kind, run_log_ratios.size(), level)};
}

double ExpandedTail(std::size_t runs, double level) {
  Require(runs >= 2, "an expanded tail needs two runs");
  Require(level > 0 && level < 1, "the level of an interval lies between 0 and 1");
  const auto n = static_cast<double>(runs);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), (1 - level) / 2);
  return boost::math::cdf(boost::math::normal(), std::sqrt(n / (n - 1)) * t);
}

}  // namespace duetbench::stats
