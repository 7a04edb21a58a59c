#include "tools/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "boost/math/distributions/normal.hpp"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/random_indices.h"

namespace duetbench::stats {
namespace {

// A spread below this share of the squares is rounding error.

double Phi(double z) {
  if (std::isinf(z)) return z > 0 ? 1 : 0;
  return boost::math::cdf(boost::math::normal(), z);
}

double NormalQuantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::normal(), p);
}

void CheckLevelInside(double level) {
  Require(level > 0 && level < 1, "the level of an interval lies between 0 and 1");
}

}  // namespace

std::vector<double> MeanReplicates(absl::Span<const double> values, std::size_t size,
                                   std::size_t count, Random& random) {
  Require(size > 0, "a resample needs a value");
  std::vector<double> replicates(count);
  for (double& replicate : replicates) {
    double sum = 0;
    VisitIndices(random, values.size(), size, [&](std::size_t i) { sum += values[i]; });
    replicate = sum / static_cast<double>(size);
  }
  return replicates;
}

std::vector<double> StudentizedReplicates(absl::Span<const double> values, std::size_t count,
                                          Random& random) {
  Require(values.size() >= 2, "a studentized replicate needs two values");
  const auto n = static_cast<double>(values.size());
  const double mean = Mean(values);
  // Sums of deviations and of their squares: no cancellation, as the deviations have the size of
  // the spread.
  std::vector<double> deviations(values.begin(), values.end());
  for (double& deviation : deviations) deviation -= mean;
  std::vector<double> replicates(count);
  for (double& replicate : replicates) {
    double sum = 0;
    double squares = 0;
    VisitIndices(random, values.size(), values.size(), [&](std::size_t i) {
      sum += deviations[i];
      squares += deviations[i] * deviations[i];
    });
    const double shift = sum / n;
    const double spread = squares / n - shift * shift;
    if (spread > kRounding * squares / n) {
      replicate = shift / std::sqrt(spread / (n - 1));
    } else {  // one and the same value n times
      replicate = shift == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), shift);
    }
  }
  return replicates;
}

double QuantileBootCi(absl::Span<const double> sorted, double p) {
  Require(!sorted.empty(), "a quantile needs a value");
  Require(p >= 0 && p <= 1, "the probability of a quantile lies in [0, 1]");
  const auto n = static_cast<double>(sorted.size());
  const double position = (n + 1) * p;
  const double whole = std::floor(position);
  if (whole < 1) return sorted.front();
  if (whole >= n) return sorted.back();
  const auto low = static_cast<std::size_t>(whole) - 1;
  if (position == whole) return sorted[low];
  const double at_low = NormalQuantile(whole / (n + 1));
  const double at_high = NormalQuantile((whole + 1) / (n + 1));
  const double low_value = sorted[low];
  const double high_value = sorted[low + 1];
  if (low_value == high_value || std::isinf(low_value)) return low_value;
  if (std::isinf(high_value)) return high_value;
  return low_value + (NormalQuantile(p) - at_low) / (at_high - at_low) * (high_value - low_value);
}

Ends BasicEnds(double t0, absl::Span<const double> sorted, double level) {
  const Ends percentile = PercentileEnds(sorted, level);
  return {2 * t0 - percentile.hi, 2 * t0 - percentile.lo};
}

Ends StudentizedEnds(double t0, double se, absl::Span<const double> sorted_studentized,
                     double level) {
  const Ends percentile = PercentileEnds(sorted_studentized, level);
  return {t0 - se * percentile.hi, t0 - se * percentile.lo};
}

Ends PercentileEnds(absl::Span<const double> sorted, double level) {
  CheckLevelInside(level);
  // (1 + level) / 2, not 1 - tail: the same rounding as boot.ci, which decides whether (n + 1) p
  // is a whole number.
  return {QuantileBootCi(sorted, (1 - level) / 2), QuantileBootCi(sorted, (1 + level) / 2)};
}

Ends TailEnds(absl::Span<const double> sorted, double tail) {
  return {QuantileBootCi(sorted, tail), QuantileBootCi(sorted, 1 - tail)};
}

double BiasCorrection(double t0, absl::Span<const double> t, bool ties_as_half) {
  Require(!t.empty(), "a bias correction needs a replicate");
  const auto range = std::minmax_element(t.begin(), t.end());
  const double tolerance = ties_as_half ? 1e-12 * (*range.second - *range.first) : 0;
  double below = 0;
  for (double replicate : t) {
    if (ties_as_half && std::abs(replicate - t0) <= tolerance) {
      below += 0.5;
    } else if (replicate < t0) {
      below += 1;
    }
  }
  return NormalQuantile(below / static_cast<double>(t.size()));
}

double Acceleration(absl::Span<const double> influence) {
  double squares = 0;
  double cubes = 0;
  for (double l : influence) {
    squares += l * l;
    cubes += l * l * l;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

Ends BcaProbabilities(double bias_correction, double acceleration, double level) {
  CheckLevelInside(level);
  const auto adjusted = [&](double z) {
    const double shifted = bias_correction + z;
    if (std::isinf(shifted)) return Phi(shifted);
    const double stretch = 1 - acceleration * shifted;
    if (stretch <= 0) return shifted > 0 ? 1.0 : 0.0;  // the limit of a stretch towards 0
    return Phi(bias_correction + shifted / stretch);
  };
  const double z = NormalQuantile((1 + level) / 2);
  return {adjusted(-z), adjusted(z)};
}

Ends BcaEnds(absl::Span<const double> sorted, double bias_correction, double acceleration,
             double level) {
  const Ends p = BcaProbabilities(bias_correction, acceleration, level);
  return {QuantileBootCi(sorted, p.lo), QuantileBootCi(sorted, p.hi)};
}

}  // namespace duetbench::stats
