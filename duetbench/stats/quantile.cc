#include "duetbench/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "boost/math/distributions/normal.hpp"
#include "duetbench/stats/require.h"

namespace duetbench::stats {
namespace {

// How far n p may be from an integer to count as that integer.
constexpr double kRounding = 1e-9;

void CheckArguments(absl::Span<const double> sorted, double p) {
  Require(!sorted.empty(), "a quantile needs a value");
  Require(p >= 0 && p <= 1, "the probability of a quantile lies in [0, 1]");
}

double Interpolate(double low, double high, double fraction) {
  if (low == high || fraction <= 0) return low;
  if (std::isinf(low)) return low;
  if (std::isinf(high)) return high;
  return low + fraction * (high - low);
}

// Linear interpolation at the 1-based `position`.
double AtPosition(absl::Span<const double> sorted, double position) {
  const auto n = static_cast<double>(sorted.size());
  const double whole = std::floor(std::clamp(position, 1.0, n));
  const auto low = static_cast<std::size_t>(whole) - 1;
  if (position <= 1 || low + 1 == sorted.size()) return sorted[low];
  return Interpolate(sorted[low], sorted[low + 1], position - whole);
}

double NormalQuantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

}  // namespace

double QuantileInverseCdf(absl::Span<const double> sorted, double p) {
  CheckArguments(sorted, p);
  const auto n = static_cast<double>(sorted.size());
  const double rank = std::clamp(std::ceil(n * p - kRounding), 1.0, n);
  return sorted[static_cast<std::size_t>(rank) - 1];
}

double UpperQuantileInverseCdf(absl::Span<const double> sorted, double q) {
  CheckArguments(sorted, q);
  const auto n = static_cast<double>(sorted.size());
  const double above = std::clamp(std::floor(n * q + kRounding), 0.0, n - 1);
  return sorted[sorted.size() - 1 - static_cast<std::size_t>(above)];
}

double QuantileType7(absl::Span<const double> sorted, double p) {
  CheckArguments(sorted, p);
  return AtPosition(sorted, 1 + static_cast<double>(sorted.size() - 1) * p);
}

double QuantileType6(absl::Span<const double> sorted, double p) {
  CheckArguments(sorted, p);
  return AtPosition(sorted, static_cast<double>(sorted.size() + 1) * p);
}

double QuantileBootCi(absl::Span<const double> sorted, double p) {
  CheckArguments(sorted, p);
  const auto n = static_cast<double>(sorted.size());
  const double position = (n + 1) * p;
  const double whole = std::floor(position);
  if (whole < 1) return sorted.front();
  if (whole >= n) return sorted.back();
  const auto low = static_cast<std::size_t>(whole) - 1;
  if (position == whole) return sorted[low];
  const double at_low = NormalQuantile(whole / (n + 1));
  const double at_high = NormalQuantile((whole + 1) / (n + 1));
  return Interpolate(sorted[low], sorted[low + 1],
                     (NormalQuantile(p) - at_low) / (at_high - at_low));
}

}  // namespace duetbench::stats
