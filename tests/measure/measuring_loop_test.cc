// The way of both loops through a run, seen from the pairs that they record and from inside the
// variants.

#include "duetbench/measure/measuring_loop.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The assignment of each block.
using Assignments = std::map<uint32_t, std::set<uint32_t>>;

Assignments AssignmentsOf(const RunResult& result) {
  Assignments assignments;
  for (const PairRecord& pair : result.pairs) {
    assignments[pair.block].insert(pair.assignment);
  }
  return assignments;
}

TEST(MeasuringLoop, BothVariantsExecuteEquallyManyIterations) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    const RunResult result = Measured(
        ShortPlan(schedule), [] { Work(10); }, [] { Work(35); });
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], result.batch);
      EXPECT_EQ(pair.iterations[1], result.batch);
    }
  }
}

// The wall time of a sample that shares its CPU is about that of both.
TEST(MeasuringLoop, SlicedSamplesHaveTheirTimesOnTheCpu) {
  RunPlan plan = ShortPlan(Schedule::kSliced);
  plan.min_batch_ns = 12e6;
  plan.budget_ns = 60e6;
  const RunResult result = Measured(
      plan, [] { Work(30); }, [] { Work(90); });
  std::vector<double> ratios;
  std::vector<double> skews;
  for (const PairRecord& pair : result.pairs) {
    if (pair.flags != 0) continue;
    ratios.push_back(pair.ticks[1] / pair.ticks[0]);
    skews.push_back(std::abs(pair.skew_ticks) / (pair.ticks[0] + pair.ticks[1]));
  }
  ASSERT_FALSE(ratios.empty()) << "of " << result.pairs.size();
  EXPECT_GT(stats::Median(ratios), 1.8);
  EXPECT_LT(stats::Median(ratios), 5);
  EXPECT_LT(stats::Median(skews), 1) << "at the same time";
}

// Most preemptions fall into pauses, in which the thread reads its clock by a system call.
TEST(MeasuringLoop, PreemptionsInPausesAreNotTakenFromTheTimeOfASlicedSample) {
  RunPlan plan = ShortPlan(Schedule::kSliced);
  plan.min_batch_ns = 12e6;
  plan.budget_ns = 120e6;
  const auto variant = [](State& state) {
    for (auto _ : state) {
      Work(30);
      state.PauseTiming();
      state.ResumeTiming();
    }
  };
  const RunResult result = Execute(plan, variant, variant);
  ASSERT_EQ(result.error.cause, "");
  std::vector<double> ratios;
  for (const PairRecord& pair : result.pairs) {
    const auto [less, more] = std::minmax(pair.ticks[0], pair.ticks[1]);
    ratios.push_back(more > 0 ? less / more : 0);
  }
  ASSERT_FALSE(ratios.empty());
  EXPECT_GT(stats::Median(ratios), 0.5);
}

TEST(MeasuringLoop, AssignmentsTakeTurnsBlockByBlockAndGetEquallyManyBlocks) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    const auto first =
        static_cast<uint32_t>(DrawRandomization(plan.seed, plan.run).first_assignment);
    std::map<uint32_t, int> blocks_of_assignment;
    for (const auto& [block, assignments] : AssignmentsOf(result)) {
      ASSERT_EQ(assignments.size(), 1u);
      EXPECT_EQ(*assignments.begin(), first ^ (block & 1u)) << block;
      ++blocks_of_assignment[*assignments.begin()];
    }
    EXPECT_EQ(blocks_of_assignment[0], blocks_of_assignment[1]);
    EXPECT_GE(blocks_of_assignment[0], 1);
  }
}

TEST(MeasuringLoop, TheVariantsSwapCpusBetweenBlocks) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = ShortPlan();
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    EXPECT_THAT(result.notice, Not(HasSubstr("pin")));
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.cpus[0], plan.cpus[pair.assignment]);
      EXPECT_EQ(pair.cpus[1], plan.cpus[1 - pair.assignment]);
      EXPECT_EQ(pair.flags & (kOldMigrated | kNewMigrated), 0u);
    }
  }
}

TEST(MeasuringLoop, WithoutCpusNobodyIsPinned) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.cpus[0] = plan.cpus[1] = -1;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.notice, "");
  EXPECT_FALSE(result.pairs.empty());
}

// Another machine beside this one may take half of one CPU away for as long as a test lasts, in
// slices shorter than a batch: the undisturbed pairs are what tells, if they are only some. Or it
// leaves both variants one CPU: then the test proves nothing.
TEST(MeasuringLoop, TheVariantsRunAtTheSameTime) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const auto together = [&plan](const PairRecord& pair) {
    const double skew_ticks = std::abs(pair.skew_ticks);
    const auto [shorter, longer] = std::minmax(pair.ticks[0], pair.ticks[1]);
    return shorter - skew_ticks > 0.25 * longer &&
           skew_ticks * plan.ns_per_tick < 5000;  // of 50,000 in a batch
  };
  constexpr int kMaxFailures = 5;
  int failures = 0;
  for (int i = 0; i < 20 && failures < kMaxFailures; ++i) {
    const bool before = TwoCpusRunAtOnce();
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    const auto pairs = std::count_if(result.pairs.begin(), result.pairs.end(), together);
    const bool enough = pairs > static_cast<std::ptrdiff_t>(result.pairs.size() / 10);
    if (enough && result.notice.empty()) return;
    if (before && TwoCpusRunAtOnce()) ++failures;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ASSERT_LT(failures, kMaxFailures) << "other threads ran at the same time before and after";
  GTEST_SKIP() << "this machine runs no two threads at the same time just now";
}

// Spinning must not take the partner's time: this took minutes once.
TEST(MeasuringLoop, VariantsThatShareACpuRunOneAfterTheOther) {
  RunPlan plan = ShortPlan();
  plan.cpus[1] = plan.cpus[0];
  plan.timeout_ns = 60e9;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_FALSE(result.pairs.empty());
  EXPECT_THAT(result.notice, HasSubstr("one after the other"));
}

TEST(MeasuringLoop, WarmingUpIsNotMeasured) {
  RunPlan plan = ShortPlan();
  plan.warm_up_ns = 50e6;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_GE(result.wall_ns, 55e6 * 0.9);
  // The time of undisturbed batches: one that was preempted may last for milliseconds.
  const double batch_ns = TimePerIteration(result, 0).least_ns * static_cast<double>(result.batch);
  EXPECT_LT(static_cast<double>(result.pairs.size()) * batch_ns, 25e6);
}

TEST(MeasuringLoop, PairsAreInOrderAndDiscardedOnesAreCounted) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  for (size_t i = 1; i < result.pairs.size(); ++i) {
    const PairRecord& before = result.pairs[i - 1];
    const PairRecord& after = result.pairs[i];
    EXPECT_GT(after.pair_index, before.pair_index);
    EXPECT_GE(after.block, before.block);
    if (after.block == before.block) {
      EXPECT_EQ(after.pair_index, before.pair_index + 1);
    } else {
      EXPECT_GT(after.pair_index, before.pair_index + 1) << "after a swap some are discarded";
    }
  }
}

TEST(MeasuringLoop, OnePairEndsTheRunThatIsToHaveOne) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 10e9;
  plan.one_pair = 1;
  const RunResult one = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(one.pairs.size(), 1u);
}

TEST(MeasuringLoop, OneVariantIsSetUpAtATimeAndRolesSayWhichFirst) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    RunPlan plan = ShortPlan(schedule);
    for (plan.run = 0; plan.run < 8; ++plan.run) {
      std::atomic<int> in_set_up{0};
      std::atomic<int> together{0};
      std::atomic<int> first{-1};
      const auto variant = [&](int number) {
        return [&, number](State& state) {
          if (++in_set_up > 1) ++together;
          int nobody = -1;
          first.compare_exchange_strong(nobody, number);
          SpinNs(1e6);
          --in_set_up;
          WorkLoop(state);
        };
      };
      const RunResult result = Measured(plan, variant(0), variant(1));
      EXPECT_EQ(together, 0);
      const RunRandomization roles = DrawRandomization(plan.seed, plan.run);
      EXPECT_EQ(first, roles.variant_of_thread[roles.thread_set_up_first]) << plan.run;
    }
  }
}

}  // namespace
}  // namespace duetbench
