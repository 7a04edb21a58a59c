#include <sys/single_threaded.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "duetbench/measure/duet_run.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

class LoopProcessesTest : public ::testing::TestWithParam<Schedule> {
 protected:
  void SetUp() override {
    if (!CanForkLoops()) GTEST_SKIP() << "this process has threads: a sanitizer's?";
  }
  RunPlan Plan() const {
    RunPlan plan = ShortPlan(GetParam());
    plan.in_processes = 1;
    return plan;
  }
};

double ReportedCounter(const RunResult& result, int variant, const std::string& name) {
  for (const CounterValue& counter : result.variants[variant].counters) {
    if (counter.name == name) return counter.value;
  }
  ADD_FAILURE() << name;
  return -1;
}

// Counts the variants that have been in the same process.
int variants_here = 0;

void NoteProcess(State& state, int bit) {
  variants_here |= bit;
  for (auto _ : state) Work();
  state.counters["pid"] = static_cast<double>(getpid());
  state.counters["variants"] = variants_here;
  state.counters["threads"] = __libc_single_threaded == 0 ? 1 : 0;
}

TEST_P(LoopProcessesTest, EachVariantHasItsOwn) {
  const RunResult result = Measured(
      Plan(), [](State& state) { NoteProcess(state, 1); },
      [](State& state) { NoteProcess(state, 2); });
  EXPECT_FALSE(result.pairs.empty());
  EXPECT_EQ(ReportedCounter(result, 0, "variants"), 1);
  EXPECT_EQ(ReportedCounter(result, 1, "variants"), 2);
  EXPECT_NE(ReportedCounter(result, 0, "pid"), ReportedCounter(result, 1, "pid"));
  EXPECT_NE(ReportedCounter(result, 0, "pid"), getpid());
  EXPECT_EQ(variants_here, 0);
}

TEST_P(LoopProcessesTest, AnErrorHasItsVariant) {
  for (const int failing : {0, 1}) {
    const auto throws = [](State&) { throw std::runtime_error("no such file"); };
    DuetFunctions functions{{MakeVariant(WorkLoop), MakeVariant(WorkLoop)}, {}};
    functions.variants[failing] = MakeVariant(throws);
    const RunResult result = Execute(Plan(), functions);
    EXPECT_EQ(result.error.variant, failing);
    EXPECT_EQ(result.error.cause, "threw std::runtime_error: no such file");
    EXPECT_TRUE(result.pairs.empty());
  }
}

TEST_P(LoopProcessesTest, WhoIsStuckIsKilledAndNamed) {
  RunPlan plan = Plan();
  plan.timeout_ns = 0.5e9;
  const RunResult result = Execute(plan, WorkLoop, [](State& state) {
    for (auto _ : state) pause();
  });
  EXPECT_EQ(result.error.variant, 1) << result.error.cause;
  EXPECT_EQ(result.error.cause, "was still executing iterations after 0.5 s (--duet_timeout)");
}

TEST_P(LoopProcessesTest, ItsThreadsAreCounted) {
  RunPlan plan = Plan();
  plan.watch_threads = 1;
  plan.budget_ns = 50e6;
  const RunResult result = Execute(plan, WorkLoop, [](State& state) {
    std::atomic<bool> ends{false};
    std::thread thread([&ends] {
      while (!ends) usleep(1000);
    });
    for (auto _ : state) Work();
    ends = true;
    thread.join();
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(result.started_threads[0], 0);
  EXPECT_GE(result.started_threads[1], 1);
}

TEST_P(LoopProcessesTest, AProcessWithThreadsKeepsItsLoopsAndSaysSo) {
  std::atomic<bool> ends{false};
  std::thread thread([&ends] {
    while (!ends) usleep(1000);
  });
  const RunResult result = Execute(
      Plan(), [](State& state) { NoteProcess(state, 1); },
      [](State& state) { NoteProcess(state, 2); });
  ends = true;
  thread.join();
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(ReportedCounter(result, 0, "pid"), getpid());
  EXPECT_THAT(result.notice,
              ::testing::StartsWith("the program has threads when its benchmarks begin"));
  variants_here = 0;
}

INSTANTIATE_TEST_SUITE_P(Schedules, LoopProcessesTest,
                         ::testing::Values(Schedule::kDuet, Schedule::kInterleaved,
                                           Schedule::kSliced, Schedule::kAlternating),
                         [](const auto& schedule) { return NameOf(schedule.param); });

}  // namespace
}  // namespace duetbench
