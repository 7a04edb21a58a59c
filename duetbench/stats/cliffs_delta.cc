#include "duetbench/stats/cliffs_delta.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "duetbench/stats/require.h"

namespace duetbench::stats {

absl::string_view MagnitudeName(Magnitude magnitude) {
  switch (magnitude) {
    case Magnitude::kSmall:
      return "small";
    case Magnitude::kMedium:
      return "medium";
    case Magnitude::kLarge:
      return "large";
    case Magnitude::kNegligible:
      break;
  }
  return "negligible";
}

Magnitude MagnitudeOf(double delta) {
  const double size = std::fabs(delta);
  if (size < 0.147) return Magnitude::kNegligible;
  if (size < 0.33) return Magnitude::kSmall;
  if (size < 0.474) return Magnitude::kMedium;
  return Magnitude::kLarge;
}

double CliffsDelta(absl::Span<const double> x, absl::Span<const double> y) {
  Require(!x.empty() && !y.empty(), "CliffsDelta: a sample is empty");
  std::vector<double> a(x.begin(), x.end());
  std::vector<double> b(y.begin(), y.end());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  // For ascending x both counts only grow, so one walk over y serves all of them.
  double sum = 0;
  std::size_t below = 0;
  std::size_t not_above = 0;
  for (const double value : a) {
    while (below < b.size() && b[below] < value) ++below;
    while (not_above < b.size() && b[not_above] <= value) ++not_above;
    const auto above = b.size() - not_above;
    sum += static_cast<double>(below) - static_cast<double>(above);
  }
  return sum / static_cast<double>(a.size()) / static_cast<double>(b.size());
}

}  // namespace duetbench::stats
