#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/measure/duet_run.h"
#include "duetbench/measure/pair_schedule.h"
#include "duetbench/measure/run_randomization.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/record/variant_pair.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

RunPlan PlanOfGroup(uint32_t variants, uint32_t in_processes,
                    Schedule schedule = Schedule::kAlternating) {
  RunPlan plan = ShortPlan(schedule);
  plan.variants = variants;
  plan.in_processes = in_processes;
  return plan;
}

DuetFunctions Steps(const std::vector<int>& steps) {
  DuetFunctions functions;
  functions.variants.clear();
  for (const int each : steps) {
    functions.variants.push_back(MakeVariant([each](State& state) {
      for (auto _ : state) Work(each);
    }));
  }
  return functions;
}

std::vector<RunResult> ExecuteGroup(const RunPlan& plan, const DuetFunctions& functions) {
  return RunsOf(plan, {ExecutePart(plan, functions)});
}

class TurnScheduleTest : public testing::TestWithParam<uint32_t> {};

TEST_P(TurnScheduleTest, EachPairOfVariantsHasPairs) {
  const std::vector<int> steps = {300, 3000, 30000, 300, 3000, 30000, 300, 3000};
  for (const uint32_t variants : {3u, 5u, 8u}) {
    const RunPlan plan = PlanOfGroup(variants, GetParam());
    const std::vector<RunResult> results =
        ExecuteGroup(plan, Steps({steps.begin(), steps.begin() + variants}));
    const std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(variants));
    ASSERT_EQ(results.size(), pairs.size());
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i].error.cause, "");
      ASSERT_GT(results[i].pairs.size(), 0u) << i;
      EXPECT_EQ(results[i].pairs.size(), results[0].pairs.size());
      EXPECT_EQ(results[i].batch, results[0].batch);
      EXPECT_EQ(results[i].set_up_ns, results[0].set_up_ns) << "those of all variants";
      const double expected =
          static_cast<double>(steps[static_cast<size_t>(pairs[i].new_variant)]) /
          steps[static_cast<size_t>(pairs[i].old_variant)];
      // At least 10. Who else is on the core makes one of them several times as slow for seconds.
      if (expected > 1) {
        EXPECT_GT(RatioOfLeast(results[i]), 1.5) << i;
      }
      if (expected < 1) {
        EXPECT_LT(RatioOfLeast(results[i]), 1 / 1.5) << i;
      }
    }
  }
}

TEST_P(TurnScheduleTest, OneVariantAfterTheOther) {
  const std::vector<RunResult> results =
      ExecuteGroup(PlanOfGroup(3, GetParam()), Steps({30, 30, 30}));
  ASSERT_EQ(results.size(), 3u);
  for (const RunResult& result : results) {
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.assignment, pair.skew_ticks > 0 ? 0u : 1u) << "0: old was first";
      EXPECT_EQ(pair.flags & kSolo, 0u);
    }
  }
}

TEST_P(TurnScheduleTest, InShortTurnsEachVariantHasASample) {
  RunPlan plan = PlanOfGroup(3, GetParam(), Schedule::kInterleaved);
  plan.budget_ns = 30e6;
  plan.solo_share = 0;
  for (const double share : {0.0, 0.5}) {
    plan.solo_share = share;
    const std::vector<RunResult> results = ExecuteGroup(plan, Steps({30, 30, 30}));
    ASSERT_EQ(results.size(), 3u);
    for (const RunResult& result : results) {
      EXPECT_EQ(result.error.cause, "");
      size_t solo = 0;
      size_t old_first = 0;
      uint64_t turns = 0;
      for (const PairRecord& pair : result.pairs) {
        if ((pair.flags & kSolo) != 0) {
          ++solo;
          continue;
        }
        ++turns;
        old_first += pair.assignment == 0 ? 1 : 0;
        EXPECT_EQ(pair.assignment, pair.skew_ticks > 0 ? 0u : 1u) << "0: old was first";
      }
      EXPECT_EQ(solo > 0, share > 0) << "a segment in blocks";
      ASSERT_GE(turns, 6u);
      EXPECT_GT(old_first, turns / 6) << "either one is the first";
      EXPECT_LT(old_first, turns * 5 / 6);
    }
  }
}

TEST_P(TurnScheduleTest, TheRatioOfTheBlocksIsThatOfTheirPairs) {
  const std::vector<RunResult> results =
      ExecuteGroup(PlanOfGroup(3, GetParam()), Steps({30, 30, 30}));
  // Both other pairs of a pair of variants have its samples.
  ASSERT_EQ(results[0].pairs.size(), results[2].pairs.size());
  for (size_t i = 0; i < results[0].pairs.size(); ++i) {
    EXPECT_EQ(results[0].pairs[i].ticks[0], results[1].pairs[i].ticks[0]);
    EXPECT_EQ(results[0].pairs[i].ticks[1], results[2].pairs[i].ticks[0]);
    EXPECT_EQ(results[1].pairs[i].ticks[1], results[2].pairs[i].ticks[1]);
  }
}

TEST_P(TurnScheduleTest, AVariantThatFailsEndsTheRun) {
  DuetFunctions functions = Steps({30, 30});
  functions.variants.push_back(
      MakeVariant([](State&) { throw std::runtime_error("no such file"); }));
  const std::vector<RunResult> results = ExecuteGroup(PlanOfGroup(3, GetParam()), functions);
  ASSERT_EQ(results.size(), 3u);
  for (const RunResult& result : results) {
    EXPECT_EQ(result.error.variant, 2);
    EXPECT_EQ(result.error.cause, "threw std::runtime_error: no such file");
  }
}

TEST_P(TurnScheduleTest, CalibratesForTheFastestAndTheSlowest) {
  RunPlan plan = PlanOfGroup(4, GetParam());
  plan.batch = 0;
  plan.budget_ns = 0;
  const std::vector<RunResult> results = ExecuteGroup(plan, Steps({30, 60, 300, 30}));
  for (const RunResult& result : results) {
    EXPECT_EQ(result.error.cause, "");
    EXPECT_GT(result.batch, 1u);
    EXPECT_GE(result.sample_ns, plan.min_batch_ns);
    EXPECT_TRUE(result.pairs.empty());
  }
}

TEST(TurnsOfTwo, OneVariantAtATimeOnOneCpu) {
  std::atomic<int> running{0};
  std::atomic<int> together{0};
  const auto variant = [&](State& state) {
    for (auto _ : state) {
      if (++running > 1) ++together;
      Work(300);
      --running;
    }
  };
  const RunPlan plan = ShortPlan(Schedule::kInterleaved);
  const RunResult result = Measured(plan, variant, variant);
  EXPECT_EQ(together, 0);
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    // The second sample starts when the first one is done.
    const double of_first = pair.ticks[pair.assignment == 0 ? 0 : 1];
    EXPECT_GE(pair.assignment == 0 ? pair.skew_ticks : -pair.skew_ticks, of_first);
    EXPECT_EQ(pair.cpus[0], plan.cpus[0]);
    EXPECT_EQ(pair.cpus[1], plan.cpus[0]);
    EXPECT_EQ(pair.block, 0u);
  }
}

// Both come to the end of the calibration at once; neither goes on with what the other left behind.
TEST(TurnsOfTwo, BothVariantsExecuteEquallyManyIterations) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.budget_ns = 0;
  for (plan.run = 0; plan.run < 20; ++plan.run) {
    std::atomic<int64_t> iterations[2] = {{0}, {0}};
    const auto counting = [&iterations](int variant) {
      return [&iterations, variant](State& state) {
        for (auto _ : state) {
          ++iterations[variant];
          Work();
        }
      };
    };
    const RunResult result = Measured(plan, counting(0), counting(1));
    EXPECT_EQ(iterations[0], iterations[1]);
  }
}

TEST(TurnsOfTwo, TheOrderIsAbbaAndRandom) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.budget_ns = 20e6;
  plan.batch = 100;
  plan.sample_ns = 5e3;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  ASSERT_GT(result.pairs.size(), 50u);
  int old_first = 0;
  std::set<std::string> orders;  // of two pairs
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    const PairRecord& pair = result.pairs[i];
    const int first = VariantAtPlace(plan.seed, plan.run + pair.pair_index, 2, 0);
    EXPECT_EQ(pair.assignment, static_cast<uint32_t>(first));
    old_first += pair.assignment == 0 ? 1 : 0;
    if (pair.pair_index % 2 == 1 && i > 0) {
      EXPECT_NE(pair.assignment, result.pairs[i - 1].assignment);
      orders.insert(pair.assignment == 1 ? "old new new old" : "new old old new");
    }
  }
  const auto pairs = static_cast<int>(result.pairs.size());
  EXPECT_LE(std::abs(2 * old_first - pairs), 2);
  EXPECT_EQ(orders.size(), 2u);
}

TEST(RunsOf, ALoopOfAThirdVariantIsAnError) {
  const RunPlan plan = PlanOfGroup(3, 0);
  RunRecord record = ExecutePart(plan, Steps({30, 30, 30}));
  RunPlan plan_of_two = plan;
  plan_of_two.variants = 2;
  EXPECT_EQ(RunsOf(plan_of_two, {std::move(record)}).front().error.cause,
            "the run reported variants that it does not have");
}

INSTANTIATE_TEST_SUITE_P(ThreadsAndProcesses, TurnScheduleTest, testing::Values(0u, 1u));

}  // namespace
}  // namespace duetbench
