#include "duetbench/decide/run_value.h"

#include <cmath>
#include <random>

#include "duetbench/decide/decision.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using ::testing::SizeIs;

constexpr double kLog105 = 0.04879016416943205;

// Runs of a ratio of 1.05 on a core at one speed, 1.5 us of the probe.
std::vector<RunValue> QuietRuns(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<RunValue> runs(count);
  for (RunValue& run : runs) {
    run.log_ratio = kLog105 + 0.005 * normal(random);
    run.pairs = 100;
    for (double& probe : run.log_probe) probe = std::log(1500);
  }
  return runs;
}

double HalfWidth(const Decision& decision) {
  return std::log(decision.interval.hi / decision.interval.lo) / 2;
}

// Pairs with these times of the probe before old; before new it takes twice as long on any core.
RunPairs PairsWithProbes(const std::vector<float>& probes) {
  RunPairs run;
  for (const float probe : probes) run.push_back({1, 3, 0, {probe, 2000}});
  return run;
}

TEST(QuietPairs, LacksThoseThatBeganOrEndedOnASlowCore) {
  RunPairs run = PairsWithProbes({1000, 1000, 1900, 1050, 1000, 1000, 1000, 1000, 1000, 1000});
  EXPECT_THAT(QuietPairs(run), ElementsAre(0, 3, 4, 5, 6, 7, 8, 9));
  run[7].probe_ns[1] = 2500;
  EXPECT_THAT(QuietPairs(run), ElementsAre(0, 3, 4, 5, 8, 9)) << "new counts as well";
}

TEST(QuietPairs, ComparesEachVariantWithItselfInTheSameRun) {
  EXPECT_THAT(QuietPairs(PairsWithProbes({1500, 1500, 1500})), ElementsAre(0, 1, 2))
      << "a variant may lower the clock rate";
}

TEST(QuietPairs, AreAllWhereFewWouldBeLeft) {
  const RunPairs run =
      PairsWithProbes({1000, 1000, 1800, 1900, 1700, 1800, 1900, 1800, 1700, 1800});
  EXPECT_EQ(QuietPairs(run).size(), run.size());
}

TEST(QuietPairs, AreAllWithoutAProbe) {
  RunPairs run = PairsWithProbes({1000, 1000, 1900, 1000, 1000, 1000});
  run[5].probe_ns[0] = 0;
  EXPECT_EQ(QuietPairs(run).size(), run.size());
  EXPECT_TRUE(QuietPairs({}).empty());
}

TEST(PairsAt, KeepsTheirOrder) {
  const RunPairs pairs = PairsAt({{1, 2, 0}, {3, 4, 0}, {5, 6, 0}}, {0, 2});
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].old_time, 1);
  EXPECT_EQ(pairs[1].old_time, 5);
}

TEST(LogProbe, IsThatOfTheTypicalSample) {
  const RunPairs run = {{1, 3, 0, {1500, 1600}},
                        {1, 3, 1, {1500, 1600}},
                        {1, 3, 1, {1500, 1600}},
                        {1, 3, 0, {1500, 1e6}}};
  EXPECT_DOUBLE_EQ(LogProbe(run, 0), std::log(1500));
  EXPECT_DOUBLE_EQ(LogProbe(run, 1), std::log(1600));
}

TEST(LogProbe, IsUnknownWhereAPairHasNone) {
  const RunPairs run = {{1, 3, 0, {1500, 1600}}, {1, 3, 1}};
  EXPECT_TRUE(std::isnan(LogProbe(run, 0)));
}

// In three of 30 runs another guest is on the core while new executes, or all the time.
std::vector<RunValue> RunsWithAGuest() {
  std::vector<RunValue> runs = QuietRuns(30);
  for (const std::size_t run : {4, 20, 21}) {
    runs[run].log_probe[1] += 0.3;
    runs[run].log_ratio += 0.5;
  }
  runs[20].log_probe[0] += 0.3;
  return runs;
}

TEST(LeaveOutSlowCore, LeavesOutRunsInWhichSomebodyElseWasOnTheCore) {
  std::vector<RunValue> runs = RunsWithAGuest();
  EXPECT_EQ(LeaveOutSlowCore(&runs), 3u);
  EXPECT_EQ(runs.size(), 27u);
  for (const RunValue& run : runs) EXPECT_NEAR(run.log_ratio, kLog105, 0.03);
}

TEST(LeaveOutSlowCore, TheDecisionIsThatOfTheOtherRuns) {
  const Decision with_guest = *Decide({{}, RunsWithAGuest()}, {});
  const Decision alone = *Decide({{}, QuietRuns(30)}, {});
  EXPECT_EQ(with_guest.slow_core_runs, 3u);
  EXPECT_EQ(alone.slow_core_runs, 0u);
  EXPECT_NEAR(with_guest.interval.ratio, alone.interval.ratio, 0.001);
  EXPECT_LT(HalfWidth(with_guest), 1.5 * HalfWidth(alone));
}

TEST(LeaveOutSlowCore, KeepsRunsAtAnotherClockRate) {
  std::vector<RunValue> runs = RunsWithAGuest();
  for (RunValue& run : runs) {
    for (double& probe : run.log_probe) probe = std::log(1500) + (&run < &runs[12] ? 0.08 : 0);
  }
  EXPECT_EQ(LeaveOutSlowCore(&runs), 0u);
}

TEST(LeaveOutSlowCore, ComparesWithTheFastestWhereMostAreSlow) {
  std::vector<RunValue> runs = RunsWithAGuest();
  for (std::size_t run = 0; run < 30; ++run) {
    runs[run].log_probe[0] = std::log(run % 5 < 3 ? 1500 : 2100);
    runs[run].log_probe[1] = std::log(run % 5 > 1 ? 1500 : 2100);
  }
  EXPECT_EQ(LeaveOutSlowCore(&runs), 24u) << "four of five are slow for one variant";
}

TEST(LeaveOutSlowCore, KeepsAllWhereFewWouldBeLeft) {
  std::vector<RunValue> few = RunsWithAGuest();
  few.erase(few.begin(), few.begin() + 19);
  few.resize(5);
  std::vector<RunValue> enough = few;
  EXPECT_EQ(LeaveOutSlowCore(&enough), 2u) << "three are left";
  few.resize(4);
  EXPECT_EQ(LeaveOutSlowCore(&few), 0u) << "two would be left";
  std::vector<RunValue> unknown = RunsWithAGuest();
  unknown[3].log_probe[1] = std::nan("");
  EXPECT_EQ(LeaveOutSlowCore(&unknown), 0u);
}

const std::vector<int> kPairs = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4};

TEST(IndependentUnits, AreAntitheticPairs) {
  const std::vector<double> values = {0.5, -0.49, -0.3, 0.31, 0.7, -0.7, 0.1, -0.11, -0.6, 0.61};
  const std::vector<RunUnit> units = IndependentUnits(values, kPairs);
  ASSERT_THAT(units, SizeIs(5));
  EXPECT_THAT(units[1], ElementsAre(2, 3));
  const std::vector<double> means = {0.005, 0.005, 0, -0.005, 0.005};
  EXPECT_THAT(UnitMeans(values, units), Pointwise(DoubleNear(1e-12), means));
}

TEST(IndependentUnits, ArePairsThatAreMoreAlikeThanOthers) {
  const std::vector<double> values = {0.5, 0.51, -0.3, -0.29, 0.7, 0.7, 0.1, 0.11, -0.6, -0.61};
  EXPECT_THAT(IndependentUnits(values, kPairs), SizeIs(5));
}

TEST(IndependentUnits, AreRunsWhereLayoutsTellNothing) {
  const std::vector<double> values = {0.5, -0.3, 0.1, 0.4, -0.2, -0.5, 0.3, -0.1, 0.2, 0.6};
  EXPECT_THAT(IndependentUnits(values, kPairs), SizeIs(10));
  EXPECT_THAT(IndependentUnits({1, 1, 1, 1, 1, 1}, {0, 0, 1, 1, 2, 2}), SizeIs(6));
  EXPECT_THAT(IndependentUnits(values, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), SizeIs(10));
  EXPECT_THAT(IndependentUnits(values, std::vector<int>(10, 0)), SizeIs(10));
}

TEST(IndependentUnits, LackTheLayoutsThatLackARun) {
  const std::vector<double> values = {0.5, -0.5, -0.3, 0.31, 0.7, 0.1, -0.11, -0.6, 0.61};
  EXPECT_THAT(
      IndependentUnits(values, {0, 0, 1, 1, 2, 3, 3, 4, 4}),
      ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(5, 6), ElementsAre(7, 8)));
  EXPECT_THAT(IndependentUnits(values, {0, 0, 1, 1, 2, 3, 4, 5, 6}), SizeIs(9))
      << "most runs would be left out";
}

// Twelve pairs that cancel to a thousandth, in one of which a run was disturbed.
TEST(IndependentUnits, ArePairsThoughOneRunIsFarOff) {
  std::vector<double> values;
  std::vector<int> layouts;
  for (int layout = 0; layout < 12; ++layout) {
    values.push_back(0.01 * std::sin(layout) + 0.00001 * layout);
    values.push_back(-0.01 * std::sin(layout));
    layouts.insert(layouts.end(), 2, layout);
  }
  values[8] += 0.5;
  EXPECT_THAT(IndependentUnits(values, layouts), SizeIs(12));
}

TEST(IndependentUnits, AreTurnsOfThreeVariants) {
  const std::vector<double> values = {0.5, -0.3, -0.2, 0.1, 0.3, -0.41, -0.6, 0.2, 0.41};
  EXPECT_THAT(IndependentUnits(values, {0, 0, 0, 1, 1, 1, 2, 2, 2}), SizeIs(3));
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
