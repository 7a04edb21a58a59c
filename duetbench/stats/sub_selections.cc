#include "duetbench/stats/sub_selections.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {

double AverageOf(absl::Span<const double> values, Average average) {
  Require(!values.empty(), "AverageOf: no values");
  if (average == Average::kArithmetic) return Mean(values);
  double sum = 0;
  for (const double value : values) {
    Require(value > 0, "AverageOf: a harmonic average needs positive values");
    sum += 1 / value;
  }
  return static_cast<double>(values.size()) / sum;
}

double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random,
                          int selections, double share) {
  Require(!values.empty() && selections >= 1 && share > 0 && share <= 1,
          "SubSelectionMedian: needs values, a selection and a share in (0, 1]");
  const auto n = values.size();
  // The summand keeps 0.8 * 10 from falling below 8.
  const auto chosen = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::floor(share * static_cast<double>(n) + 1e-9)));
  std::vector<double> deck(values.begin(), values.end());
  std::vector<double> averages;
  averages.reserve(static_cast<std::size_t>(selections));
  for (int selection = 0; selection < selections; ++selection) {
    // The first `chosen` places of a random order; the deck need not be put back in order.
    for (std::size_t i = 0; i < chosen; ++i) {
      std::swap(deck[i], deck[i + static_cast<std::size_t>(random.Below(n - i))]);
    }
    averages.push_back(AverageOf(absl::MakeConstSpan(deck).first(chosen), average));
  }
  return Median(std::move(averages));
}

double SubSelectionAverage(absl::Span<const std::vector<double>> runs, Average average,
                           Random& random) {
  Require(!runs.empty(), "SubSelectionAverage: no runs");
  double sum = 0;
  for (const std::vector<double>& run : runs) sum += SubSelectionMedian(run, average, random);
  return sum / static_cast<double>(runs.size());
}

}  // namespace duetbench::stats
