#include "tools/stats/hodges_lehmann.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/strings/str_format.h"
#include "boost/math/distributions/normal.hpp"
#include "duetbench/stats/require.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kExactUpTo = 100;

// The averages (x_i + x_j) / 2, i <= j, in ascending order.
std::vector<double> WalshAverages(absl::Span<const double> values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) averages.push_back((values[i] + values[j]) / 2);
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

// P(V = v), v = 0..n(n+1)/2: each rank is counted or not, with probability 1/2.
std::vector<double> SignedRankProbabilities(std::size_t n) {
  std::vector<double> p(n * (n + 1) / 2 + 1, 0.0);
  p[0] = 1.0;
  std::size_t reached = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    reached += rank;
    for (std::size_t v = reached + 1; v-- > 0;) {
      p[v] = 0.5 * (p[v] + (v >= rank ? p[v - rank] : 0.0));
    }
  }
  return p;
}

double Cdf(std::uint64_t v, std::size_t n) {
  if (n <= kExactUpTo) return SignedRankCdf(static_cast<double>(v), static_cast<int>(n));
  const auto m = static_cast<double>(n);
  const double mean = m * (m + 1) / 4;
  const double sd = std::sqrt(m * (m + 1) * (2 * m + 1) / 24);
  return boost::math::cdf(boost::math::normal(mean, sd), static_cast<double>(v) + 0.5);
}

// The smallest v with P(V <= v) >= p.
std::uint64_t SignedRankQuantile(double p, std::size_t n) {
  std::uint64_t low = 0;
  std::uint64_t high = static_cast<std::uint64_t>(n) * (n + 1) / 2;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (Cdf(middle, n) >= p) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

double SignedRankCdf(double v, int n) {
  Require(n >= 1, "SignedRankCdf: no differences");
  const std::vector<double> p = SignedRankProbabilities(static_cast<std::size_t>(n));
  const auto size = static_cast<double>(p.size());
  const auto count = static_cast<std::ptrdiff_t>(std::clamp(std::floor(v + 1e-7) + 1, 0.0, size));
  return std::min(1.0, std::accumulate(p.begin(), p.begin() + count, 0.0));
}

HodgesLehmann HodgesLehmannLocation(absl::Span<const double> values, double level) {
  Require(!values.empty(), "a location needs a value");
  Require(level > 0 && level < 1, "the level of an interval lies between 0 and 1");
  const std::vector<double> averages = WalshAverages(values);
  const std::size_t count = averages.size();
  const std::uint64_t rank =
      std::max<std::uint64_t>(1, SignedRankQuantile((1 - level) / 2, values.size()));
  HodgesLehmann result{};
  result.estimate = (averages[(count - 1) / 2] + averages[count / 2]) / 2;
  result.lo = averages[rank - 1];
  result.hi = averages[count - rank];
  result.achieved_level = 1 - 2 * Cdf(rank - 1, values.size());
  return result;
}

absl::StatusOr<RatioInterval> HodgesLehmannInterval(absl::Span<const double> run_log_ratios,
                                                    double level) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const HodgesLehmann location = HodgesLehmannLocation(run_log_ratios, level);
  RatioInterval interval{std::exp(location.estimate),  std::exp(location.lo),
                         std::exp(location.hi),        level,
                         IntervalKind::kHodgesLehmann, ""};
  if (location.achieved_level < level) {
    interval.warning = absl::StrFormat(
        "not enough runs for this interval kind: %d runs attain %.4g %% instead of %.4g %%",
        run_log_ratios.size(), 100 * location.achieved_level, 100 * level);
  }
  return interval;
}

}  // namespace duetbench::stats
