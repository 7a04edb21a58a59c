// Events counted for both variants of real runs.
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "duetbench/measure/event_counting.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/survey.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

constexpr size_t kPages = 1000;

void TouchFreshPages(size_t pages) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = kPages * page_bytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page_bytes] = 1;
  munmap(memory, bytes);
}

RunPlan PlanThatCounts(const EventCode& code, Schedule schedule = Schedule::kDuet) {
  RunPlan plan = ShortPlan(schedule);
  plan.budget_ns = 60e6;
  plan.events = 1;
  plan.event_codes[0] = code;
  return plan;
}

// Why this machine does not count an event as it is; empty if it does.
std::string Refusal(const EventCode& code) {
  if (!ReadEnvironment("").sanitizer.empty()) return "sanitizers touch further pages";
  const CounterSet counters(&LinuxPerf(), &code, 1);
  if (counters.error(0) == 0) return "";
  return WhyRefused(code, counters.error(0), ReadPerfSurroundings(""));
}

double PerIteration(const EventTally& tally, int variant) {
  return tally.counts[variant] / tally.iterations[variant];
}

TEST(CountedRun, PageFaultsAreThoseOfTheSideThatHasThem) {
  const EventCode code = SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS);
  if (const std::string refusal = Refusal(code); !refusal.empty()) GTEST_SKIP() << refusal;
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    const RunResult result = Measured(
        PlanThatCounts(code, schedule), [] { TouchFreshPages(kPages); },
        [] { TouchFreshPages(0); });
    ASSERT_EQ(result.events.size(), 1u);
    ASSERT_GT(result.events[0].pairs, 0u);
    EXPECT_NEAR(PerIteration(result.events[0], 0), kPages, 10);
    EXPECT_NEAR(PerIteration(result.events[0], 1), 0, 10);
    // And without any counter, from the kernel's accounting.
    ASSERT_GT(result.usage[0].iterations, 0u);
    EXPECT_NEAR(static_cast<double>(result.usage[0].minor_faults) /
                    static_cast<double>(result.usage[0].iterations),
                kPages, 10);
    EXPECT_NEAR(static_cast<double>(result.usage[1].minor_faults) /
                    static_cast<double>(result.usage[1].iterations),
                0, 10);
  }
}

TEST(CountedRun, WhatIsPausedIsNotCounted) {
  const EventCode code = SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS);
  if (const std::string refusal = Refusal(code); !refusal.empty()) GTEST_SKIP() << refusal;
  const auto variant = [](State& state) {
    for (auto _ : state) {
      state.PauseTiming();
      TouchFreshPages(500);
      state.ResumeTiming();
      TouchFreshPages(20);
    }
  };
  const auto paused_at_the_end = [](State& state) {
    for (auto _ : state) {
      state.ResumeTiming();
      TouchFreshPages(20);
      state.PauseTiming();
      TouchFreshPages(500);
    }
  };
  const RunResult result = Measured(PlanThatCounts(code), variant, paused_at_the_end);
  ASSERT_GT(result.events[0].pairs, 0u);
  EXPECT_NEAR(PerIteration(result.events[0], 0), 20, 2);
  EXPECT_NEAR(PerIteration(result.events[0], 1), 20, 2);
}

TEST(CountedRun, TimedIterationsOfShortBatchesAreNoneThatCount) {
  const EventCode code = SoftwareCode(PERF_COUNT_SW_TASK_CLOCK);
  if (const std::string refusal = Refusal(code); !refusal.empty()) GTEST_SKIP() << refusal;
  const RunResult result = Measured(PlanThatCounts(code), WorkLoop, WorkLoop);
  EXPECT_GT(result.events[0].pairs, 0u);
  // CPU time by the counter, nanoseconds, against the time of the pairs: both are of one iteration.
  EXPECT_GT(PerIteration(result.events[0], 0), TimePerIteration(result, 0).least_ns / 3);
  std::set<uint64_t> timed;
  for (const PairRecord& pair : result.pairs) timed.insert(pair.pair_index);
  RunPlan plan = PlanThatCounts(code);
  for (const uint64_t pair_index : timed) {
    EXPECT_FALSE(CountsEventsInPair(plan, result.sample_ns, pair_index, 1)) << pair_index;
  }
}

TEST(CountedRun, LongIterationsAreTimedAndCounted) {
  const EventCode code = SoftwareCode(PERF_COUNT_SW_TASK_CLOCK);
  if (const std::string refusal = Refusal(code); !refusal.empty()) GTEST_SKIP() << refusal;
  const auto slow = [] { SpinNs(1.5 * kLongSampleNs); };
  const RunResult result = Measured(PlanThatCounts(code), slow, slow);
  EXPECT_EQ(result.events[0].pairs, result.pairs.size());
}

TEST(CountedRun, AnEventThatCannotBeOpenedDisturbsNothing) {
  EventCode code;
  code.type = 0x7fffffff;  // no PMU has this number
  const RunResult result = Measured(PlanThatCounts(code), WorkLoop, WorkLoop);
  EXPECT_FALSE(result.pairs.empty());
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].pairs, 0u);
}

TEST(CountedRun, InstructionsOfALoopOfKnownLengthAreThoseOfItsSide) {
  const EventCode code = HardwareCode(PERF_COUNT_HW_INSTRUCTIONS);
  if (const std::string refusal = Refusal(code); !refusal.empty()) GTEST_SKIP() << refusal;
  constexpr int kSteps = 100'000;
  const auto loop = [](uint64_t left) {
#if defined(__x86_64__)
    asm volatile("1:\n\tsubq $1, %0\n\tjnz 1b" : "+r"(left) : : "cc");
#elif defined(__aarch64__)
    asm volatile("1:\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
#endif
  };
  const RunResult result = Execute(
      PlanThatCounts(code), [&loop] { loop(kSteps); }, [&loop] { loop(uint64_t{2} * kSteps); });
  ASSERT_EQ(result.error.cause, "");
  ASSERT_GT(result.events[0].pairs, 0u);
  EXPECT_NEAR(PerIteration(result.events[0], 0), 2.0 * kSteps, 0.01 * 2 * kSteps);
  EXPECT_NEAR(PerIteration(result.events[0], 1), 4.0 * kSteps, 0.01 * 4 * kSteps);
}

}  // namespace
}  // namespace duetbench
