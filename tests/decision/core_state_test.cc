#include "duetbench/decision/core_state.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <random>
#include <vector>

#include "duetbench/decision/decision.h"
#include "duetbench/stats/decision_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

constexpr double kLog105 = 0.04879016416943205;

// Runs of a ratio of 1.05 where the core is at its fastest, 1.5 us of the probe. In half of the
// runs, for old and for new apart, the core is slower by `change`, which slows down old and new by
// that times their slope.
struct Machine {
  double change = 0.5;
  double slope[2] = {1, 1};
  double noise = 0.005;
};

std::vector<RunValue> Runs(int count, const Machine& machine, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  std::vector<RunValue> runs(static_cast<std::size_t>(count));
  for (RunValue& run : runs) {
    run.log_ratio = kLog105 + machine.noise * normal(random);
    run.pairs = 100;
    for (int v = 0; v < 2; ++v) {
      const double slower = random() % 2 == 0 ? machine.change : 0;
      run.log_probe[v] = std::log(1500) + slower + 1e-4 * normal(random);
      run.log_ratio += (v == 0 ? -1 : 1) * machine.slope[v] * slower;
    }
  }
  return runs;
}

double HalfWidth(const Decision& decision) {
  return std::log(decision.interval.hi / decision.interval.lo) / 2;
}

// Pairs with these times of the probe before old; before new it takes twice as long on any core.
RunPairs PairsWithProbes(const std::vector<float>& probes) {
  RunPairs run;
  for (const float probe : probes) run.push_back({1, 3, 0, 0, {probe, 2000}});
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
  const RunPairs run = {{1, 3, 0, 0, {1500, 1600}},
                        {1, 3, 1, 0, {1500, 1600}},
                        {1, 3, 1, 0, {1500, 1600}},
                        {1, 3, 0, 0, {1500, 1e6}}};
  EXPECT_DOUBLE_EQ(LogProbe(run, 0), std::log(1500));
  EXPECT_DOUBLE_EQ(LogProbe(run, 1), std::log(1600));
}

TEST(LogProbe, IsUnknownWhereAPairHasNone) {
  const RunPairs run = {{1, 3, 0, 0, {1500, 1600}}, {1, 3, 1}};
  EXPECT_TRUE(std::isnan(LogProbe(run, 0)));
}

TEST(CoreState, IsTakenOutOfTheLogRatios) {
  Machine machine;
  machine.slope[0] = 0.2;
  machine.slope[1] = 0.8;
  machine.noise = 0;
  std::vector<RunValue> runs = Runs(18, machine, 1);
  const std::optional<CoreState> state = RemoveCoreState(&runs);
  ASSERT_TRUE(state.has_value());
  EXPECT_NEAR(state->slope[0], 0.2, 0.01);
  EXPECT_NEAR(state->slope[1], 0.8, 0.01);
  EXPECT_NEAR(state->explained, 1, 0.001);
  EXPECT_NEAR(state->slow_down, std::exp(0.5), 0.01);
  EXPECT_NEAR(state->ratio_at_fastest, 1.05, 0.01);
  EXPECT_NEAR(state->ratio_at_slowest, 1.05 * std::exp(0.3), 0.01);
  for (const RunValue& run : runs) {
    const double slower = (run.log_probe[0] + run.log_probe[1]) / 2 - std::log(1500);
    EXPECT_NEAR(run.log_ratio, kLog105 + 0.6 * slower, 0.005) << "at the mean speed of the run";
  }
}

TEST(CoreState, IsTakenOutOfTheTotals) {
  std::vector<RunValue> runs = Runs(18, Machine(), 1);
  for (RunValue& run : runs) {
    run.has_totals = true;
    for (auto& times : run.totals.time) {
      times[0] = 1;
      times[1] = std::exp(run.log_ratio);
    }
  }
  ASSERT_TRUE(RemoveCoreState(&runs).has_value());
  for (const RunValue& run : runs) {
    const auto& times = run.totals.time[0];
    EXPECT_NEAR(std::log(times[1] / times[0]), run.log_ratio, 1e-12);
  }
}

TEST(CoreState, RemovesItsChangesFromTheInterval) {
  Machine machine;
  machine.change = 0.08;  // of the clock rate: no run is left out
  const Decision decision = Decide({{}, Runs(18, machine, 1)}, {}).value();
  ASSERT_TRUE(decision.core_state.has_value());
  EXPECT_GT(decision.core_state->explained, 0.99);
  EXPECT_LT(HalfWidth(decision), 0.01);
  EXPECT_EQ(decision.verdict, Verdict::kSlower);
  std::vector<RunValue> without_probes = Runs(18, machine, 1);
  for (RunValue& run : without_probes) run.log_probe[0] = std::nan("");
  EXPECT_GT(HalfWidth(Decide({{}, without_probes}, {}).value()), 0.03);
}

TEST(CoreState, IsNotLookedForWhereARunHasNoProbe) {
  std::vector<RunValue> runs = Runs(18, Machine(), 1);
  runs[17].log_probe[1] = std::nan("");
  EXPECT_FALSE(RemoveCoreState(&runs).has_value());
}

TEST(CoreState, IsNotLookedForInFewRuns) {
  const auto least = static_cast<int>(kDecision.min_runs_of_core_state);
  std::vector<RunValue> too_few = Runs(least - 1, Machine(), 1);
  EXPECT_FALSE(RemoveCoreState(&too_few).has_value());
  std::vector<RunValue> enough = Runs(least, Machine(), 1);
  EXPECT_TRUE(RemoveCoreState(&enough).has_value());
}

TEST(CoreState, IsNotLookedForInRunsOfSeveralMachines) {
  std::vector<RunValue> runs = Runs(18, Machine(), 1);
  runs[3].machine = 1;
  EXPECT_FALSE(RemoveCoreState(&runs).has_value());
}

// At most 1 % of the intervals at 99 % miss, for each number of runs and each pair of slopes.
TEST(CoreState, LeavesTheCoverageOfIntervals) {
  constexpr int kExperiments = 2000;
  const double slopes[][2] = {{0, 0}, {0.2, 0.4}, {1, 1}, {0.1, 1}};
  for (const int count : {8, 18}) {
    for (const auto& slope : slopes) {
      Machine machine;
      machine.change = 0.08;  // no run is left out
      machine.slope[0] = slope[0];
      machine.slope[1] = slope[1];
      const double ratio = kLog105 + (slope[1] - slope[0]) * machine.change / 2;
      int misses = 0;
      int changed = 0;
      for (int i = 0; i < kExperiments; ++i) {
        const Decision decision = Decide({{}, Runs(count, machine, i)}, {}).value();
        misses += std::abs(std::log(decision.interval.ratio) - ratio) > HalfWidth(decision);
        changed += decision.core_state.has_value() ? 1 : 0;
      }
      std::printf("%2d runs, slopes %.1f and %.1f: %d of %d missed, %d changed\n", count, slope[0],
                  slope[1], misses, kExperiments, changed);
      EXPECT_LE(misses, 36) << "more than 36 of 2,000 have p = 0.001 at 1 %";
      if (slope[1] == 0) {
        EXPECT_LE(changed, 8) << "more than 8 of 2,000 have p = 0.001 at 0.1 %";
      } else {
        EXPECT_GT(changed, kExperiments / 2);
      }
    }
  }
}

// The probe takes a third longer before new in all runs, and 2 % longer before old in one, which
// has another ratio: that is far from what it is to correct.
TEST(CoreState, IsNotTakenFromOneRunThatSaysLittle) {
  Machine machine;
  machine.change = 0;
  std::vector<RunValue> runs = Runs(20, machine, 1);
  for (RunValue& run : runs) run.log_probe[1] += 0.3;
  runs[7].log_probe[0] += 0.02;
  runs[7].log_ratio -= 0.1;
  EXPECT_FALSE(Decide({{}, runs}, {})->core_state.has_value());
}

// The typical times of the probe on an idle core differ by rounding alone, and by chance as the
// log-ratios do.
TEST(CoreState, IsNotTakenFromRoundingErrors) {
  std::vector<RunValue> runs(18);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].log_probe[0] = std::log(841) + (i % 2 == 0 ? 0 : 2e-15);
    runs[i].log_probe[1] = std::log(843) + (i % 4 < 2 ? 0 : 1e-15);
    runs[i].log_ratio = (i % 2 == 0 ? 0.01 : -0.01) + 1e-4 * static_cast<double>(i % 5);
  }
  EXPECT_FALSE(RemoveCoreState(&runs).has_value());
  EXPECT_NEAR(runs[0].log_ratio, 0.01, 1e-9);
}

// The probe takes a third longer before new in all of eight runs, and its small changes explain
// all of theirs: the slopes are exact, but where both probes are alike is far away.
TEST(CoreState, DoesNotWidenTheInterval) {
  std::vector<RunValue> runs(8);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double changes[2] = {i % 2 == 0 ? 0.01 : -0.01, i % 4 < 2 ? 0.01 : -0.01};
    for (int v = 0; v < 2; ++v) runs[i].log_probe[v] = std::log(1500) + 0.3 * v + changes[v];
    runs[i].start_s = static_cast<double>(i);
    runs[i].log_ratio = changes[0] + changes[1] + (i < 4 ? 0.0003 : -0.0003);
    runs[i].pairs = 100;
  }
  std::vector<RunValue> without_probes = runs;
  for (RunValue& run : without_probes) run.log_probe[0] = std::nan("");
  for (const std::size_t slots : {2, 4, 8}) {
    DecisionPolicy policy;
    policy.max_time_slots = slots;
    EXPECT_LE(HalfWidth(*Decide({{}, runs}, policy)),
              HalfWidth(*Decide({{}, without_probes}, policy)) * 1.0001)
        << slots;
  }
}

// In three of 30 runs another guest is on the core while new executes, or all the time.
std::vector<RunValue> RunsWithAGuest() {
  Machine machine;
  machine.change = 0;
  std::vector<RunValue> runs = Runs(30, machine, 1);
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
  Machine machine;
  machine.change = 0;
  const Decision alone = *Decide({{}, Runs(30, machine, 1)}, {});
  EXPECT_EQ(with_guest.slow_core_runs, 3u);
  EXPECT_EQ(alone.slow_core_runs, 0u);
  EXPECT_NEAR(with_guest.interval.ratio, alone.interval.ratio, 0.001);
  EXPECT_LT(HalfWidth(with_guest), 1.3 * HalfWidth(alone));
}

TEST(LeaveOutSlowCore, KeepsRunsAtAnotherClockRate) {
  std::vector<RunValue> runs = RunsWithAGuest();
  for (RunValue& run : runs) {
    for (double& probe : run.log_probe) probe = std::log(1500) + (&run < &runs[12] ? 0.08 : 0);
  }
  EXPECT_EQ(LeaveOutSlowCore(&runs), 0u);
}

TEST(LeaveOutSlowCore, KeepsAllWhereMostAreSlowOrFewWouldBeLeft) {
  std::vector<RunValue> runs = RunsWithAGuest();
  for (std::size_t run = 0; run < 30; ++run) {
    runs[run].log_probe[0] = std::log(run % 5 < 3 ? 1500 : 2100);
    runs[run].log_probe[1] = std::log(run % 5 > 1 ? 1500 : 2100);
  }
  EXPECT_EQ(LeaveOutSlowCore(&runs), 0u) << "four of five are slow for one variant";
  std::vector<RunValue> few = RunsWithAGuest();
  few.resize(8);
  EXPECT_EQ(LeaveOutSlowCore(&few), 0u) << "seven would be left";
  std::vector<RunValue> unknown = RunsWithAGuest();
  unknown[3].log_probe[1] = std::nan("");
  EXPECT_EQ(LeaveOutSlowCore(&unknown), 0u);
}

}  // namespace
}  // namespace duetbench::stats
