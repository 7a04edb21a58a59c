#include "duetbench/variant/state.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/run/short_run.h"

namespace duetbench {
namespace {

using benchmark::Counter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::map<std::string, CounterValue> Counters(const RunResult& result, int variant) {
  std::map<std::string, CounterValue> counters;
  for (const CounterValue& counter : result.variants[variant].counters) {
    counters[counter.name] = counter;
  }
  return counters;
}

// The variants' own counts, and the count of their State after the loop.
struct Counted {
  std::atomic<int64_t> executed{0};
  std::atomic<int64_t> iterations{0};
};

TEST(State, TheRangeLoopExecutesWhatItCounts) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
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

// Both variants do the same work per iteration, one of them in groups of 7 that do not fit.
TEST(State, TimesOfKeepRunningBatchArePerIteration) {
  RunPlan plan = ShortPlan();
  plan.batch = 10;
  plan.sample_ns = 100e3;
  const RunResult result = Execute(
      plan,
      [](State& state) {
        for (auto _ : state) SpinNs(10e3);
      },
      [](State& state) {
        while (state.KeepRunningBatch(7)) SpinNs(70e3);
      });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 0.8);
  EXPECT_LT(RatioOfLeast(result), 1.25);
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

constexpr double kCountedNs = 20e3;
constexpr double kPausedNs = 400e3;

void CountedWork(State& state) {
  for (auto _ : state) SpinNs(kCountedNs);
}

TEST(State, PausedWorkIsNotTimed) {
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

// Sleep between PauseTiming and ResumeTiming is neither real nor CPU time of the sample.
TEST(State, PausedSleepIsNoCpuTime) {
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
TEST(State, TimedSleepIsNoCpuTime) {
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

TEST(State, WorkIsTimedUnlessPaused) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  const RunResult result = Execute(plan, CountedWork, [](State& state) {
    for (auto _ : state) SpinNs(kCountedNs + kPausedNs);
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(RatioOfLeast(result), 7);
}

TEST(State, APauseMayLastFromOneIterationToTheNext) {
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

TEST(State, PausesOutsideTheLoopAndTwiceInARowDoNothing) {
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

TEST(State, SetUpAndTearDownAreNotTimed) {
  const RunResult result = Execute(ShortPlan(), CountedWork, [](State& state) {
    SpinNs(20e6);
    for (auto _ : state) SpinNs(kCountedNs);
    SpinNs(20e6);
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_LT(RatioOfLeast(result), 3);
}

TEST(State, RatesAreThoseOfTheTimes) {
  const auto variant = [](State& state) {
    for (auto _ : state) Work(100);
    state.SetItemsProcessed(state.iterations() * 3);
    state.SetBytesProcessed(state.iterations() * 4096);
    state.counters["rate"] = Counter(static_cast<double>(state.iterations()) * 7, Counter::kIsRate);
    state.counters["invariant rate"] = Counter(9, Counter::kIsIterationInvariantRate);
    state.counters["seconds"] =
        Counter(static_cast<double>(state.iterations()), Counter::kIsRate | Counter::kInvert);
    state.counters["average rate"] = Counter(5, Counter::kAvgIterationsRate);
  };
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved, Schedule::kCrossed}) {
    const RunResult result = Execute(ShortPlan(schedule), variant, variant);
    ASSERT_EQ(result.error.cause, "");
    for (int i = 0; i < 2; ++i) {
      std::map<std::string, CounterValue> counters = Counters(result, i);
      // A mean of the times is behind all of them.
      const double per_second = counters["items_per_second"].value / 3;
      const TimeSpan span = TimePerIteration(result, i);
      EXPECT_GT(1e9 / per_second, span.least_ns * 0.999);
      EXPECT_LT(1e9 / per_second, span.most_ns * 1.001);
      const auto expect_near = [&](const char* name, double expected) {
        EXPECT_NEAR(counters[name].value, expected, 1e-6 * expected) << name;
      };
      expect_near("bytes_per_second", 4096 * per_second);
      expect_near("rate", 7 * per_second);
      expect_near("invariant rate", 9 * per_second);
      expect_near("seconds", 1 / per_second);
      EXPECT_EQ(counters["items_per_second"].one_k, Counter::kIs1000);
      EXPECT_EQ(counters["bytes_per_second"].one_k, Counter::kIs1024);
      EXPECT_EQ(counters["rate"].flags, Counter::kIsRate);
    }
  }
}

TEST(State, CountersFollowTheirFlags) {
  std::atomic<int64_t> iterations{0};
  const RunResult result = Execute(ShortPlan(), WorkLoop, [&](State& state) {
    for (auto _ : state) Work();
    iterations = state.iterations();
    state.counters["plain"] = 12.5;
    state.counters["average"] =
        Counter(static_cast<double>(state.iterations()) * 5, Counter::kAvgIterations);
    state.counters["invariant"] = Counter(2, Counter::kIsIterationInvariant);
    state.counters["inverse"] = Counter(4, Counter::kInvert);
    state.counters["threads"] = Counter(6, Counter::kAvgThreads);
  });
  ASSERT_EQ(result.error.cause, "");
  std::map<std::string, CounterValue> counters = Counters(result, 1);
  EXPECT_EQ(counters["plain"].value, 12.5);
  EXPECT_NEAR(counters["average"].value, 5, 1e-9);
  EXPECT_EQ(counters["invariant"].value, 2.0 * static_cast<double>(iterations));
  EXPECT_EQ(counters["inverse"].value, 0.25);
  EXPECT_EQ(counters["threads"].value, 6) << "there is one thread";
  EXPECT_TRUE(result.variants[0].counters.empty()) << "they are the other variant's";
}

TEST(State, ItemsAndBytesCanBeReadBack) {
  State state(nullptr, {});
  EXPECT_EQ(state.items_processed(), 0);
  EXPECT_EQ(state.bytes_processed(), 0);
  state.SetItemsProcessed(12);
  state.SetBytesProcessed(int64_t{1} << 40);
  EXPECT_EQ(state.items_processed(), 12);
  EXPECT_EQ(state.bytes_processed(), int64_t{1} << 40);
}

TEST(State, LabelAndComplexityComeBackWithTheirVariant) {
  const RunResult result = Execute(
      ShortPlan(),
      [](State& state) {
        state.SetLabel("overwritten");
        WorkLoop(state);
        state.SetLabel("sorted");
      },
      [](State& state) {
        WorkLoop(state);
        state.SetComplexityN(1024);
        if (state.complexity_length_n() != 1024) state.SkipWithError("n is lost");
      });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(result.variants[0].label, "sorted");
  EXPECT_EQ(result.variants[1].label, "");
  EXPECT_EQ(result.variants[0].complexity_n, 0);
  EXPECT_EQ(result.variants[1].complexity_n, 1024);
}

TEST(State, ManualTimesReplaceTheMeasuredOnes) {
  RunPlan plan = ShortPlan();
  plan.manual_time = 1;
  const auto reports = [](double seconds) {
    return [seconds](State& state) {
      for (auto _ : state) {
        Work(100);
        state.SetIterationTime(seconds);
      }
      state.SetItemsProcessed(state.iterations());
    };
  };
  const RunResult result = Execute(plan, reports(1e-3), reports(2.5e-3));
  ASSERT_EQ(result.error.cause, "");
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    for (int variant = 0; variant < 2; ++variant) {
      const double ns =
          pair.ticks[variant] * plan.ns_per_tick / static_cast<double>(pair.iterations[variant]);
      EXPECT_NEAR(ns, variant == 0 ? 1e6 : 2.5e6, 1);
    }
    EXPECT_EQ(pair.flags & kNoTime, 0u);
  }
  EXPECT_NEAR(Counters(result, 0)["items_per_second"].value, 1000, 1e-3);
  EXPECT_NEAR(Counters(result, 1)["items_per_second"].value, 400, 1e-3);
}

RunResult RunWithManualTime(double old_seconds) {
  RunPlan plan = ShortPlan();
  plan.manual_time = 1;
  const auto reports = [](double seconds) {
    return [seconds](State& state) {
      for (auto _ : state) {
        Work();
        state.SetIterationTime(seconds);
      }
    };
  };
  return Execute(plan, reports(old_seconds), reports(1e-6));
}

TEST(State, AManualTimeThatIsNoneIsAnErrorThatNamesVariantAndValue) {
  const std::pair<double, const char*> cases[] = {
      {std::nan(""), "SetIterationTime(nan): "}, {HUGE_VAL, "SetIterationTime(inf): "},
      {-1e-6, "SetIterationTime(-1e-06): "},     {1e-300, "SetIterationTime(1e-300): "},
      {1e300, "SetIterationTime(1e+300): "},     {0, "SetIterationTime(0) in all iterations"}};
  for (const auto& [seconds, cause] : cases) {
    const RunResult result = RunWithManualTime(seconds);
    EXPECT_EQ(result.error.variant, 0) << cause;
    EXPECT_THAT(result.error.cause, HasSubstr(cause));
    EXPECT_THAT(result.pairs, IsEmpty());
  }
}

TEST(State, AManualTimeThatIsMissingIsAnError) {
  RunPlan plan = ShortPlan();
  plan.manual_time = 1;
  const RunResult result = Execute(
      plan,
      [](State& state) {
        for (auto _ : state) {
          Work();
          state.SetIterationTime(1e-6);
        }
      },
      WorkLoop);
  EXPECT_EQ(result.error.variant, 1);
  EXPECT_THAT(result.error.cause, HasSubstr("did not call SetIterationTime"));
}

// Clocks of devices have steps.
TEST(State, AManualTimeMayBeZeroInSomeIterations) {
  RunPlan plan = ShortPlan();
  plan.manual_time = 1;
  const auto reports = [](State& state) {
    int i = 0;
    for (auto _ : state) {
      Work();
      state.SetIterationTime(++i % 2 == 0 ? 2e-6 : 0);
    }
  };
  const RunResult result = Execute(plan, reports, reports);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_THAT(result.pairs, Not(IsEmpty()));
}

// A time that was reported is of no use without UseManualTime.
TEST(State, ManualTimesAreIgnoredUnlessAskedFor) {
  const RunResult result = Execute(ShortPlan(), CountedWork, [](State& state) {
    for (auto _ : state) {
      SpinNs(kCountedNs);
      state.SetIterationTime(1000);
    }
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_LT(RatioOfLeast(result), 3);
}

}  // namespace
}  // namespace duetbench
