#ifndef DUETBENCH_TESTS_MEASURE_SHORT_RUN_H_
#define DUETBENCH_TESTS_MEASURE_SHORT_RUN_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/measure/duet_run.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"
#include "duetbench/variant/variant.h"
#include "gtest/gtest.h"

// Runs of a few milliseconds in the process of a test.
namespace duetbench {

// On the first two CPUs allowed (the first one alone if there are no two, or for kInterleaved).
// A run that hangs ends the test after 200 s; beside many
// busy processes a run of milliseconds takes seconds.
RunPlan ShortPlan(Schedule schedule = Schedule::kDuet);

bool HaveTwoCpus();

// True if two threads on those CPUs run concurrently just now: they answer each other, for some
// milliseconds. A host may run two virtual CPUs on one of its CPUs, in turns, for seconds.
bool TwoCpusRunAtOnce();

// A whole run of two variants in this process.
RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions);

// The same, except that a run whose threads are stuck ends the program: they use what the test
// would take down.
RunResult Execute(const RunPlan& plan, const DuetFunctions& functions);

template <class Old, class New>
RunResult Execute(const RunPlan& plan, Old old_variant, New new_variant,
                  std::vector<int64_t> ranges = {}) {
  return Execute(plan, DuetFunctions{{MakeVariant(std::move(old_variant)),
                                      MakeVariant(std::move(new_variant))},
                                     std::move(ranges)});
}

// A run without an error, or else the test fails.
template <class... Variants>
RunResult Measured(const RunPlan& plan, Variants... variants) {
  RunResult result = Execute(plan, std::move(variants)...);
  EXPECT_EQ(result.error.cause, "");
  return result;
}

// Keeps a CPU busy: some nanoseconds a step.
void Work(int steps = 30);

// Works for so long, in CPU time: at least so long in real time, however the machine is loaded.
void SpinNs(double ns);

// The loop that most tests need.
inline void WorkLoop(State& state) {
  for (auto _ : state) Work();
}

// Time of one iteration, in nanoseconds, over all pairs. What takes a CPU away from a test for a
// while makes times longer and never shorter: tests compare the least ones.
struct TimeSpan {
  double least_ns;
  double most_ns;
};

TimeSpan TimePerIteration(const RunResult& result, int variant);

// Least time of an iteration of new / of old.
double RatioOfLeast(const RunResult& result);

// The counters that a variant reports, by name.
std::map<std::string, CounterValue> CountersOf(const RunResult& result, int variant);

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_MEASURE_SHORT_RUN_H_
