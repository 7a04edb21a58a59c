#include "duetbench/variant/state.h"

#include <atomic>

#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

// The variants' own counts, and the count of their State after the loop.
struct Counted {
  std::atomic<int64_t> executed{0};
  std::atomic<int64_t> iterations{0};
};

TEST(State, TheRangeLoopExecutesWhatItCounts) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    Counted counted;
    const RunResult result = Execute(ShortPlan(schedule), WorkLoop, [&counted](State& state) {
      int64_t executed = 0;
      for (auto _ : state) {
        Work();
        ++executed;
      }
      counted.executed += executed;
      counted.iterations += state.iterations();
    });
    ASSERT_EQ(result.error.cause, "");
    EXPECT_EQ(counted.executed, counted.iterations);
    int64_t measured = 0;
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[1], result.batch);
      measured += static_cast<int64_t>(pair.iterations[1]);
    }
    EXPECT_GT(measured, 0);
    EXPECT_GE(counted.executed, measured) << "calibration and warm-up count too";
  }
}

TEST(State, KeepRunningExecutesWhatItCounts) {
  Counted counted;
  const RunResult result = Execute(ShortPlan(), WorkLoop, [&counted](State& state) {
    int64_t executed = 0;
    while (state.KeepRunning()) {
      Work();
      ++executed;
      if (state.iterations() != executed) state.SkipWithError("counts wrongly in the loop");
    }
    counted.executed = executed;
    counted.iterations = state.iterations();
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(counted.executed, counted.iterations);
  for (const PairRecord& pair : result.pairs) EXPECT_EQ(pair.iterations[1], result.batch);
}

// Groups that do not divide the batch are executed whole, and counted whole.
TEST(State, KeepRunningBatchRoundsUp) {
  for (const int64_t group : {1, 7, 1000, 1'000'000}) {
    RunPlan plan = ShortPlan();
    plan.batch = 100;
    plan.sample_ns = 5e3;
    Counted counted;
    const RunResult result = Execute(plan, WorkLoop, [&](State& state) {
      int64_t executed = 0;
      while (state.KeepRunningBatch(group)) {
        Work();  // stands for the group
        executed += group;
      }
      counted.executed = executed;
      counted.iterations = state.iterations();
    });
    ASSERT_EQ(result.error.cause, "");
    EXPECT_EQ(counted.executed, counted.iterations);
    const auto groups = static_cast<uint64_t>(group);
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], result.batch);
      EXPECT_EQ(pair.iterations[1], (result.batch + groups - 1) / groups * groups);
    }
  }
}

TEST(StateDeathTest, KeepRunningBatchTakesAPositiveNumber) {
  for (const int64_t group : {int64_t{0}, int64_t{-1}, INT64_MIN, int64_t{1} << 62}) {
    EXPECT_DEATH(Execute(ShortPlan(), WorkLoop,
                         [&](State& state) {
                           while (state.KeepRunningBatch(group)) Work();
                         }),
                 "KeepRunningBatch\\(-?[0-9]+\\): the number must be positive");
  }
}

// Both variants do the same work per iteration, one of them seven times for a batch of one.
TEST(State, TimesOfKeepRunningBatchArePerIteration) {
  RunPlan plan = ShortPlan();
  plan.batch = 1;
  plan.sample_ns = 10e3;
  const RunResult result = Execute(
      plan,
      [](State& state) {
        for (auto _ : state) SpinNs(10e3);
      },
      [](State& state) {
        while (state.KeepRunningBatch(7)) SpinNs(70e3);
      });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 1 / 2.5);
  EXPECT_LT(RatioOfLeast(result), 2.5);
}

TEST(State, TheRangesAreThoseOfTheBenchmark) {
  std::atomic<bool> right{false};
  const RunResult result =
      Execute(ShortPlan(), WorkLoop,
              [&right](State& state) {
                right = state.range() == 64 && state.range(1) == -1 && state.range_size() == 2;
                WorkLoop(state);
              },
              {64, -1});
  EXPECT_EQ(result.error.cause, "");
  EXPECT_TRUE(right);
}

TEST(StateDeathTest, ARangeThatIsNotThereStopsWithAMessage) {
  EXPECT_DEATH(State(nullptr, {}).range(), "range\\(0\\).*with 0 arguments.*->Arg\\(");
  EXPECT_DEATH(State(nullptr, {5}).range(1), "range\\(1\\).*with 1 argument;");
  EXPECT_DEATH(State(nullptr, {5, 6}).range(7), "range\\(7\\).*with 2 arguments;");
}

TEST(State, AVariantHasOneThread) {
  State state(nullptr, {});
  EXPECT_EQ(state.threads(), 1);
  EXPECT_EQ(state.thread_index(), 0);
  EXPECT_EQ(state.iterations(), 0);
}

TEST(State, SkippingInTheSetUpKeepsTheLoopFromBeginning) {
  std::atomic<int> executed{0};
  const RunResult result = Execute(ShortPlan(), WorkLoop, [&executed](State& state) {
    state.SkipWithError("no file");
    state.SkipWithError("a second message");
    for (auto _ : state) ++executed;
  });
  EXPECT_EQ(result.error.variant, 1);
  EXPECT_EQ(result.error.cause, "reported an error: no file");
  EXPECT_EQ(executed, 0);
  EXPECT_TRUE(result.pairs.empty());
}

TEST(State, SkippingWithAMessageIsNoError) {
  std::atomic<bool> told{false};
  const RunResult result = Execute(ShortPlan(), WorkLoop, [&told](State& state) {
    state.SkipWithMessage("no such unit");
    told = state.skipped() && !state.error_occurred();
    for (auto _ : state) state.SkipWithMessage("is not reached");
  });
  EXPECT_EQ(result.error.variant, 1);
  EXPECT_EQ(result.error.cause, "skipped: no such unit");
  EXPECT_TRUE(result.error.skipped);
  EXPECT_TRUE(told);
}

TEST(State, AnErrorGoesBeforeAMessage) {
  const auto leaves = [](State& state) { state.SkipWithMessage("no such unit"); };
  const auto fails = [](State& state) { state.SkipWithError("no file"); };
  for (uint32_t run = 0; run < 4; ++run) {
    RunPlan plan = ShortPlan();
    plan.run = run;
    const RunResult result = Execute(plan, leaves, [](State& state) {
      state.SkipWithMessage("no such unit");
      state.SkipWithError("no file");
    });
    if (result.error.variant == 1) {
      EXPECT_EQ(result.error.cause, "reported an error: no file");
      EXPECT_FALSE(result.error.skipped);
    }
    EXPECT_FALSE(Execute(plan, fails, fails).error.skipped);
  }
}

TEST(State, SkippingInKeepRunningEndsTheLoopAtOnce) {
  std::atomic<int> executed{0};
  std::atomic<bool> told{false};
  RunPlan plan = ShortPlan();
  plan.budget_ns = 200e6;  // it ends before
  const RunResult result = Execute(plan, WorkLoop, [&](State& state) {
    while (state.KeepRunning()) {
      Work();
      if (++executed == 1000) state.SkipWithError("full");
    }
    told = state.error_occurred() && state.skipped() && state.error_message() == "full";
  });
  EXPECT_EQ(result.error.cause, "reported an error: full");
  EXPECT_EQ(executed, 1000);
  EXPECT_TRUE(told);
}

// Without a `break` the range loop, whose count is in a register, ends with its batch.
TEST(State, SkippingInTheRangeLoopEndsItAtTheNextIteration) {
  RunPlan plan = ShortPlan();
  plan.batch = 50;
  plan.sample_ns = 2.5e3;
  plan.budget_ns = 200e6;  // it ends before
  std::atomic<int> executed{0};
  const RunResult result = Execute(plan, WorkLoop, [&](State& state) {
    for (auto _ : state) {
      Work();
      if (++executed == 1000) state.SkipWithError("full");
    }
  });
  EXPECT_EQ(result.error.cause, "reported an error: full");
  EXPECT_LT(executed, 1050);
}

TEST(State, ASecondLoopIsAnError) {
  const RunResult result = Execute(ShortPlan(), WorkLoop, [](State& state) {
    for (auto _ : state) Work();
    for (auto _ : state) Work();
  });
  EXPECT_EQ(result.error.variant, 1);
  EXPECT_NE(result.error.cause.find("a second `for (auto _ : state)` executes nothing"),
            std::string::npos)
      << result.error.cause;
}

}  // namespace
}  // namespace duetbench
