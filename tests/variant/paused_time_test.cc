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

// The least time of `variant` over that of the work that is counted.
template <class Variant>
double RatioToCountedWork(Variant variant, double budget_ns = 20e6) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = budget_ns;
  const RunResult result = Measured(plan, CountedWork, variant);
  return RatioOfLeast(result);
}

TEST(PausedTime, PausedWorkIsNotTimed) {
  const double ratio = RatioToCountedWork([](State& state) {
    for (auto _ : state) {
      SpinNs(kCountedNs);
      state.PauseTiming();
      SpinNs(kPausedNs);
      state.ResumeTiming();
    }
  });
  EXPECT_GT(ratio, 0.3);
  EXPECT_LT(ratio, 3);
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
  const RunResult result = Measured(plan, asleep, asleep);
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
  const RunResult result = Measured(plan, asleep, asleep);
  ASSERT_FALSE(result.pairs.empty());
  double least = 1;
  for (const PairRecord& pair : result.pairs) {
    least = std::min(least, pair.cpu_ns[0] / (pair.ticks[0] * plan.ns_per_tick));
  }
  EXPECT_LT(least, 0.5);
}

TEST(PausedTime, WorkIsTimedUnlessPaused) {
  const double ratio = RatioToCountedWork([](State& state) {
    for (auto _ : state) SpinNs(kCountedNs + kPausedNs);
  });
  EXPECT_GT(ratio, 7);
}

TEST(PausedTime, APauseMayLastFromOneIterationToTheNext) {
  const double ratio = RatioToCountedWork([](State& state) {
    for (auto _ : state) {
      state.ResumeTiming();
      SpinNs(kCountedNs);
      state.PauseTiming();
      SpinNs(kPausedNs);
    }
  });
  EXPECT_GT(ratio, 0.3);
  EXPECT_LT(ratio, 3);
}

TEST(PausedTime, PausesOutsideTheLoopAndTwiceInARowDoNothing) {
  constexpr double kBudgetNs = 100e6;  // a sample with its pauses takes milliseconds
  const double ratio = RatioToCountedWork(
      [](State& state) {
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
      },
      kBudgetNs);
  EXPECT_GT(ratio, 0.3);
  EXPECT_LT(ratio, 3);
}

TEST(PausedTime, SetUpAndTearDownAreNotTimed) {
  const double ratio = RatioToCountedWork([](State& state) {
    SpinNs(20e6);
    for (auto _ : state) SpinNs(kCountedNs);
    SpinNs(20e6);
  });
  EXPECT_LT(ratio, 3);
}

}  // namespace
}  // namespace duetbench
