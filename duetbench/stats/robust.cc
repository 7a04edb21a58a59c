#include "duetbench/stats/robust.h"

#include <algorithm>
#include <numeric>

namespace duetbench::stats {

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double TrimmedMean(std::vector<double> values, double fraction) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const auto drop = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(n));
  const auto first = values.begin() + drop;
  const auto last = values.end() - drop;
  if (drop > 0) {
    std::nth_element(values.begin(), first, values.end());
    std::nth_element(first, last - 1, values.end());
  }
  return std::accumulate(first, last, 0.0) / static_cast<double>(n - 2 * drop);
}

}  // namespace duetbench::stats
