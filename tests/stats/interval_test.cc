#include "duetbench/stats/interval.h"

#include <cmath>
#include <string>

#include "duetbench/stats/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Estimator kEwcEstimators[] = {Estimator::kTrimmed, Estimator::kGeomean,
                                        Estimator::kMedian};

// AR(1) noise, uniform innovations of variance 1e-4 (1 - phi^2).
RunPairs Series(std::size_t pairs, double phi, std::uint64_t seed) {
  Random random(seed);
  RunPairs run;
  double noise = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    noise = phi * noise + 0.01 * std::sqrt(12 * (1 - phi * phi)) * (random.Uniform() - 0.5);
    run.push_back({1, std::exp(noise), static_cast<int>(i / 10 % 2)});
  }
  return run;
}

double Width(const RunPairs& run, Estimator estimator) {
  const RatioInterval interval = EwcInterval(run, estimator, 0.95).value();
  return std::log(interval.hi / interval.lo);
}

TEST(EwcInterval, OfIndependentPairsIsTheUsualOne) {
  for (std::size_t pairs : {4000u, 200000u}) {  // the second one is condensed
    const double expected = 2 * 1.96 * 0.01 / std::sqrt(static_cast<double>(pairs));
    const RunPairs run = Series(pairs, 0, pairs);
    EXPECT_NEAR(Width(run, Estimator::kGeomean) / expected, 1, 0.2) << pairs;
    // Trimmed mean and median of uniform noise: asymptotic variances 2 and 3 times the mean's.
    EXPECT_NEAR(Width(run, Estimator::kTrimmed) / expected / std::sqrt(2), 1, 0.2) << pairs;
    EXPECT_NEAR(Width(run, Estimator::kMedian) / expected / std::sqrt(3), 1, 0.2) << pairs;
  }
}

TEST(EwcInterval, GrowsWithTheCorrelationOfNeighbours) {
  for (Estimator estimator : kEwcEstimators) {
    const double independent = Width(Series(2000, 0, 3), estimator);
    const double correlated = Width(Series(2000, 0.6, 3), estimator);
    // sqrt((1 + phi) / (1 - phi)) = 2 for the mean; less for the others, whose influence values are
    // less correlated, and as the noise is no longer uniform.
    EXPECT_GT(correlated, (estimator == Estimator::kGeomean ? 1.5 : 1.1) * independent);
    EXPECT_LT(correlated, 2.5 * independent);
  }
}

// The levels of the strata are estimated: without what that removes the interval would be too
// narrow.
TEST(EwcInterval, CoversWhereTheLevelsOfRoundsDiffer) {
  int covered = 0;
  const int experiments = 2000;
  for (int k = 0; k < experiments; ++k) {
    RunPairs run = Series(30, 0, 100 + static_cast<unsigned>(k));
    for (std::size_t i = 0; i < run.size(); ++i) {
      run[i].round = i < 15 ? 0 : 1;
      run[i].new_time *= run[i].round == 0 ? 1.2 : 1 / 1.2;
    }
    const RatioInterval interval = EwcInterval(run, Estimator::kTrimmed, 0.95).value();
    covered += interval.lo <= 1 && interval.hi >= 1 ? 1 : 0;
  }
  EXPECT_GT(covered, 0.92 * experiments);
  EXPECT_LT(covered, 0.98 * experiments);
}

TEST(EwcInterval, NeedsMorePairsThanStrata) {
  const RunPairs run = {{1, 1, 0, 0}, {1, 2, 1, 0}, {1, 1, 0, 1}, {1, 2, 1, 1}};
  EXPECT_THAT(std::string(EwcInterval(run, Estimator::kTrimmed, 0.95).status().message()),
              HasSubstr("at least 5 pairs, got 4"));
  EXPECT_TRUE(EwcInterval(run, Estimator::kGeomean, 0.95).ok());
}

TEST(EwcInterval, SideBiasDoesNotWidenTheEstimatorsThatBalanceIt) {
  RunPairs run = Series(1000, 0, 4);
  const double trimmed = Width(run, Estimator::kTrimmed);
  const double median = Width(run, Estimator::kMedian);
  for (Pair& pair : run) pair.new_time *= pair.assignment == 0 ? 1.05 : 0.95;
  EXPECT_NEAR(Width(run, Estimator::kTrimmed), trimmed, 1e-9);
  EXPECT_NEAR(Width(run, Estimator::kMedian), median, 1e-9);
}

TEST(EwcInterval, AlwaysSaysThatItIsOfOneProcess) {
  const std::string weak = EwcInterval(Series(500, 0.3, 5), Estimator::kTrimmed, 0.99)->warning;
  EXPECT_THAT(weak, HasSubstr("this process only"));
  EXPECT_THAT(weak, Not(HasSubstr("too narrow")));
  const std::string strong = EwcInterval(Series(500, 0.9, 5), Estimator::kTrimmed, 0.99)->warning;
  EXPECT_THAT(strong, HasSubstr("this process only"));
  EXPECT_THAT(strong, HasSubstr("too narrow: neighboring pairs are strongly correlated"));
}

TEST(EwcInterval, NeedsThreePairs) {
  for (Estimator estimator : kEwcEstimators) {
    const RatioInterval least = EwcInterval(Series(3, 0, 6), estimator, 0.95).value();
    EXPECT_TRUE(std::isfinite(least.hi));
    EXPECT_THAT(std::string(EwcInterval(Series(2, 0, 6), estimator, 0.95).status().message()),
                HasSubstr("at least 3 pairs, got 2"));
  }
}

}  // namespace
}  // namespace duetbench::stats
