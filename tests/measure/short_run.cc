#include "tests/measure/short_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <limits>
#include <thread>

#include "absl/strings/match.h"
#include "benchmark/benchmark.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

RunPlan ShortPlan(Schedule schedule) {
  const std::vector<int> allowed = AllowedCpus().value();
  RunPlan plan;
  plan.seed = 7;
  plan.schedule = schedule;
  plan.cpus[0] = allowed[0];
  plan.cpus[1] = UsesTwoCpus(schedule) && allowed.size() > 1 ? allowed[1] : allowed[0];
  plan.ns_per_tick = NsPerTick();
  plan.budget_ns = 5e6;
  plan.timeout_ns = 200e9;
  return plan;
}

bool HaveTwoCpus() { return AllowedCpus().value().size() > 1; }

bool TwoCpusRunAtOnce() {
  const std::vector<int> allowed = AllowedCpus().value();
  // On one CPU there is one answer a turn, and turns last for 100 us and more; from another CPU an
  // answer takes less than one.
  constexpr int kMinAnswers = 200;
  std::atomic<int> said[2] = {{0}, {0}};
  std::atomic<int> ready{0};
  const auto answer = [&](int side) {
    PinThisThread(allowed[static_cast<size_t>(side)]).IgnoreError();
    ++ready;
    while (ready < 2) std::this_thread::yield();
    const uint64_t end = ticks::MonotonicNs() + 5'000'000;
    int next = 1;
    while (ticks::MonotonicNs() < end) {
      if (said[1 - side] >= next - side) said[side] = next++;
    }
  };
  std::thread other(answer, 1);
  std::thread(answer, 0).join();
  other.join();
  return said[1] >= kMinAnswers;
}

RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions) {
  return RunsOf(plan, {ExecutePart(plan, functions)}).front();
}

RunResult Execute(const RunPlan& plan, const DuetFunctions& functions) {
  RunResult result = ExecuteRun(plan, functions);
  if (plan.in_processes == 0 && absl::StrContains(result.error.cause, "--duet_timeout")) {
    std::fprintf(stderr, "A run hangs; variant %d: %s\n", result.error.variant,
                 result.error.cause.c_str());
    _exit(1);
  }
  return result;
}

// In a register: a processor that learns which loads read what was just stored executes a loop over
// a variable in memory at two speeds.
void Work(int steps) {
  auto x = static_cast<uint64_t>(steps);
  for (int i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  benchmark::DoNotOptimize(x);
}

void SpinNs(double ns) {
  const uint64_t end = ThisThreadCpuNs() + static_cast<uint64_t>(ns);
  while (ThisThreadCpuNs() < end) {
  }
}

TimeSpan TimePerIteration(const RunResult& result, int variant) {
  TimeSpan span{std::numeric_limits<double>::infinity(), 0};
  for (const PairRecord& pair : result.pairs) {
    const double ns =
        pair.ticks[variant] * NsPerTick() / static_cast<double>(pair.iterations[variant]);
    span.least_ns = std::min(span.least_ns, ns);
    span.most_ns = std::max(span.most_ns, ns);
  }
  return span;
}

double RatioOfLeast(const RunResult& result) {
  return TimePerIteration(result, 1).least_ns / TimePerIteration(result, 0).least_ns;
}

std::map<std::string, CounterValue> CountersOf(const RunResult& result, int variant) {
  std::map<std::string, CounterValue> counters;
  for (const CounterValue& counter : result.variants[variant].counters) {
    counters[counter.name] = counter;
  }
  return counters;
}

}  // namespace duetbench
