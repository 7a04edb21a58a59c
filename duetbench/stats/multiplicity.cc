#include "duetbench/stats/multiplicity.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "duetbench/stats/require.h"

namespace duetbench::stats {

std::vector<double> AdjustPValues(absl::Span<const double> p, Adjustment adjustment) {
  for (const double value : p) {
    Require(value >= 0 && value <= 1, "AdjustPValues: a p-value is not in [0, 1]");
  }
  const std::size_t n = p.size();
  std::vector<std::size_t> order(n);  // ascending p
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  double harmonic = 0;
  for (std::size_t i = 1; i <= n; ++i) harmonic += 1 / static_cast<double>(i);

  std::vector<double> adjusted(n);
  const auto count = static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto rank = static_cast<double>(i + 1);
    double factor = count;
    switch (adjustment) {
      case Adjustment::kBonferroni:
        break;
      case Adjustment::kHolm:
      case Adjustment::kHochberg:
        factor = count - rank + 1;
        break;
      case Adjustment::kBenjaminiHochberg:
        factor = count / rank;
        break;
      case Adjustment::kBenjaminiYekutieli:
        factor = harmonic * count / rank;
        break;
    }
    adjusted[order[i]] = std::min(1.0, factor * p[order[i]]);
  }
  // A step-down procedure stops at the first p it cannot reject, a step-up one at the last.
  if (adjustment == Adjustment::kHolm) {
    for (std::size_t i = 1; i < n; ++i) {
      adjusted[order[i]] = std::max(adjusted[order[i]], adjusted[order[i - 1]]);
    }
  } else if (adjustment != Adjustment::kBonferroni) {
    for (std::size_t i = n; i-- > 1;) {
      adjusted[order[i - 1]] = std::min(adjusted[order[i - 1]], adjusted[order[i]]);
    }
  }
  return adjusted;
}

}  // namespace duetbench::stats
