#include <vector>

#include "duetbench/experiment/suite_runs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Prospect Needs(double runs, double run_s = 1) {
  Prospect prospect;
  prospect.runs_to_decide = runs;
  prospect.runs_to_end = 2 * runs;
  prospect.run_s = run_s;
  return prospect;
}

TEST(BudgetWeights, FirstRunsGoFirst) {
  std::vector<Prospect> prospects = {Needs(3), Needs(3), Needs(3)};
  prospects[0].first_runs = 2;
  prospects[2].first_runs = 5;
  EXPECT_THAT(BudgetWeights(prospects, 100), ElementsAre(2, 0, 5));
}

TEST(BudgetWeights, FirstRunsThatTakeMoreThanTheirShareComeLast) {
  std::vector<Prospect> prospects = {Needs(3), Needs(3, 20), Needs(3)};
  for (Prospect& prospect : prospects) prospect.first_runs = 2;
  prospects[1].spent_s = 60;  // of 160
  EXPECT_THAT(BudgetWeights(prospects, 100), ElementsAre(2, 0, 2));
  prospects[0].first_runs = prospects[2].first_runs = 0;
  prospects[1].runs_to_decide = 1e5;
  EXPECT_THAT(BudgetWeights(prospects, 100), ElementsAre(6, 0, 6));
  prospects = {Needs(3), Needs(3, 90)};
  for (Prospect& prospect : prospects) prospect.first_runs = 2;
  EXPECT_THAT(BudgetWeights(prospects, 100), ElementsAre(2, 0)) << "the next one takes more";
  prospects = {prospects[1]};
  prospects[0].spent_s = 0;
  EXPECT_THAT(BudgetWeights(prospects, 100), ElementsAre(2));
}

TEST(BudgetWeights, TheSmallestNeedsThatTheTimeSufficesFor) {
  EXPECT_THAT(BudgetWeights({Needs(40), Needs(10), Needs(1e6), Needs(20)}, 100),
              ElementsAre(80, 20, 0, 40));
  EXPECT_THAT(BudgetWeights({Needs(40), Needs(10), Needs(1e6), Needs(20)}, 35),
              ElementsAre(0, 20, 0, 35))
      << "no weight above the time that is left";
}

TEST(BudgetWeights, NeedsAreTimes) {
  EXPECT_THAT(BudgetWeights({Needs(10, 10), Needs(20, 1)}, 50), ElementsAre(0, 40));
}

TEST(BudgetWeights, WhatAFinalAnalysisDecidesGoesOn) {
  EXPECT_THAT(BudgetWeights({Needs(0), Needs(20)}, 30), ElementsAre(1, 30));
}

TEST(BudgetWeights, WhereNothingCanBeDecidedAllGoOn) {
  EXPECT_THAT(BudgetWeights({Needs(1e5), Prospect{0, 1e9, 1e9, 1}}, 100), ElementsAre(1, 1));
  Prospect unknown;
  unknown.run_s = 1;
  EXPECT_THAT(BudgetWeights({unknown, unknown}, 100), ElementsAre(1, 1));
}

TEST(BudgetWeights, ARunThatWouldNotEndInTimeHasNoWeight) {
  EXPECT_THAT(BudgetWeights({Needs(1, 10), Needs(1, 2)}, 5), ElementsAre(0, 2));
  EXPECT_THAT(BudgetWeights({Needs(1, 10), Needs(1, 20)}, 5), Each(0));
  EXPECT_THAT(BudgetWeights({}, 5), IsEmpty());
}

}  // namespace
}  // namespace duetbench
