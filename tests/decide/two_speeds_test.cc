#include "duetbench/decide/two_speeds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Old takes 170 in most parts of the runs and 350 in the others; new takes 174 and 259.
struct Machine {
  double slow_share = 0.4;  // of the parts
  double slow_old = 350;
  double slow_new = 259;
  double rare_slow = 0;  // probability of a call of new that takes five times as long

  std::vector<RunPairs> Measure(int runs = 12) const {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 0.004);
    std::bernoulli_distribution is_slow(slow_share);
    std::bernoulli_distribution is_rare(rare_slow);
    std::vector<RunPairs> all;
    for (int r = 0; r < runs; ++r) {
      RunPairs run;
      for (int part = 0; part < 10; ++part) {
        const bool slow = is_slow(random);
        for (int i = 0; i < 20; ++i) {
          const double old_time = (slow ? slow_old : 170) * std::exp(noise(random));
          const double new_time =
              (slow ? slow_new : 174) * std::exp(noise(random)) * (is_rare(random) ? 5 : 1);
          run.push_back({old_time, new_time, i % 2});
        }
      }
      all.push_back(run);
    }
    return all;
  }
};

TEST(TwoSpeeds, AreFoundWithTheRatioAtEach) {
  const std::optional<TwoSpeeds> found = FindTwoSpeeds(Machine().Measure(), 0.002);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->variant, 0);
  EXPECT_NEAR(found->time[0], 170, 1);
  EXPECT_NEAR(found->time[1], 350, 2);
  EXPECT_NEAR(found->ratio[0], 1.0235, 0.002);
  EXPECT_NEAR(found->ratio[1], 0.74, 0.002);
  EXPECT_NEAR(found->share[1], 0.4, 0.15);
  EXPECT_NEAR(found->share[0] + found->share[1], 1, 1e-12);
}

TEST(TwoSpeeds, AreNoneWhereBothVariantsChangeTogether) {
  Machine clock_rate;
  clock_rate.slow_new = 174.0 * 350 / 170;
  EXPECT_FALSE(FindTwoSpeeds(clock_rate.Measure(), 0.002).has_value());
}

TEST(TwoSpeeds, AreNoSlowCalls) {
  Machine slow_calls;
  slow_calls.slow_share = 0;
  for (const double probability : {0.0, 0.01, 0.1, 0.2}) {
    slow_calls.rare_slow = probability;
    EXPECT_FALSE(FindTwoSpeeds(slow_calls.Measure(), 0.002).has_value()) << probability;
  }
}

// One speed for each run: 170 or 350.
std::vector<RunPairs> WithSpeeds(const std::vector<bool>& slow_runs) {
  std::vector<RunPairs> runs;
  for (std::size_t r = 0; r < slow_runs.size(); ++r) {
    Machine machine;
    machine.slow_share = slow_runs[r] ? 1 : 0;
    runs.push_back(machine.Measure(1)[0]);
  }
  return runs;
}

TEST(TwoSpeeds, OfARunAreThoseOfItsLayout) {
  const bool f = false;
  const bool s = true;
  EXPECT_FALSE(FindTwoSpeeds(WithSpeeds({f, s, f, s, f, s, f, s, f, s, f, s}), 0.002).has_value());
  EXPECT_FALSE(FindTwoSpeeds(WithSpeeds({f, f, f, f, f, f, s, s, s, s, s, s}), 0.002).has_value());
}

// Each run takes another time, as its layout is another one, and changes between two speeds.
TEST(TwoSpeeds, AreFoundInRunsOfManyLayouts) {
  std::vector<RunPairs> runs = Machine().Measure();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const double layout = std::exp(0.3 * std::sin(static_cast<double>(r)));
    for (Pair& pair : runs[r]) pair.old_time *= layout;
  }
  const std::optional<TwoSpeeds> found = FindTwoSpeeds(runs, 0.002);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->variant, 0);
  EXPECT_NEAR(found->share[1], 0.4, 0.15);
}

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(FindClusters, TwoClusters) {
  const auto clusters = FindClusters({1.00, 3.01, 1.01, 0.99, 3.00, 1.02, 2.99, 1.00});
  ASSERT_THAT(clusters, SizeIs(2));
  EXPECT_EQ(clusters[0].size, 5u);
  EXPECT_EQ(clusters[1].size, 3u);
  EXPECT_NEAR(clusters[0].center, 1.004, 1e-12);
  EXPECT_NEAR(clusters[1].center, 3.0, 1e-12);
}

TEST(FindClusters, OneOrTwoOutliersAreNoCluster) {
  EXPECT_THAT(FindClusters({1, 1.01, 0.99, 1, 1.02, 0.98, 1, 50}), SizeIs(1));
  EXPECT_THAT(FindClusters({1, 1.01, 0.99, 1, 1.02, 0.98, 50, 50}), SizeIs(1));
}

TEST(FindClusters, FewOrEqualValues) {
  EXPECT_THAT(FindClusters({}), IsEmpty());
  EXPECT_THAT(FindClusters({1, 1, 1, 9, 9}), SizeIs(1));
  EXPECT_THAT(FindClusters(std::vector<double>(20, 0.7)), SizeIs(1));
  EXPECT_THAT(FindClusters({1, 1, 1, 9, 9, 9}), SizeIs(2));
}

TEST(FindClusters, DoesNotDependOnOrderScaleAndLocation) {
  std::vector<double> values = {5, 5.1, 5.2, 4.9, 9, 9.1, 9.2, 9.1};
  const auto clusters = FindClusters(values);
  ASSERT_THAT(clusters, SizeIs(2));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = -2 * value + 7;
  const auto other = FindClusters(values);
  ASSERT_THAT(other, SizeIs(2));
  EXPECT_NEAR(other[0].center, -2 * clusters[1].center + 7, 1e-12);
  EXPECT_EQ(other[0].size, clusters[1].size);
}

// The header's promise: at most 0.5 % of samples without clusters are split.
TEST(FindClusters, SeldomSplitsWhatHasNoClusters) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> exponential;
  std::student_t_distribution<double> heavy(2);
  const std::vector<std::function<double()>> families = {
      [&] { return normal(engine); },
      [&] { return uniform(engine); },
      [&] { return exponential(engine); },
      [&] { return heavy(engine); },
      [&] { return std::exp(normal(engine)); },
      [&] { return (uniform(engine) < 0.1 ? 10 : 1) * normal(engine); },
  };
  constexpr int kTrials = 4000;
  for (std::size_t family = 0; family < families.size(); ++family) {
    for (const std::size_t n : {6u, 10u, 20u, 40u}) {
      int split = 0;
      std::vector<double> values(n);
      for (int trial = 0; trial < kTrials; ++trial) {
        for (double& value : values) value = families[family]();
        if (FindClusters(values).size() > 1) ++split;
      }
      EXPECT_LE(split, 0.005 * kTrials + 14) << "family " << family << ", n = " << n;  // 3 sd
    }
  }
}

}  // namespace

}  // namespace duetbench::stats
