// The way of both loops through a run, seen from the pairs that they record and from inside the
// variants.

#include "duetbench/loop/measuring_loop.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "duetbench/plan/pacing.h"
#include "duetbench/plan/run_randomization.h"
#include "duetbench/platform/fallback.h"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/run/short_run.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The assignment of each block of a round.
using Assignments = std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>>;

Assignments AssignmentsOf(const RunResult& result) {
  Assignments assignments;
  for (const PairRecord& pair : result.pairs) {
    assignments[{pair.round, pair.block}].insert(pair.assignment);
  }
  return assignments;
}

TEST(MeasuringLoop, BothVariantsExecuteEquallyManyIterations) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    const RunResult result = Execute(
        ShortPlan(schedule), [] { Work(10); }, [] { Work(35); });
    ASSERT_EQ(result.error.cause, "");
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], result.batch);
      EXPECT_EQ(pair.iterations[1], result.batch);
    }
  }
}

TEST(MeasuringLoop, AControlIsSlowedDownByAKnownPart) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    RunPlan plan = ShortPlan(schedule);
    plan.self = 0;
    plan.slow_down = 1;
    plan.budget_ns = 40e6;  // for some pairs that nothing disturbs, beside other programs, too
    const RunResult result = Execute(
        plan, [] { Work(10); }, [] { Work(35); });
    ASSERT_EQ(result.error.cause, "");
    ASSERT_FALSE(result.pairs.empty());
    double least[2] = {HUGE_VAL, HUGE_VAL};  // the times that other programs disturbed least
    for (const PairRecord& pair : result.pairs) {
      for (int i = 0; i < 2; ++i) least[i] = std::min(least[i], pair.ticks[i]);
    }
    EXPECT_GT(least[1] / least[0], 1.5);
    EXPECT_LT(least[1] / least[0], 3);
  }
}

TEST(MeasuringLoop, AssignmentsTakeTurnsBlockByBlockAndGetEquallyManyBlocks) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  for (const uint32_t rounds : {1u, 2u}) {
    plan.rounds = rounds;
    for (plan.run = 0; plan.run < 4; ++plan.run) {
      const RunResult result = Execute(plan, WorkLoop, WorkLoop);
      ASSERT_EQ(result.error.cause, "");
      const auto first =
          static_cast<uint32_t>(DrawRandomization(plan.seed, plan.run).first_assignment);
      std::map<uint32_t, int> blocks_of_assignment;
      for (const auto& [block, assignments] : AssignmentsOf(result)) {
        ASSERT_EQ(assignments.size(), 1u);
        EXPECT_EQ(*assignments.begin(), first ^ (block.second & 1u)) << block.second;
        ++blocks_of_assignment[*assignments.begin()];
      }
      EXPECT_EQ(blocks_of_assignment[0], blocks_of_assignment[1]);
      EXPECT_GE(blocks_of_assignment[0], 1);
    }
  }
}

TEST(MeasuringLoop, TheVariantsSwapCpusBetweenBlocks) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = ShortPlan();
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult result = Execute(plan, WorkLoop, WorkLoop);
    ASSERT_EQ(result.error.cause, "");
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
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.error.cause, "");
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
    const double skew_ns = std::abs(pair.skew_ticks) * plan.ns_per_tick;
    return pair.overlap > 0.25 && skew_ns < 5000;  // of 50,000 in a batch
  };
  constexpr int kMaxFailures = 5;
  int failures = 0;
  for (int i = 0; i < 20 && failures < kMaxFailures; ++i) {
    const bool before = TwoCpusRunAtOnce();
    const RunResult result = Execute(plan, WorkLoop, WorkLoop);
    ASSERT_EQ(result.error.cause, "");
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
  if (DUETBENCH_FALLBACK) GTEST_SKIP() << "fallbacks choose no CPU";
  RunPlan plan = ShortPlan();
  plan.cpus[1] = plan.cpus[0];
  plan.timeout_ns = 60e9;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.error.cause, "");
  EXPECT_FALSE(result.pairs.empty());
  EXPECT_THAT(result.notice, HasSubstr("one after the other"));
}

TEST(MeasuringLoop, CheapFunctionsAreRepeatedUntilABatchIsLongEnough) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    const RunPlan plan = ShortPlan(schedule);
    const RunResult result = Execute(plan, WorkLoop, [] { Work(100); });
    ASSERT_EQ(result.error.cause, "");
    std::vector<double> faster_ns;
    for (const PairRecord& pair : result.pairs) {
      faster_ns.push_back(std::min(pair.ticks[0], pair.ticks[1]) * plan.ns_per_tick);
    }
    EXPECT_GT(result.batch, 1u);
    EXPECT_GT(stats::Median(faster_ns), 0.3 * plan.min_batch_ns);
    EXPECT_GT(result.sample_ns, 0.3 * plan.min_batch_ns);
  }
}

TEST(MeasuringLoop, SlowFunctionsMeetBeforeEveryIteration) {
  const auto slow = [] { SpinNs(200e3); };
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    const RunResult result = Execute(ShortPlan(schedule), slow, slow);
    ASSERT_EQ(result.error.cause, "");
    EXPECT_EQ(result.batch, 1u);
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], 1u);
      EXPECT_EQ(pair.iterations[1], 1u);
    }
  }
}

// Work that happens once (a table is built, a file is read) says nothing about the iterations.
TEST(MeasuringLoop, ASlowFirstIterationIsNotTakenForTheRule) {
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
  const RunResult result = Execute(plan, lazy, lazy);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(result.batch, 10u);
  EXPECT_LT(result.sample_ns, 20e6);
  EXPECT_LT(TimePerIteration(result, 0).least_ns, 5e6);
}

TEST(MeasuringLoop, APlannedBatchIsNotCalibrated) {
  RunPlan plan = ShortPlan();
  plan.batch = 321;
  plan.sample_ns = 20e3;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
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
  plan.budget_ns = 1e9;
  plan.max_pairs = 9;
  const RunResult result = Execute(plan, old_variant, WorkLoop);
  EXPECT_EQ(result.error.cause, "");
  EXPECT_FALSE(result.pairs.empty());
  return result.pairs.empty() ? 0 : result.pairs.back().pair_index + 1;
}

TEST(MeasuringLoop, UntimedIterationsPrecedeEachSample) {
  uint64_t executed = 0;
  const uint64_t pairs = PairsInTurns(320, WorkThatCounts(&executed));
  uint64_t expected = 1;  // the first iteration is timed by itself
  for (uint64_t pair = 0; pair < pairs; ++pair) expected += 320 + 10 + pair % 4;
  EXPECT_EQ(executed, expected);
}

TEST(MeasuringLoop, ShortBatchesAndThoseOfTheVariantHaveNoUntimedIterations) {
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

TEST(MeasuringLoop, WithoutABudgetARunOnlyCalibrates) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    RunPlan plan = ShortPlan(schedule);
    plan.budget_ns = 0;
    const RunResult result = Execute(plan, WorkLoop, WorkLoop);
    EXPECT_EQ(result.error.cause, "");
    EXPECT_GT(result.batch, 1u);
    EXPECT_GT(result.sample_ns, 0);
    EXPECT_TRUE(result.pairs.empty());
  }
}

// Had the calibration told a millisecond and more of what takes no time, a budget of iterations
// would not fit into the memory for them.
TEST(MeasuringLoop, SamplesMuchShorterThanCalibratedEndTheRunEarly) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    RunPlan plan = ShortPlan(schedule);
    plan.budget_ns = 100e6;
    plan.batch = 1;
    plan.sample_ns = 1.5e6;
    const RunResult result = Execute(plan, WorkLoop, WorkLoop);
    EXPECT_EQ(result.error.cause, "");
    EXPECT_FALSE(result.pairs.empty());
    EXPECT_LE(result.pairs.size(),
              MaxMeasured(plan, PaceRun(plan, plan.sample_ns), plan.sample_ns));
  }
}

TEST(MeasuringLoop, ALongWarmUpOfShortIterationsNeedsNoRecords) {
  RunPlan plan = ShortPlan();
  plan.batch = 1;
  plan.sample_ns = 500;
  plan.warm_up_ns = 100e6;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.error.cause, "");
  ASSERT_FALSE(result.pairs.empty());
  // Threads that are not pinned may meet on one CPU, a few times in all.
  if (!DUETBENCH_FALLBACK) {
    EXPECT_GT(result.pairs.front().pair_index, 10u) << "warmed up first";
  }
  EXPECT_GE(result.wall_ns, 105e6 * 0.9);
}

TEST(MeasuringLoop, WarmingUpIsNotMeasured) {
  RunPlan plan = ShortPlan();
  plan.warm_up_ns = 50e6;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GE(result.wall_ns, 55e6 * 0.9);
  // The time of undisturbed batches: one that was preempted may last for milliseconds.
  const double batch_ns = TimePerIteration(result, 0).least_ns * static_cast<double>(result.batch);
  EXPECT_LT(static_cast<double>(result.pairs.size()) * batch_ns, 25e6);
}

TEST(MeasuringLoop, PairsAreInOrderAndDiscardedOnesAreCounted) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  plan.rounds = 2;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  for (size_t i = 1; i < result.pairs.size(); ++i) {
    const PairRecord& before = result.pairs[i - 1];
    const PairRecord& after = result.pairs[i];
    EXPECT_GT(after.pair_index, before.pair_index) << "also from round to round";
    EXPECT_GE(after.block, before.block);
    if (after.block == before.block) {
      EXPECT_EQ(after.pair_index, before.pair_index + 1);
    } else if (after.round == before.round) {
      EXPECT_GT(after.pair_index, before.pair_index + 1) << "after a swap some are discarded";
    }
  }
}

TEST(MeasuringLoop, ALimitOfPairsEndsTheRun) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 10e9;
  plan.max_pairs = 1;
  const RunResult one = Execute(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(one.error.cause, "");
  EXPECT_EQ(one.pairs.size(), 1u);
}

TEST(MeasuringLoop, CrossedLoopsStayOnTheirCpusAndTakeTurns) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = ShortPlan(Schedule::kCrossed);
  plan.budget_ns = 20e6;
  plan.alone_share = 0.4;  // a segment in each run
  std::atomic<int> running[2] = {{0}, {0}};
  std::atomic<int> together{0};
  std::mutex mutex;
  std::set<std::pair<int, int>> places;  // variant, CPU
  const auto variant = [&](int number) {
    return [&, number](State& state) {
      for (auto _ : state) {
        if (++running[number] > 1) ++together;
        Work(3000);
        --running[number];
      }
      const std::lock_guard<std::mutex> lock(mutex);
      places.emplace(number, sched_getcpu());
    };
  };
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult result = Execute(plan, variant(0), variant(1));
    ASSERT_EQ(result.error.cause, "");
    uint64_t alone = 0;
    for (const PairRecord& pair : result.pairs) {
      if ((pair.flags & kAlone) != 0) {
        ++alone;
        EXPECT_EQ(pair.cpus[0], pair.cpus[1]);
        EXPECT_EQ(pair.overlap, 0);
      } else {
        EXPECT_EQ(pair.cpus[pair.assignment], plan.cpus[0]);
        EXPECT_EQ(pair.cpus[1 - pair.assignment], plan.cpus[1]);
      }
    }
    EXPECT_GT(alone, 0u);
    EXPECT_GT(result.pairs.size(), alone);
  }
  EXPECT_EQ(together, 0) << "the instances of a variant never run at the same time";
  EXPECT_EQ(places.size(), 4u);
}

TEST(MeasuringLoop, OneVariantIsSetUpAtATimeAndRolesSayWhichFirst) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
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
      const RunResult result = Execute(plan, variant(0), variant(1));
      ASSERT_EQ(result.error.cause, "");
      EXPECT_EQ(together, 0);
      const RunRandomization roles = DrawRandomization(plan.seed, plan.run);
      // Each lane has both variants: the roles say which lane is set up first, too.
      const int first_loop = schedule == Schedule::kCrossed ? 0 : roles.thread_set_up_first;
      EXPECT_EQ(first, roles.variant_of_thread[first_loop]) << plan.run;
    }
  }
}

struct Executed {
  std::atomic<int64_t> iterations[2] = {{0}, {0}};
};

RunResult ExecuteUnequal(const RunPlan& plan, Executed* executed) {
  const auto variant = [executed](int number, double ns) {
    return [executed, number, ns](State& state) {
      for (auto _ : state) SpinNs(ns);
      executed->iterations[number] = state.iterations();
    };
  };
  return Execute(plan, variant(0, 60e3), variant(1, 1200e3));
}

TEST(MeasuringLoop, FillingKeepsTheFasterVariantBusy) {
  RunPlan plan = ShortPlan();
  plan.fill = 1;
  plan.budget_ns = 20e6;
  Executed executed;
  const RunResult result = ExecuteUnequal(plan, &executed);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(executed.iterations[0], 2 * executed.iterations[1]);
  // Iterations that fill the time are in no pair.
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.iterations[0], 1u);
    EXPECT_EQ(pair.iterations[1], 1u);
  }
  EXPECT_GT(RatioOfLeast(result), 8);
}

TEST(MeasuringLoop, WithoutFillingBothExecuteTheSame) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  Executed executed;
  const RunResult result = ExecuteUnequal(plan, &executed);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(executed.iterations[0], executed.iterations[1]);
  EXPECT_GT(RatioOfLeast(result), 8);
}

TEST(MeasuringLoop, FillingWorksWithBatches) {
  RunPlan plan = ShortPlan();
  plan.fill = 1;
  const RunResult result = Execute(
      plan, [] { Work(10); }, [] { Work(60); });
  ASSERT_EQ(result.error.cause, "");
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.iterations[0], result.batch);
    EXPECT_EQ(pair.iterations[1], result.batch);
  }
}

TEST(Interleaved, NeverRunsBothAtOnce) {
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
  const RunResult result = Execute(plan, variant, variant);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(together, 0);
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    // The second sample starts when the first one is done.
    const double of_first = pair.ticks[pair.assignment == 0 ? 0 : 1];
    EXPECT_GE(pair.assignment == 0 ? pair.skew_ticks : -pair.skew_ticks, of_first);
    EXPECT_EQ(pair.overlap, 0);
  }
}

// Both come to the end of the calibration at once; neither goes on with what the other left behind.
TEST(Interleaved, BothVariantsExecuteEquallyManyIterations) {
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
    const RunResult result = Execute(plan, counting(0), counting(1));
    ASSERT_EQ(result.error.cause, "");
    EXPECT_EQ(iterations[0], iterations[1]);
  }
}

TEST(Interleaved, StaysOnOneCpu) {
  if (DUETBENCH_FALLBACK) GTEST_SKIP() << "fallbacks choose no CPU";
  const RunPlan plan = ShortPlan(Schedule::kInterleaved);
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.cpus[0], plan.cpus[0]);
    EXPECT_EQ(pair.cpus[1], plan.cpus[0]);
    EXPECT_EQ(pair.block, 0u);
  }
}

TEST(Interleaved, TheOrderIsAbbaAndRandom) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.budget_ns = 20e6;
  plan.batch = 100;
  plan.sample_ns = 5e3;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  ASSERT_GT(result.pairs.size(), 50u);
  int old_first = 0;
  std::set<std::string> orders;  // of two pairs
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    const PairRecord& pair = result.pairs[i];
    EXPECT_EQ(pair.assignment == 0, OldGoesFirst(plan.seed, plan.run, pair.pair_index));
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

// The variants in the order of their iterations, each of which takes some microseconds.
std::vector<int> OrderOf(const RunPlan& plan, RunResult* result) {
  std::vector<int> order;  // one variant at a time
  const auto variant = [&](int number) {
    return [&, number](State& state) {
      for (auto _ : state) {
        Work(300);
        order.push_back(number);
      }
    };
  };
  *result = Execute(plan, variant(0), variant(1));
  return order;
}

size_t LongestBlock(const std::vector<int>& order) {
  size_t longest = 0;
  size_t length = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    length = i > 0 && order[i] == order[i - 1] ? length + 1 : 1;
    longest = std::max(longest, length);
  }
  return longest;
}

RunPlan OneIterationASample(Schedule schedule) {
  RunPlan plan = ShortPlan(schedule);
  plan.budget_ns = 40e6;
  plan.batch = 1;
  plan.sample_ns = 20e3;
  plan.min_batch_ns = 20e3;
  return plan;
}

TEST(Interleaved, SegmentsAreBlocksOfOneVariantAndFlagged) {
  RunPlan plan = OneIterationASample(Schedule::kInterleaved);
  RunResult result;
  EXPECT_EQ(LongestBlock(OrderOf(plan, &result)), 2u) << "ABBA";
  ASSERT_EQ(result.error.cause, "");
  plan.alone_share = 0.2;
  const AlonePacing pacing = PaceAlone(plan, plan.sample_ns);
  ASSERT_GT(pacing.pairs, 100u);
  EXPECT_GE(LongestBlock(OrderOf(plan, &result)), pacing.pairs);
  ASSERT_EQ(result.error.cause, "");
  uint64_t alone = 0;
  std::set<uint32_t> orders;
  for (const PairRecord& pair : result.pairs) {
    if ((pair.flags & kAlone) == 0) continue;
    ++alone;
    orders.insert(pair.assignment);
  }
  EXPECT_EQ(alone, pacing.pairs - pacing.discard);
  EXPECT_EQ(orders.size(), 1u) << "the block that came first";
  EXPECT_GT(result.pairs.size(), alone);
}

TEST(Duet, InASegmentOneVariantIsExecutedWhileTheOtherSleeps) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = OneIterationASample(Schedule::kDuet);
  plan.alone_share = 0.2;
  const AlonePacing pacing = PaceAlone(plan, plan.sample_ns);
  ASSERT_GT(pacing.pairs, 100u);
  std::atomic<uint64_t> iterations[2] = {{0}, {0}};
  uint64_t longest[2] = {0, 0};  // iterations while the partner had none
  const auto variant = [&](int number) {
    return [&, number](State& state) {
      uint64_t seen = 0;
      uint64_t length = 0;
      for (auto _ : state) {
        Work(300);
        ++iterations[number];
        const uint64_t of_partner = iterations[1 - number];
        length = of_partner == seen ? length + 1 : 1;
        seen = of_partner;
        longest[number] = std::max(longest[number], length);
      }
    };
  };
  std::set<uint32_t> assignments;
  for (plan.run = 0; plan.run < 8; ++plan.run) {
    longest[0] = longest[1] = 0;
    const RunResult result = Execute(plan, variant(0), variant(1));
    ASSERT_EQ(result.error.cause, "");
    EXPECT_GE(longest[0], pacing.pairs - 1);
    EXPECT_GE(longest[1], pacing.pairs - 1);
    uint64_t alone = 0;
    for (const PairRecord& pair : result.pairs) {
      if ((pair.flags & kAlone) == 0) continue;
      ++alone;
      EXPECT_NE(pair.cpus[0], pair.cpus[1]);
      EXPECT_EQ(pair.overlap, 0);
      assignments.insert(pair.assignment);
    }
    EXPECT_EQ(alone, pacing.pairs - pacing.discard);
    EXPECT_GT(result.pairs.size(), alone);
  }
  EXPECT_EQ(assignments.size(), 2u) << "over the runs, either variant on either CPU";
}

TEST(Alternating, IsBlocksOfOneVariant) {
  const RunPlan plan = OneIterationASample(Schedule::kAlternating);
  const AlonePacing pacing = PaceAlone(plan, plan.sample_ns);
  ASSERT_GE(pacing.pairs, 200u);
  RunResult result;
  EXPECT_GE(LongestBlock(OrderOf(plan, &result)), pacing.pairs);
  ASSERT_EQ(result.error.cause, "");
  const uint64_t of_segment = pacing.pairs - pacing.discard;
  EXPECT_GE(result.pairs.size(), of_segment);
  EXPECT_EQ(result.pairs.size() % of_segment, 0u);
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.flags & kAlone, 0u) << "these are the pairs of the ratio";
    EXPECT_EQ(pair.cpus[0], pair.cpus[1]);
  }
}

// A batch shorter than twenty of these cannot be measured. Under TSan nothing takes some
// microseconds.
constexpr double kCoarseNs = 5000;

// 2^32 iterations at once, none of which does anything.
void Removed(State& state) {
  while (state.KeepRunningBatch(int64_t{1} << 32)) {
  }
}

class NothingToMeasureTest : public testing::TestWithParam<Schedule> {};

TEST_P(NothingToMeasureTest, IsAnErrorThatNamesTheVariant) {
  if (LoopCount(GetParam()) > 2 && !HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = ShortPlan(GetParam());
  plan.resolution_ns = kCoarseNs;
  const auto work = [] { SpinNs(1e6); };
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult new_removed = Execute(plan, work, Removed);
    EXPECT_EQ(new_removed.error.variant, 1);
    EXPECT_THAT(new_removed.error.cause, HasSubstr("takes no measurable time"));
    EXPECT_THAT(new_removed.error.cause, HasSubstr("DoNotOptimize"));
    EXPECT_TRUE(new_removed.pairs.empty());
    const RunResult old_removed = Execute(plan, Removed, work);
    EXPECT_EQ(old_removed.error.variant, 0);
    EXPECT_THAT(old_removed.error.cause, HasSubstr("takes no measurable time"));
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, NothingToMeasureTest,
                         testing::Values(Schedule::kDuet, Schedule::kInterleaved,
                                         Schedule::kCrossed, Schedule::kAlternating),
                         [](const auto& info) { return std::string(NameOf(info.param)); });

TEST(NothingToMeasure, IsAnErrorWhereBothWereRemoved) {
  RunPlan plan = ShortPlan();
  plan.resolution_ns = kCoarseNs;
  const RunResult result = Execute(plan, Removed, Removed);
  EXPECT_GE(result.error.variant, 0);
  EXPECT_THAT(result.error.cause, HasSubstr("takes no measurable time"));
}

}  // namespace
}  // namespace duetbench
