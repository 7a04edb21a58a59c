#include "duetbench/stats/variance_components.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {

VarianceComponents BalancedVarianceComponents(absl::Span<const double> data,
                                              absl::Span<const std::size_t> repetitions) {
  std::size_t size = 1;
  for (const std::size_t count : repetitions) {
    Require(count >= 2, "BalancedVarianceComponents: a level with fewer than two repetitions");
    size *= count;
  }
  Require(!repetitions.empty() && size == data.size(),
          "BalancedVarianceComponents: the data is not the product of the repetitions");

  VarianceComponents components;
  components.mean = Mean(data);
  std::vector<double> means(data.begin(), data.end());
  for (std::size_t level = repetitions.size(); level-- > 0;) {
    const std::size_t count = repetitions[level];
    std::vector<double> group_means;
    double variances = 0;
    for (std::size_t begin = 0; begin < means.size(); begin += count) {
      const absl::Span<const double> group = absl::MakeConstSpan(means).subspan(begin, count);
      variances += Variance(group);
      group_means.push_back(Mean(group));
    }
    const double s2 = variances / static_cast<double>(group_means.size());
    double t2 = s2;
    if (!components.s2.empty()) {
      t2 -= components.s2.back() / static_cast<double>(repetitions[level + 1]);
    }
    components.s2.push_back(s2);
    components.t2.push_back(t2);
    means = std::move(group_means);
  }
  return components;
}

VarianceComponents RunVarianceComponents(absl::Span<const std::vector<double>> runs) {
  Require(runs.size() >= 2, "RunVarianceComponents: fewer than two runs");
  std::vector<double> means;
  double squares = 0;
  double degrees_of_freedom = 0;
  double reciprocals = 0;
  for (const std::vector<double>& run : runs) {
    Require(!run.empty(), "RunVarianceComponents: an empty run");
    const auto n = static_cast<double>(run.size());
    means.push_back(Mean(run));
    if (run.size() >= 2) squares += (n - 1) * Variance(run);
    degrees_of_freedom += n - 1;
    reciprocals += 1 / n;
  }
  Require(degrees_of_freedom > 0, "RunVarianceComponents: every run has a single value");
  const double s1 = squares / degrees_of_freedom;
  const double s2 = Variance(means);
  return {Mean(means), {s1, s2}, {s1, s2 - s1 * reciprocals / static_cast<double>(runs.size())}};
}

double IntraclassCorrelation(const VarianceComponents& components) {
  Require(components.t2.size() == 2, "IntraclassCorrelation: needs two levels");
  const double within = components.t2[0];
  const double between = std::max(0.0, components.t2[1]);
  return within + between > 0 ? between / (within + between) : 0.0;
}

std::vector<double> OptimalRepetitions(absl::Span<const double> t2,
                                       absl::Span<const double> costs) {
  Require(t2.size() >= 2 && t2.size() == costs.size(),
          "OptimalRepetitions: needs one cost for each of at least two levels");
  std::vector<double> repetitions;
  for (std::size_t i = 0; i + 1 < t2.size(); ++i) {
    Require(costs[i] > 0 && costs[i + 1] >= 0, "OptimalRepetitions: a cost is not positive");
    if (t2[i] <= 0) {
      repetitions.push_back(0.0);
    } else if (t2[i + 1] <= 0) {
      repetitions.push_back(std::numeric_limits<double>::infinity());
    } else {
      repetitions.push_back(std::sqrt(costs[i + 1] / costs[i] * t2[i] / t2[i + 1]));
    }
  }
  return repetitions;
}

double BestIterations(const VarianceComponents& components, double run_cost,
                      double iteration_cost) {
  return OptimalRepetitions(components.t2, {iteration_cost, run_cost}).front();
}

}  // namespace duetbench::stats
