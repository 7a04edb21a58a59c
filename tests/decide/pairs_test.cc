#include "duetbench/decide/pairs.h"

#include <cmath>
#include <limits>
#include <string>

#include "duetbench/platform/random.h"
#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::string Message(const RunPairs& run) { return std::string(CheckPairs(run).message()); }

TEST(CheckPairs, AcceptsPositiveFiniteTimes) {
  EXPECT_TRUE(CheckPairs({{1, 2, 0}, {1e-300, 1e-300, 1}}).ok());
}

TEST(CheckPairs, NamesTheFirstOffendingPair) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Message({}), "the run has no pairs");
  for (double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THAT(Message({{1, 1, 0}, {1, bad, 0}, {0, 0, 0}}),
                ::testing::StartsWith("pair 1: times"));
    EXPECT_THAT(Message({{bad, 1, 0}}), ::testing::StartsWith("pair 0: times"));
  }
  EXPECT_THAT(Message({{1e-300, 1e300, 0}}),
              ::testing::EndsWith("is out of the range of a double"));
  EXPECT_THAT(Message({{1e300, 1e-300, 0}}),
              ::testing::EndsWith("is out of the range of a double"));
  EXPECT_EQ(Message({{1, 1, 2}}), "pair 0: the assignment must be 0 or 1, got 2");
  EXPECT_EQ(Message({{1, 1, -1}}), "pair 0: the assignment must be 0 or 1, got -1");
}

TEST(Strata, AreTheAssignmentsThatThereAre) {
  EXPECT_THAT(Strata({{1, 1, 1}, {1, 1, 0}, {1, 1, 1}}),
              ElementsAre(ElementsAre(1), ElementsAre(0, 2)));
  EXPECT_THAT(Strata({{1, 1, 1}, {1, 1, 1}}), ElementsAre(ElementsAre(0, 1)));
}

TEST(LogRatios, AreThoseOfNewOverOld) {
  EXPECT_THAT(LogRatios({{100, 110, 0}, {4, 2, 1}}), ElementsAre(std::log(1.1), std::log(0.5)));
}

double LogRatio(const RunPairs& run) { return RunLogRatio(run).value(); }

// Log-ratios within +-1 % of `log_ratio`.
RunPairs MakeRun(std::size_t pairs, int assignment, double log_ratio, Random& random) {
  RunPairs run;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double old_time = 50 + 100 * random.Uniform();
    const double noise = 0.02 * random.Uniform() - 0.01;
    run.push_back({old_time, old_time * std::exp(log_ratio + noise), assignment});
  }
  return run;
}

RunPairs operator+(RunPairs a, const RunPairs& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(RunLogRatio, OfAConstantRatioIsThatRatio) {
  EXPECT_DOUBLE_EQ(LogRatio({{100, 110, 0}, {200, 220, 1}, {7, 7.7, 1}}), std::log(1.1));
  EXPECT_DOUBLE_EQ(LogRatio({{2, 1, 1}}), -std::log(2));
}

// CPU 1 is 2 % slower: it adds to new under assignment 0 and to old under assignment 1.
TEST(RunLogRatio, SideBiasCancelsEvenIfOneAssignmentHasMorePairs) {
  Random random(1);
  const RunPairs run = MakeRun(900, 0, 0.05 + 0.02, random) + MakeRun(100, 1, 0.05 - 0.02, random);
  EXPECT_NEAR(LogRatio(run), 0.05, 0.002);
}

TEST(RunLogRatio, SpikesDoNotMoveIt) {
  Random random(2);
  RunPairs run = MakeRun(100, 0, 0, random) + MakeRun(100, 1, 0, random);
  for (std::size_t i : {3u, 50u, 120u, 121u, 190u}) run[i].new_time *= 10;
  EXPECT_NEAR(LogRatio(run), 0, 0.002);
}

// A slow-down of 5 % of the iterations is in the tail; beyond the quarter that is trimmed it shows.
TEST(RunLogRatio, SlowdownInFewIterationsDoesNotShow) {
  Random random(3);
  const RunPairs few = MakeRun(950, 0, 0, random) + MakeRun(50, 0, std::log(2), random);
  EXPECT_NEAR(LogRatio(few), 0, 0.002);
  const RunPairs many = MakeRun(700, 0, 0, random) + MakeRun(300, 0, std::log(2), random);
  EXPECT_NEAR(LogRatio(many), 0.05 / 0.5 * std::log(2), 0.003);
}

TEST(RunLogRatio, ReportsBadPairs) {
  EXPECT_EQ(std::string(RunLogRatio({{1, 1, 0}, {0, 1, 0}}).status().message()),
            "pair 1: times must be positive and finite, got old 0 and new 1");
  EXPECT_EQ(RunLogRatio({}).status().code(), absl::StatusCode::kInvalidArgument);
}

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
  Random random(1);
  std::vector<double> estimates;
  double predicted = 0;
  const int runs = 4000;
  for (int r = 0; r < runs; ++r) {
    const RunPairs run = RandomRun(90, random);
    estimates.push_back(LogRatio(run));
    const std::vector<double> influence = InfluenceValues(run);
    EXPECT_NEAR(Mean(influence), 0, 1e-12);
    predicted += Variance(influence) / 90 / runs;
  }
  EXPECT_NEAR(predicted / Variance(estimates), 1, 0.1);
}

TEST(InfluenceValues, KeepTheOrderOfThePairs) {
  const RunPairs run = {{1, std::exp(1), 0}, {1, std::exp(5), 1}, {1, std::exp(3), 0}};
  // Each assignment about its own mean, times 3 / (2 * 2) and 3 / (2 * 1).
  EXPECT_THAT(InfluenceValues(run),
              ElementsAre(DoubleNear(-0.75, 1e-12), DoubleNear(0, 1e-12), DoubleNear(0.75, 1e-12)));
}

}  // namespace
}  // namespace duetbench::stats
