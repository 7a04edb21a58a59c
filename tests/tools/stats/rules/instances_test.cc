#include "tools/stats/rules/instances.h"

#include <cmath>
#include <map>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

Instances Numbered(std::size_t instances, std::size_t trials) {
  Instances all;
  for (std::size_t i = 0; i < instances; ++i) {
    auto& instance = all.times.emplace_back();
    for (std::size_t t = 0; t < trials; ++t) {
      instance.push_back({static_cast<double>(1 + i), static_cast<double>(1 + t)});
    }
  }
  return all;
}

TEST(Instances, AreTheMachinesOfASample) {
  const auto all = GroupByInstance({{{1}, {2}, {3, 4}}, {7, 5, 7}});
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(all->times, testing::ElementsAre(testing::ElementsAre(testing::ElementsAre(1),
                                                                    testing::ElementsAre(3, 4)),
                                               testing::ElementsAre(testing::ElementsAre(2))));
  EXPECT_EQ(all->Trials(), 1u);
  EXPECT_EQ(GroupByInstance({{{1}, {2}}, {}})->times.size(), 1u);
  EXPECT_FALSE(GroupByInstance({{}, {}}).ok());
}

TEST(Select, ByInstanceTakesDifferentInstances) {
  const Instances all = Numbered(6, 3);
  Random random(1);
  std::map<std::size_t, int> chosen;
  for (int k = 0; k < 1000; ++k) {
    const TestAndControl groups = Select(all, Sampling::kInstances, 2, 2, random);
    std::set<std::size_t> of_test;
    std::set<std::size_t> of_control;
    for (const TrialPlace& place : groups.test) of_test.insert(place.first);
    for (const TrialPlace& place : groups.control) of_control.insert(place.first);
    EXPECT_EQ(of_test.size(), 2u);
    EXPECT_EQ(of_control.size(), 2u);
    for (const std::size_t instance : of_test) {
      EXPECT_EQ(of_control.count(instance), 0u);
      ++chosen[instance];
    }
    const std::set<TrialPlace> trials(groups.test.begin(), groups.test.end());
    EXPECT_EQ(trials.size(), 4u);
  }
  // Each instance is in the test group with probability 1/3: 333 +- 5 standard deviations of 15.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(chosen[i], 333, 75) << i;
}

TEST(Select, ByTrialTakesTheSameInstancesAndDifferentTrials) {
  const Instances all = Numbered(5, 6);
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    const TestAndControl groups = Select(all, Sampling::kTrials, 3, 3, random);
    std::set<std::size_t> of_test;
    std::set<std::size_t> of_control;
    std::set<TrialPlace> trials(groups.test.begin(), groups.test.end());
    trials.insert(groups.control.begin(), groups.control.end());
    for (const TrialPlace& place : groups.test) of_test.insert(place.first);
    for (const TrialPlace& place : groups.control) of_control.insert(place.first);
    EXPECT_EQ(of_test, of_control);
    EXPECT_EQ(trials.size(), 18u);
  }
}

TEST(Select, KnowsWhatIsEnough) {
  const Instances all = Numbered(4, 4);
  EXPECT_TRUE(CanSelect(all, Sampling::kInstances, 2, 4));
  EXPECT_FALSE(CanSelect(all, Sampling::kInstances, 3, 1));
  EXPECT_FALSE(CanSelect(all, Sampling::kInstances, 2, 5));
  EXPECT_TRUE(CanSelect(all, Sampling::kTrials, 4, 2));
  EXPECT_FALSE(CanSelect(all, Sampling::kTrials, 4, 3));
  EXPECT_FALSE(CanSelect(all, Sampling::kTrials, 5, 1));
  EXPECT_FALSE(CanSelect(all, Sampling::kTrials, 0, 1));
}

TEST(Variability, TellsTheLevelsApart) {
  // Two instances with times around 100 and 300, no difference between trials, +-1 within.
  Instances all;
  for (const double center : {100.0, 300.0}) {
    all.times.push_back({{center - 1, center + 1}, {center - 1, center + 1}});
  }
  const Variability variability = MeasureVariability(all, 200, 1);
  EXPECT_NEAR(variability.total, std::sqrt(100.0 * 100 + 1) / 200, 1e-12);
  EXPECT_NEAR(variability.instances.mean, (0.01 + 1 / 300.0) / 2, 1e-12);
  EXPECT_NEAR(variability.trials.mean, (0.01 + 1 / 300.0) / 2, 1e-12);
  EXPECT_GT(variability.trials.deviation, 0);
  // Half of the resamples have one instance only, and so almost no variation.
  EXPECT_GT(variability.total_interval_width, 0.9);
}

}  // namespace
}  // namespace duetbench::stats
