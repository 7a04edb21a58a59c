#include "duetbench/stats/influence.h"

#include <cmath>
#include <vector>

#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

RunPairs RandomRun(std::size_t pairs, Random& random) {
  RunPairs run;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double noise = random.Uniform() + random.Uniform() * random.Uniform();
    run.push_back({1, std::exp(noise), static_cast<int>(i % 3 == 0)});
  }
  return run;
}

// The variance of the influence values over n is that of the estimate, here from many runs.
TEST(InfluenceValues, GiveTheVarianceOfTheEstimate) {
  for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean, Estimator::kMedian}) {
    Random random(1);
    std::vector<double> estimates;
    double predicted = 0;
    const int runs = 4000;
    for (int r = 0; r < runs; ++r) {
      const RunPairs run = RandomRun(90, random);
      estimates.push_back(RunLogRatio(run, estimator).value());
      const std::vector<double> influence = InfluenceValues(run, estimator);
      EXPECT_NEAR(Mean(influence), 0, 1e-12);
      predicted += Variance(influence) / 90 / runs;
    }
    // The density at the median is smoothed, so its variance is overestimated on short runs.
    EXPECT_NEAR(predicted / Variance(estimates), 1, estimator == Estimator::kMedian ? 0.25 : 0.1)
        << EstimatorName(estimator);
  }
}

TEST(InfluenceValues, KeepTheOrderOfThePairs) {
  const RunPairs run = {{1, std::exp(1), 0}, {1, std::exp(5), 1}, {1, std::exp(3), 0}};
  EXPECT_THAT(InfluenceValues(run, Estimator::kGeomean),
              ElementsAre(DoubleNear(-2, 1e-12), DoubleNear(2, 1e-12), DoubleNear(0, 1e-12)));
  // Each assignment about its own mean, times 3 / (2 * 2) and 3 / (2 * 1).
  EXPECT_THAT(InfluenceValues(run, Estimator::kTrimmed),
              ElementsAre(DoubleNear(-0.75, 1e-12), DoubleNear(0, 1e-12), DoubleNear(0.75, 1e-12)));
}

TEST(InfluenceValues, OfATrimmedMeanAreBounded) {
  Random random(2);
  RunPairs run = RandomRun(100, random);
  const std::vector<double> before = InfluenceValues(run, Estimator::kTrimmed);
  run[7].new_time *= 1000;
  const std::vector<double> after = InfluenceValues(run, Estimator::kTrimmed);
  EXPECT_LT(std::abs(after[7] - before[7]), 2);
}

}  // namespace
}  // namespace duetbench::stats
