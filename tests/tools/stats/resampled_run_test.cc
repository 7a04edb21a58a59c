#include <algorithm>
#include <cmath>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gtest/gtest.h"
#include "tools/stats/hierarchical_interval.h"
#include "tools/stats/method_names.h"
#include "tools/stats/random_indices.h"

namespace duetbench::stats {
namespace {

RunPairs RunOf(std::size_t pairs, bool ties, Random& random) {
  RunPairs run;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double u = random.Uniform();
    run.push_back({1, std::exp(ties ? std::round(3 * u) : u), static_cast<int>(i % 3 == 0)});
  }
  return run;
}

// The computation of the class, with a copy of the values drawn in place of counts.
double Straightforward(const RunPairs& run, Estimator estimator, Random& random) {
  std::vector<std::vector<double>> strata(2);
  for (const Pair& pair : run) {
    const int stratum = estimator == Estimator::kGeomean ? 0 : pair.assignment;
    strata[static_cast<std::size_t>(stratum)].push_back(std::log(pair.new_time));
  }
  double sum = 0;
  int count = 0;
  for (std::vector<double>& values : strata) {
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    std::vector<double> drawn;
    VisitIndices(random, values.size(), values.size(),
                 [&](std::size_t i) { drawn.push_back(values[i]); });
    switch (estimator) {
      case Estimator::kGeomean:
        sum += Mean(drawn);
        break;
      case Estimator::kTrimmed:
        sum += TrimmedMean(drawn, kTrimFraction);
        break;
      case Estimator::kMedian:
        sum += Median(drawn);
        break;
    }
    ++count;
  }
  return sum / count;
}

TEST(ResampledRun, IsTheEstimateOfTheValuesDrawn) {
  Random make(1);
  for (std::size_t pairs : {1u, 2u, 9u, 30u, 31u, 200u}) {
    for (bool ties : {false, true}) {
      const RunPairs run = RunOf(pairs, ties, make);
      for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean, Estimator::kMedian}) {
        ResampledRun resampled(run, estimator);
        Random random(pairs);
        Random same(pairs);
        for (int draw = 0; draw < 50; ++draw) {
          EXPECT_NEAR(resampled.Draw(random), Straightforward(run, estimator, same), 1e-13)
              << EstimatorName(estimator) << " of " << pairs;
        }
      }
    }
  }
}

TEST(ResampledRun, OfValuesIsTheirMean) {
  const std::vector<double> values = {1, 2, 3, 4, 10};
  ResampledRun resampled(values);
  Random random(2);
  double sum = 0;
  double squares = 0;
  const int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double mean = resampled.Draw(random);
    sum += mean;
    squares += (mean - 4) * (mean - 4);
  }
  EXPECT_NEAR(sum / draws, 4, 0.02);
  EXPECT_NEAR(squares / draws, 10.0 / 5, 0.05);  // population variance over n
}

}  // namespace
}  // namespace duetbench::stats
