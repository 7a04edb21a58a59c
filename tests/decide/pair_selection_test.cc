#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "duetbench/decide/select_pairs.h"

namespace duetbench::stats {
namespace {

PairCounts Counts(uint64_t timed, uint64_t disturbed, uint64_t corrected = 0) {
  PairCounts counts;
  counts.of[0] = {timed, disturbed, corrected};
  return counts;
}

TEST(PairSelection, LeavesOutDisturbedPairsAndPairsWithoutATime) {
  const std::vector<PairCounts> runs = {Counts(100, 10), Counts(100, 0)};
  const PairSelection selection(runs);
  EXPECT_FALSE(selection.uses_disturbed);
  EXPECT_DOUBLE_EQ(selection.disturbed_share, 0.05);
  EXPECT_TRUE(selection.Uses({true, false}));
  EXPECT_FALSE(selection.Uses({true, true}));
  EXPECT_FALSE(selection.Uses({false, false}));
}

TEST(PairSelection, UsesDisturbedPairsWhenTheyAreMoreThanHalf) {
  const std::vector<PairCounts> half = {Counts(100, 50), Counts(100, 50)};
  EXPECT_FALSE(PairSelection(half).uses_disturbed);
  const std::vector<PairCounts> more = {Counts(100, 51), Counts(100, 50)};
  EXPECT_TRUE(PairSelection(more).uses_disturbed);
  EXPECT_TRUE(PairSelection(more).Uses({true, true}));
  EXPECT_FALSE(PairSelection(more).Uses({false, true}));
}

TEST(PairSelection, UsesDisturbedPairsWhenOnlyOneRunHasOthers) {
  const std::vector<PairCounts> runs = {Counts(1000, 0), Counts(10, 10)};
  EXPECT_TRUE(PairSelection(runs).uses_disturbed);
  const std::vector<PairCounts> single_run = {Counts(10, 3)};
  EXPECT_FALSE(PairSelection(single_run).uses_disturbed);
}

TEST(PairSelection, CorrectedPairsCountInTotals) {
  const std::vector<PairCounts> runs = {Counts(100, 10, 5), Counts(100, 0, 0)};
  const PairSelection selection(runs);
  EXPECT_FALSE(selection.Uses({true, true, true}));
  EXPECT_TRUE(selection.UsesInTotal({true, true, true}));
  EXPECT_FALSE(selection.UsesInTotal({true, true, false}));
  EXPECT_FALSE(selection.UsesInTotal({false, true, true}));
  EXPECT_FALSE(selection.is_biased);
}

TEST(PairSelection, WhereMostAreDisturbedTheCorrectedOnesSuffice) {
  const std::vector<PairCounts> runs = {Counts(100, 80, 75), Counts(100, 80, 75)};
  const PairSelection selection(runs);
  EXPECT_TRUE(selection.uses_disturbed);
  EXPECT_FALSE(selection.is_biased);
  EXPECT_TRUE(selection.Uses({true, true, true}));
  EXPECT_FALSE(selection.Uses({true, true, false}));
  const std::vector<PairCounts> unknown = {Counts(100, 80, 60), Counts(100, 80, 75)};
  EXPECT_TRUE(PairSelection(unknown).is_biased);
  EXPECT_TRUE(PairSelection(unknown).Uses({true, true, false}));
}

TEST(PairSelection, HasNothingToSelectFromNothing) {
  EXPECT_FALSE(PairSelection({}).uses_disturbed);
  const std::vector<PairCounts> untimed = {Counts(0, 0), Counts(0, 0)};
  EXPECT_FALSE(PairSelection(untimed).uses_disturbed);
}

// Pairs of both assignments; all of the second one disturbed.
PairCounts OneSided() {
  PairCounts counts;
  counts.of[0] = {10, 0, 0};
  counts.of[1] = {10, 10, 0};
  return counts;
}

PairCounts Whole() {
  PairCounts counts;
  counts.of[0] = counts.of[1] = {10, 1, 0};
  return counts;
}

TEST(PairSelection, RunsThatLostAnAssignmentAreLeftOutWhereMostAreWhole) {
  const PairSelection few({Whole(), Whole(), Whole(), OneSided()});
  EXPECT_EQ(few.one_sided_runs, 1);
  EXPECT_FALSE(few.uses_one_sided);
  EXPECT_TRUE(few.LeavesOut(3));
  EXPECT_FALSE(few.LeavesOut(0));
  const PairSelection many({Whole(), Whole(), OneSided()});
  EXPECT_TRUE(many.uses_one_sided);
  EXPECT_FALSE(many.LeavesOut(2));
  EXPECT_FALSE(PairSelection({Whole(), Whole(), Whole(), Counts(10, 0)}).LeavesOut(3))
      << "it never had pairs of the other assignment";
}

TEST(PairSelection, MayBeToldToKeepDisturbedPairs) {
  const PairSelection selection({Whole(), Whole(), Whole(), OneSided()}, true);
  EXPECT_TRUE(selection.uses_disturbed);
  EXPECT_TRUE(selection.Uses({true, true, false}));
  EXPECT_EQ(selection.one_sided_runs, 0);
  EXPECT_FALSE(selection.is_biased) << "the user wants them";
  EXPECT_FALSE(PairSelection({Counts(10, 0)}, true).uses_disturbed) << "there are none";
}

}  // namespace
}  // namespace duetbench::stats
