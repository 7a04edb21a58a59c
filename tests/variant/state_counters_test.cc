// Counters, labels, and rates of a duetbench::State.
#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "duetbench/variant/state.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

using benchmark::Counter;

TEST(StateCounters, RatesAreThoseOfTheTimes) {
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
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    const RunResult result = Measured(ShortPlan(schedule), variant, variant);
    for (int i = 0; i < 2; ++i) {
      std::map<std::string, CounterValue> counters = CountersOf(result, i);
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

TEST(StateCounters, CountersFollowTheirFlags) {
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
  std::map<std::string, CounterValue> counters = CountersOf(result, 1);
  EXPECT_EQ(counters["plain"].value, 12.5);
  EXPECT_NEAR(counters["average"].value, 5, 1e-9);
  EXPECT_EQ(counters["invariant"].value, 2.0 * static_cast<double>(iterations));
  EXPECT_EQ(counters["inverse"].value, 0.25);
  EXPECT_EQ(counters["threads"].value, 6) << "there is one thread";
  EXPECT_TRUE(result.variants[0].counters.empty()) << "they are the other variant's";
}

TEST(StateCounters, ItemsAndBytesCanBeReadBack) {
  State state(nullptr, {});
  EXPECT_EQ(state.items_processed(), 0);
  EXPECT_EQ(state.bytes_processed(), 0);
  state.SetItemsProcessed(12);
  state.SetBytesProcessed(int64_t{1} << 40);
  EXPECT_EQ(state.items_processed(), 12);
  EXPECT_EQ(state.bytes_processed(), int64_t{1} << 40);
}

TEST(StateCounters, LabelComesBackWithItsVariant) {
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
}

}  // namespace
}  // namespace duetbench
