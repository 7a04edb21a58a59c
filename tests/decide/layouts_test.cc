#include "duetbench/decide/layouts.h"

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using ::testing::SizeIs;

const std::vector<int> kPairs = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4};

TEST(IndependentGroups, AreAntitheticPairs) {
  const std::vector<double> values = {0.5, -0.49, -0.3, 0.31, 0.7, -0.7, 0.1, -0.11, -0.6, 0.61};
  const std::vector<RunGroup> groups = IndependentGroups(values, kPairs);
  ASSERT_THAT(groups, SizeIs(5));
  EXPECT_THAT(groups[1], ElementsAre(2, 3));
  const std::vector<double> means = {0.005, 0.005, 0, -0.005, 0.005};
  EXPECT_THAT(GroupMeans(values, groups), Pointwise(DoubleNear(1e-12), means));
}

TEST(IndependentGroups, ArePairsThatAreMoreAlikeThanOthers) {
  const std::vector<double> values = {0.5, 0.51, -0.3, -0.29, 0.7, 0.7, 0.1, 0.11, -0.6, -0.61};
  EXPECT_THAT(IndependentGroups(values, kPairs), SizeIs(5));
}

TEST(IndependentGroups, AreRunsWhereLayoutsTellNothing) {
  const std::vector<double> values = {0.5, -0.3, 0.1, 0.4, -0.2, -0.5, 0.3, -0.1, 0.2, 0.6};
  EXPECT_THAT(IndependentGroups(values, kPairs), SizeIs(10));
  EXPECT_THAT(IndependentGroups({1, 1, 1, 1, 1, 1}, {0, 0, 1, 1, 2, 2}), SizeIs(6));
  EXPECT_THAT(IndependentGroups(values, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), SizeIs(10));
  EXPECT_THAT(IndependentGroups(values, std::vector<int>(10, 0)), SizeIs(10));
}

TEST(IndependentGroups, LackTheLayoutsThatLackARun) {
  const std::vector<double> values = {0.5, -0.5, -0.3, 0.31, 0.7, 0.1, -0.11, -0.6, 0.61};
  EXPECT_THAT(
      IndependentGroups(values, {0, 0, 1, 1, 2, 3, 3, 4, 4}),
      ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(5, 6), ElementsAre(7, 8)));
  EXPECT_THAT(IndependentGroups(values, {0, 0, 1, 1, 2, 3, 4, 5, 6}), SizeIs(9))
      << "most runs would be left out";
}

// Twelve pairs that cancel to a thousandth, in one of which a run was disturbed.
TEST(IndependentGroups, ArePairsThoughOneRunIsFarOff) {
  std::vector<double> values;
  std::vector<int> layouts;
  for (int layout = 0; layout < 12; ++layout) {
    values.push_back(0.01 * std::sin(layout) + 0.00001 * layout);
    values.push_back(-0.01 * std::sin(layout));
    layouts.insert(layouts.end(), 2, layout);
  }
  values[8] += 0.5;
  EXPECT_THAT(IndependentGroups(values, layouts), SizeIs(12));
}

TEST(IndependentGroups, AreTurnsOfThreeVariants) {
  const std::vector<double> values = {0.5, -0.3, -0.2, 0.1, 0.3, -0.41, -0.6, 0.2, 0.41};
  EXPECT_THAT(IndependentGroups(values, {0, 0, 0, 1, 1, 1, 2, 2, 2}), SizeIs(3));
}

std::vector<RunValue> RunsOfLayouts(double within) {
  std::vector<RunValue> runs(9);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    runs[run].log_ratio = 0.1 * static_cast<double>(run % 3);
    runs[run].variance = within;
    runs[run].layout = static_cast<int>(run);
  }
  return runs;
}

TEST(RatiosByAddress, AreKnownWherePairsDoNotExplainTheSpread) {
  const std::optional<RatioRange> range = RatiosByAddress(RunsOfLayouts(0.0001));
  ASSERT_TRUE(range.has_value());
  EXPECT_DOUBLE_EQ(range->lo, 1);
  EXPECT_DOUBLE_EQ(range->hi, std::exp(0.2));
  EXPECT_FALSE(RatiosByAddress(RunsOfLayouts(0.01)).has_value());
  EXPECT_FALSE(RatiosByAddress(RunsOfLayouts(std::nan(""))).has_value());
  std::vector<RunValue> linked = RunsOfLayouts(0.0001);
  for (RunValue& run : linked) run.layout = 0;
  EXPECT_FALSE(RatiosByAddress(linked).has_value());
}

}  // namespace
}  // namespace duetbench::stats
