// The time of a sample, without what lies between PauseTiming and ResumeTiming.
#include <algorithm>
#include <chrono>
#include <thread>

#include "duetbench/variant/state.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

constexpr double kCountedNs = 20e3;
constexpr double kPausedNs = 400e3;

void CountedWork(State& state) {
  for (auto _ : state) SpinNs(kCountedNs);
}

TEST(PausedTime, PausedWorkIsNotTimed) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const auto paused = [](State& state) {
    for (auto _ : state) {
      SpinNs(kCountedNs);
      state.PauseTiming();
      SpinNs(kPausedNs);
      state.ResumeTiming();
    }
  };
  const RunResult result = Execute(plan, CountedWork, paused);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 0.3);
  EXPECT_LT(RatioOfLeast(result), 3);
}

// Sleep between PauseTiming and ResumeTiming is neither real nor CPU time of the sample.
TEST(PausedTime, PausedSleepIsNoCpuTime) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 50e6;
  const auto asleep = [](State& state) {
    for (auto _ : state) {
      SpinNs(50'000);
      state.PauseTiming();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      state.ResumeTiming();
    }
  };
  const RunResult result = Execute(plan, asleep, asleep);
  ASSERT_EQ(result.error.cause, "");
  ASSERT_FALSE(result.pairs.empty());
  double most = 0;
  for (const PairRecord& pair : result.pairs) {
    for (int variant = 0; variant < 2; ++variant) {
      most = std::max(most, pair.cpu_ns[variant] / (pair.ticks[variant] * plan.ns_per_tick));
    }
  }
  EXPECT_GT(most, 0.5);
  EXPECT_LT(most, 2);
}

// Sleep that is timed is real time, but not CPU time.
TEST(PausedTime, TimedSleepIsNoCpuTime) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 50e6;
  const auto asleep = [](State& state) {
    for (auto _ : state) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const RunResult result = Execute(plan, asleep, asleep);
  ASSERT_EQ(result.error.cause, "");
  ASSERT_FALSE(result.pairs.empty());
  double least = 1;
  for (const PairRecord& pair : result.pairs) {
    least = std::min(least, pair.cpu_ns[0] / (pair.ticks[0] * plan.ns_per_tick));
  }
  EXPECT_LT(least, 0.5);
}

TEST(PausedTime, WorkIsTimedUnlessPaused) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const RunResult result = Execute(plan, CountedWork, [](State& state) {
    for (auto _ : state) SpinNs(kCountedNs + kPausedNs);
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 7);
}

TEST(PausedTime, APauseMayLastFromOneIterationToTheNext) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const RunResult result = Execute(plan, CountedWork, [](State& state) {
    for (auto _ : state) {
      state.ResumeTiming();
      SpinNs(kCountedNs);
      state.PauseTiming();
      SpinNs(kPausedNs);
    }
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 0.3);
  EXPECT_LT(RatioOfLeast(result), 3);
}

TEST(PausedTime, PausesOutsideTheLoopAndTwiceInARowDoNothing) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 100e6;  // a sample with its pauses takes milliseconds
  const RunResult result = Execute(plan, CountedWork, [](State& state) {
    state.PauseTiming();
    state.ResumeTiming();
    state.PauseTiming();
    for (auto _ : state) {
      state.ResumeTiming();
      SpinNs(kCountedNs);
      state.PauseTiming();
      state.PauseTiming();
      SpinNs(kPausedNs);
      state.ResumeTiming();
      state.ResumeTiming();
    }
    state.PauseTiming();
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 0.3);
  EXPECT_LT(RatioOfLeast(result), 3);
}

TEST(PausedTime, SetUpAndTearDownAreNotTimed) {
  const RunResult result = Execute(ShortPlan(), CountedWork, [](State& state) {
    SpinNs(20e6);
    for (auto _ : state) SpinNs(kCountedNs);
    SpinNs(20e6);
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_LT(RatioOfLeast(result), 3);
}

}  // namespace
}  // namespace duetbench
