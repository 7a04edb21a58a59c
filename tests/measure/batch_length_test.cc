// The number of iterations in a sample, and of those before it that are not timed.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "duetbench/measure/measuring_loop.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/record/robust.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

TEST(BatchLength, CheapFunctionsAreRepeatedUntilABatchIsLongEnough) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    const RunPlan plan = ShortPlan(schedule);
    const RunResult result = Measured(plan, WorkLoop, [] { Work(100); });
    std::vector<double> faster_ns;
    for (const PairRecord& pair : result.pairs) {
      faster_ns.push_back(std::min(pair.ticks[0], pair.ticks[1]) * plan.ns_per_tick);
    }
    EXPECT_GT(result.batch, 1u);
    EXPECT_GT(stats::Median(faster_ns), 0.3 * plan.min_batch_ns);
    EXPECT_GT(result.sample_ns, 0.3 * plan.min_batch_ns);
  }
}

TEST(BatchLength, SlowFunctionsMeetBeforeEveryIteration) {
  const auto slow = [] { SpinNs(200e3); };
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    const RunResult result = Measured(ShortPlan(schedule), slow, slow);
    EXPECT_EQ(result.batch, 1u);
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], 1u);
      EXPECT_EQ(pair.iterations[1], 1u);
    }
  }
}

// Work that happens once (a table is built, a file is read) says nothing about the iterations.
TEST(BatchLength, ASlowFirstIterationIsNotTakenForTheRule) {
  const auto lazy = [](State& state) {
    bool first = true;
    for (auto _ : state) {
      if (first) SpinNs(20e6);
      first = false;
      Work();
    }
  };
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const RunResult result = Measured(plan, lazy, lazy);
  EXPECT_GT(result.batch, 10u);
  EXPECT_LT(result.sample_ns, 20e6);
  EXPECT_LT(TimePerIteration(result, 0).least_ns, 5e6);
}

TEST(BatchLength, APlannedBatchIsNotCalibrated) {
  RunPlan plan = ShortPlan();
  plan.batch = 321;
  plan.sample_ns = 20e3;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.batch, 321u);
  EXPECT_EQ(result.sample_ns, 20e3);
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) EXPECT_EQ(pair.iterations[1], 321u);
}

auto WorkThatCounts(uint64_t* executed) {
  return [executed](State& state) {
    for (auto _ : state) {
      Work();
      ++*executed;
    }
  };
}

// Executes pairs of a planned batch in turns. Returns how many pairs that were.
template <class Old>
uint64_t PairsInTurns(uint64_t batch, Old old_variant) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.batch = batch;
  plan.sample_ns = 20e3;
  plan.budget_ns = 1e6;
  const RunResult result = Measured(plan, old_variant, WorkLoop);
  EXPECT_FALSE(result.pairs.empty());
  return result.pairs.empty() ? 0 : result.pairs.back().pair_index + 1;
}

TEST(BatchLength, UntimedIterationsPrecedeEachSample) {
  uint64_t executed = 0;
  const uint64_t pairs = PairsInTurns(320, WorkThatCounts(&executed));
  uint64_t expected = 1;  // the first iteration is timed by itself
  for (uint64_t pair = 0; pair < pairs; ++pair) expected += 320 + 10 + pair % 4;
  EXPECT_EQ(executed, expected);
}

TEST(BatchLength, ShortBatchesAndThoseOfTheVariantHaveNoUntimedIterations) {
  uint64_t executed = 0;
  uint64_t pairs = PairsInTurns(31, WorkThatCounts(&executed));
  EXPECT_EQ(executed, 31 * pairs + 1) << "the first iteration is timed by itself";
  executed = 0;
  pairs = PairsInTurns(3200, [&executed](State& state) {
    while (state.KeepRunningBatch(400)) {
      for (int i = 0; i < 400; ++i) Work(1);
      executed += 400;
    }
  });
  EXPECT_EQ(executed, 3200 * pairs + 2 * 400) << "those before the first sample show it";
}

TEST(BatchLength, WithoutABudgetARunOnlyCalibrates) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    RunPlan plan = ShortPlan(schedule);
    plan.budget_ns = 0;
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    EXPECT_GT(result.batch, 1u);
    EXPECT_GT(result.sample_ns, 0);
    EXPECT_TRUE(result.pairs.empty());
  }
}

// Had the calibration told a millisecond and more of what takes no time, a budget of iterations
// would not fit into the memory for them.
TEST(BatchLength, SamplesMuchShorterThanCalibratedEndTheRunEarly) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    RunPlan plan = ShortPlan(schedule);
    plan.budget_ns = 100e6;
    plan.batch = 1;
    plan.sample_ns = 1.5e6;
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    EXPECT_FALSE(result.pairs.empty());
    EXPECT_LE(result.pairs.size(),
              MaxMeasured(plan, PaceRun(plan, plan.sample_ns), plan.sample_ns));
  }
}

TEST(BatchLength, ALongWarmUpOfShortIterationsNeedsNoRecords) {
  RunPlan plan = ShortPlan();
  plan.batch = 1;
  plan.sample_ns = 500;
  plan.warm_up_ns = 100e6;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  ASSERT_FALSE(result.pairs.empty());
  EXPECT_GT(result.pairs.front().pair_index, 10u) << "warmed up first";
  EXPECT_GE(result.wall_ns, 105e6 * 0.9);
}

}  // namespace
}  // namespace duetbench
