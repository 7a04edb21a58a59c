#include "duetbench/registry/plain_row.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "absl/strings/str_cat.h"
#include "duetbench/pairs_io/ratio_words.h"
#include "duetbench/report/rows.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

// So that no jitter makes a loop too short.
constexpr double kMargin = 1.02;
// What the library takes for long enough whatever the CPU time is: this many times min_time.
constexpr double kRealTimes = 5;

double ThreadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double RealSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Until real time `end`, with `cpu` seconds of CPU time at its beginning.
void Pass(double end, double cpu) {
  const double cpu_end = ThreadCpuSeconds() + cpu;
  double now = RealSeconds();
  while (now < end && ThreadCpuSeconds() < cpu_end) now = RealSeconds();
  if (now < end) std::this_thread::sleep_for(std::chrono::duration<double>(end - now));
}

}  // namespace

LoopTime PlanLoop(double operation_real, double operation_cpu, const RowDemand& demand) {
  const double share = std::clamp(operation_cpu / operation_real, 0.0, 1.0);
  double real = kMargin * demand.min_time;
  if (!demand.real_time) real = std::min(real / std::max(share, 1e-9), kRealTimes * real);
  return {real * share, real};
}

void PlainRow::RunLoop(const RowDemand& demand, Shown* shown, benchmark::State& state) {
  state.SetLabel(shown->label);
  state.counters = shown->counters;
  shown->asked = state.max_iterations;
  const LoopTime loop = PlanLoop(shown->real, shown->cpu, demand);
  const bool has_iterations = shown->iterations >= state.max_iterations;
  state.end();  // starts the timer
  const double start = RealSeconds();
  if (!has_iterations) {
    double elapsed = loop.real;
    if (!demand.manual_time) {
      // A loop that got no CPU in time goes on until it had its CPU time, or the library has
      // enough.
      const double cpu_end = ThreadCpuSeconds() + loop.cpu;
      Pass(start + loop.real, loop.cpu);
      const double longest = start + kRealTimes * kMargin * demand.min_time;
      while (!demand.real_time && ThreadCpuSeconds() < cpu_end && RealSeconds() < longest) {
      }
      elapsed = RealSeconds() - start;
    }
    shown->iterations = std::max(static_cast<int64_t>(std::ceil(elapsed / shown->real)),
                                 static_cast<int64_t>(state.max_iterations));
  }
  const double total = static_cast<double>(shown->iterations) * shown->real;
  if (demand.manual_time) {
    state.SetIterationTime(total);
  } else {
    const double left = start + total - RealSeconds();
    if (left > 0) Pass(start + total, left * shown->cpu / shown->real);
  }
  while (state.KeepRunningBatch(shown->iterations)) {
  }
}

void PlainRow::Show(const Comparison& comparison, const std::vector<int64_t>& ranges,
                    int repetitions, const RowDemand& demand, benchmark::State& state) {
  Shown& shown = shown_[ranges];
  if (state.max_iterations < shown.asked) shown.iterations = 0;  // another row
  shown.real = std::max(comparison.time_ns[1], 1e-3) * 1e-9;
  shown.cpu = std::min(comparison.cpu_ns[1] * 1e-9, shown.real);
  shown.counters.clear();
  for (const auto& [key, value] : ComparisonCounters(comparison)) {
    if (repetitions == 1 || key == "ratio") shown.counters[key] = benchmark::Counter(value);
  }
  shown.label = VerdictSentence(comparison);
  if (!comparison.dry_run) {
    absl::StrAppend(&shown.label, " ", IntervalText(comparison.interval), " (",
                    EffortText(comparison), ")");
  }
  RunLoop(demand, &shown, state);
}

bool PlainRow::ShowAgain(const std::vector<int64_t>& ranges, const RowDemand& demand,
                         benchmark::State& state) {
  const auto it = shown_.find(ranges);
  if (it == shown_.end() || state.max_iterations <= it->second.asked) return false;
  it->second.iterations = 0;
  RunLoop(demand, &it->second, state);
  return true;
}

}  // namespace duetbench
