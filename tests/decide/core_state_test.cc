#include "duetbench/decide/core_state.h"

#include <cmath>
#include <random>
#include <vector>

#include "duetbench/decide/decision.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

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
  few.resize(5);
  EXPECT_EQ(LeaveOutSlowCore(&few), 0u) << "four would be left";
  std::vector<RunValue> unknown = RunsWithAGuest();
  unknown[3].log_probe[1] = std::nan("");
  EXPECT_EQ(LeaveOutSlowCore(&unknown), 0u);
}

}  // namespace
}  // namespace duetbench::stats
