#include "tools/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "absl/strings/str_cat.h"
#include "boost/math/distributions/normal.hpp"
#include "duetbench/platform/require.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMaxReplicates = 100000000;

double NormalQuantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::normal(), p);
}

double ResampledMean(absl::Span<const double> values, Random& random) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[random.Below(values.size())];
  return sum / static_cast<double>(values.size());
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

std::vector<double> MeanReplicates(absl::Span<const double> values, std::size_t count,
                                   Random& random) {
  std::vector<double> replicates(count);
  for (double& replicate : replicates) replicate = ResampledMean(values, random);
  return replicates;
}

std::vector<double> HierarchicalReplicates(absl::Span<const std::vector<double>> runs,
                                           absl::Span<const int> machine,
                                           const Resampling& resampling) {
  Require(!runs.empty(), "a hierarchical bootstrap needs a run");
  Require(machine.empty() || machine.size() == runs.size(), "each run has one machine");
  std::map<int, std::vector<std::size_t>> by_machine;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    by_machine[machine.empty() ? 0 : machine[r]].push_back(r);
  }
  std::vector<std::vector<std::size_t>> machines;
  for (auto& [number, positions] : by_machine) machines.push_back(std::move(positions));
  Random random(resampling.seed);
  std::vector<double> replicates(resampling.replicates);
  for (double& replicate : replicates) {
    double sum = 0;
    double count = 0;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      const std::vector<std::size_t>& drawn = machines[random.Below(machines.size())];
      for (std::size_t k = 0; k < drawn.size(); ++k) {
        sum += ResampledMean(runs[drawn[random.Below(drawn.size())]], random);
        ++count;
      }
    }
    replicate = sum / count;
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
  return sorted[low] +
         (NormalQuantile(p) - at_low) / (at_high - at_low) * (sorted[low + 1] - sorted[low]);
}

Ends PercentileEnds(std::vector<double> replicates, double level) {
  Require(level > 0 && level < 1, "the level of an interval lies between 0 and 1");
  std::sort(replicates.begin(), replicates.end());
  // (1 + level) / 2, not 1 - tail: the same rounding as boot.ci, which decides whether (n + 1) p
  // is a whole number.
  return {QuantileBootCi(replicates, (1 - level) / 2), QuantileBootCi(replicates, (1 + level) / 2)};
}

}  // namespace duetbench::stats
