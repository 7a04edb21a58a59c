#include "duetbench/stats/pair_selection.h"

#include <gtest/gtest.h>

#include <vector>

namespace duetbench::stats {
namespace {

TEST(PairSelection, LeavesOutDisturbedPairsAndPairsWithoutATime) {
  const std::vector<PairCounts> runs = {{100, 10}, {100, 0}};
  const PairSelection selection(runs);
  EXPECT_FALSE(selection.uses_disturbed());
  EXPECT_DOUBLE_EQ(selection.disturbed_share(), 0.05);
  EXPECT_TRUE(selection.Uses({true, false}));
  EXPECT_FALSE(selection.Uses({true, true}));
  EXPECT_FALSE(selection.Uses({false, false}));
}

TEST(PairSelection, UsesDisturbedPairsWhenTheyAreMoreThanHalf) {
  const std::vector<PairCounts> half = {{100, 50}, {100, 50}};
  EXPECT_FALSE(PairSelection(half).uses_disturbed());
  const std::vector<PairCounts> more = {{100, 51}, {100, 50}};
  EXPECT_TRUE(PairSelection(more).uses_disturbed());
  EXPECT_TRUE(PairSelection(more).Uses({true, true}));
  EXPECT_FALSE(PairSelection(more).Uses({false, true}));
}

TEST(PairSelection, UsesDisturbedPairsWhenOnlyOneRunHasOthers) {
  const std::vector<PairCounts> runs = {{1000, 0}, {10, 10}};
  EXPECT_TRUE(PairSelection(runs).uses_disturbed());
  const std::vector<PairCounts> single_run = {{10, 3}};
  EXPECT_FALSE(PairSelection(single_run).uses_disturbed());
}

TEST(PairSelection, CorrectedPairsCountInTotals) {
  const std::vector<PairCounts> runs = {{100, 10, 5}, {100, 0, 0}};
  const PairSelection selection(runs);
  EXPECT_FALSE(selection.Uses({true, true, true}));
  EXPECT_TRUE(selection.UsesInTotal({true, true, true}));
  EXPECT_FALSE(selection.UsesInTotal({true, true, false}));
  EXPECT_FALSE(selection.UsesInTotal({false, true, true}));
  EXPECT_FALSE(selection.is_biased());
}

TEST(PairSelection, WhereMostAreDisturbedTheCorrectedOnesSuffice) {
  const std::vector<PairCounts> runs = {{100, 80, 75}, {100, 80, 75}};
  const PairSelection selection(runs);
  EXPECT_TRUE(selection.uses_disturbed());
  EXPECT_FALSE(selection.is_biased());
  EXPECT_TRUE(selection.Uses({true, true, true}));
  EXPECT_FALSE(selection.Uses({true, true, false}));
  const std::vector<PairCounts> unknown = {{100, 80, 60}, {100, 80, 75}};
  EXPECT_TRUE(PairSelection(unknown).is_biased());
  EXPECT_TRUE(PairSelection(unknown).Uses({true, true, false}));
}

TEST(PairSelection, HasNothingToSelectFromNothing) {
  EXPECT_FALSE(PairSelection({}).uses_disturbed());
  const std::vector<PairCounts> untimed = {{0, 0}, {0, 0}};
  EXPECT_FALSE(PairSelection(untimed).uses_disturbed());
}

}  // namespace
}  // namespace duetbench::stats
