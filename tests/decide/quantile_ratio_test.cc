#include "duetbench/decide/quantile_ratio.h"

#include <cmath>
#include <cstddef>

#include "duetbench/platform/random.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Calls of 100 to 200; those of new take `ratio` times as long.
std::vector<RunPairs> UniformRuns(std::size_t count, std::size_t calls, double ratio) {
  Random random(7);
  std::vector<RunPairs> runs(count);
  for (RunPairs& run : runs) {
    for (std::size_t i = 0; i < calls; ++i) {
      run.push_back({100 + 100 * random.Uniform(), ratio * (100 + 100 * random.Uniform()),
                     static_cast<int>(i % 2)});
    }
  }
  return runs;
}

TEST(QuantileRatio, IsThatOfTheQuantiles) {
  for (const double quantile : {0.1, 0.5, 0.9}) {
    const QuantileRatio ratio =
        ComputeQuantileRatio(UniformRuns(20, 500, 1.3), quantile, 0.01, 0.99);
    ASSERT_TRUE(ratio.interval.has_value());
    EXPECT_LT(ratio.interval->lo, 1.3);
    EXPECT_GT(ratio.interval->hi, 1.3);
    EXPECT_NEAR(ratio.interval->ratio, 1.3, 0.02);
    EXPECT_EQ(ratio.interval->level, 0.99);
    EXPECT_NEAR(ratio.time[0], 100 + 100 * quantile, 3);
    EXPECT_NEAR(ratio.time[1], 1.3 * (100 + 100 * quantile), 4);
    EXPECT_EQ(ratio.calls, 10'000u);
    EXPECT_EQ(ratio.runs, 20);
  }
}

// 4 % of the calls of new are slow: p50 and p90 do not see them, p99 does.
TEST(QuantileRatio, SlowCallsAreInTheirQuantile) {
  std::vector<RunPairs> runs = UniformRuns(20, 1000, 1);
  Random random(1);
  for (RunPairs& run : runs) {
    for (Pair& pair : run) {
      if (random.Uniform() < 0.04) pair.new_time *= 10;
    }
  }
  EXPECT_LT(ComputeQuantileRatio(runs, 0.5, 0.01, 0.99).interval->hi, 1.1);
  EXPECT_LT(ComputeQuantileRatio(runs, 0.9, 0.01, 0.99).interval->hi, 1.1);
  EXPECT_GT(ComputeQuantileRatio(runs, 0.99, 0.01, 0.99).interval->lo, 7);
}

TEST(QuantileRatio, TooFewRunsHaveNoInterval) {
  const QuantileRatio seven = ComputeQuantileRatio(UniformRuns(7, 500, 1), 0.5, 0.01, 0.99);
  EXPECT_FALSE(seven.interval.has_value());
  EXPECT_EQ(seven.runs, 7);
  EXPECT_EQ(seven.runs_needed, 8) << "2 / 2^8 < 0.01";
  EXPECT_TRUE(ComputeQuantileRatio(UniformRuns(8, 500, 1), 0.5, 0.01, 0.99).interval.has_value());
  EXPECT_EQ(ComputeQuantileRatio({}, 0.5, 0.01, 0.99).runs, 0);
}

TEST(QuantileRatio, RunsWithFewCallsAreJoined) {
  const QuantileRatio ratio = ComputeQuantileRatio(UniformRuns(40, 25, 1), 0.9, 0.01, 0.99);
  EXPECT_GE(ratio.bundle_log_ratios.size(), 8u);
  EXPECT_LE(ratio.bundle_log_ratios.size(), 20u) << "of 50 calls and more";
  EXPECT_TRUE(ratio.interval.has_value());
  const QuantileRatio rare = ComputeQuantileRatio(UniformRuns(40, 25, 1), 0.99, 0.01, 0.99);
  EXPECT_FALSE(rare.interval.has_value());
  EXPECT_EQ(rare.calls, 1000u);
  EXPECT_GE(rare.calls_needed, 8 * 500u);
}

// The same number of slow calls, one by one or fifty at a time.
TEST(QuantileRatio, CallsThatAreSlowTogetherCountOnce) {
  const auto groups = [](std::size_t together) {
    std::vector<RunPairs> runs = UniformRuns(20, 1000, 1);
    Random random(5);
    for (RunPairs& run : runs) {
      for (std::size_t k = 0; k < 50 / together; ++k) {
        const std::size_t first = random.Below(1000 - together);
        for (std::size_t i = 0; i < together; ++i) {
          run[first + i].new_time = 2000 * (1 + random.Uniform());
        }
      }
    }
    return ComputeQuantileRatio(runs, 0.99, 0.01, 0.99).bundle_log_ratios.size();
  };
  EXPECT_GE(groups(1), 10u);
  EXPECT_LT(groups(50), 8u);
}

// It is the smallest alpha at which the interval lies above the limit.
TEST(QuantilePValue, AgreesWithTheInterval) {
  const std::vector<RunPairs> runs = UniformRuns(12, 200, 1.1);
  for (const double alpha : {0.3, 0.1, 0.03, 0.01, 0.003}) {
    const QuantileRatio ratio = ComputeQuantileRatio(runs, 0.5, alpha, 0.99);
    for (double limit = 1; limit < 1.2; limit += 0.005) {
      const double p = QuantilePValue(ratio.bundle_log_ratios, std::log(limit));
      EXPECT_EQ(ratio.interval->lo > limit, p <= alpha) << alpha << " " << limit;
    }
  }
  EXPECT_EQ(QuantilePValue({}, 0), 1);
}

}  // namespace
}  // namespace duetbench::stats
