#include "duetbench/decide/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "duetbench/decide/distributions.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

std::vector<double> Centered(absl::Span<const double> x) {
  const double mean = Mean(x);
  std::vector<double> centered(x.begin(), x.end());
  for (double& value : centered) value -= mean;
  return centered;
}

}  // namespace

double Lag1(absl::Span<const double> x) {
  Require(x.size() >= 2, "Lag1: fewer than two values");
  // Compared, as the mean of equal values may be off by a rounding.
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) return 0;
  const std::vector<double> d = Centered(x);
  const double squares = std::inner_product(d.begin(), d.end(), d.begin(), 0.0);
  return std::inner_product(d.begin(), d.end() - 1, d.begin() + 1, 0.0) / squares;
}

std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count) {
  Require(count >= 1 && count <= x.size(), "BatchMeans: needs at least one value in each batch");
  const std::size_t size = x.size() / count;
  std::vector<double> means;
  means.reserve(count);
  for (std::size_t batch = 0; batch < count; ++batch) {
    means.push_back(Mean(x.subspan(batch * size, size)));
  }
  return means;
}

}  // namespace duetbench::stats
