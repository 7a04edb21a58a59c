#include "duetbench/experiment/duet_run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/call_catching_exceptions.h"
#include "duetbench/experiment/run_collection.h"
#include "duetbench/experiment/run_rounds.h"
#include "duetbench/experiment/variant_threads.h"
#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

RunResult Failed(std::string cause) {
  RunResult result;
  result.error.cause = std::move(cause);
  return result;
}

using InterruptFlag = const volatile std::sig_atomic_t*;

constexpr std::chrono::milliseconds kInterruptPollInterval(100);

// A look at four threads takes 6 us, 0.6 % of it (ThreadIds).
constexpr std::chrono::milliseconds kCensusInterval(1);

std::vector<int> OwnThreads(const RunInProgress& run) {
  std::vector<int> ids;
  for (const int& id : run.thread_ids) ids.push_back(__atomic_load_n(&id, __ATOMIC_ACQUIRE));
  return ids;
}

// Waits for the threads of a run. False: the run was interrupted, or they did not end within
// plan.timeout_ns.
bool AwaitThreads(RunInProgress& run, InterruptFlag interrupted, ThreadCensus* census) {
  std::unique_lock<std::mutex> lock(run.mutex);
  const auto threads = static_cast<int>(ThreadsOf(run).size());
  const auto all_ended = [&run, threads] { return run.ended_threads == threads; };
  const bool has_timeout = run.plan.timeout_ns > 0;
  if (!has_timeout && interrupted == nullptr && census == nullptr) {
    run.thread_ended.wait(lock, all_ended);
    return true;
  }
  using Clock = SuspendAwareDeadline::Clock;
  SuspendAwareDeadline deadline(std::chrono::nanoseconds(static_cast<int64_t>(run.plan.timeout_ns)),
                                Clock::now());
  while (!all_ended()) {
    std::chrono::nanoseconds turn = kInterruptPollInterval;
    if (has_timeout) turn = deadline.Turn(Clock::now());
    if (turn == std::chrono::nanoseconds(0)) return false;
    if (interrupted != nullptr) {
      if (*interrupted != 0) return false;
      turn = std::min<std::chrono::nanoseconds>(turn, kInterruptPollInterval);
    }
    if (census != nullptr) {
      turn = std::min<std::chrono::nanoseconds>(turn, kCensusInterval);
      census->Look([&run] { return OwnThreads(run); });
    }
    run.thread_ended.wait_for(lock, turn);
  }
  return true;
}

// What the loops of this process are doing, by variant.
void ActivitiesOf(const RunInProgress& run, Activity (*activities)[2]) {
  for (const MeasuringLoop* const& current : run.current) {
    const MeasuringLoop* const loop = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    if (loop == nullptr) continue;
    Activity& activity = (*activities)[loop->variant()];
    if (!HoldsUpTheRun(activity)) activity = loop->activity();
  }
}

// How the threads of a run ended.
struct Execution {
  std::string failure;  // no thread could be started; empty: they were
  bool stuck = false;   // they still run
  double wall_ns = 0;
  int started_threads[3] = {0, 0, 0};
};

Execution Execute(const std::shared_ptr<RunInProgress>& run, InterruptFlag interrupted) {
  Execution execution;
  const uint64_t begin = ticks::Now();
  std::optional<ThreadCensus> census;
  if (run->plan.watch_threads != 0) census.emplace();
  std::vector<std::thread> threads;
  try {
    for (const int thread : ThreadsOf(*run)) threads.emplace_back(ExecuteRounds, run, thread);
  } catch (const std::system_error& error) {
    // Those that were started wait for all to be set up.
    run->shared->rounds[0].block.Leave();
    for (std::thread& thread : threads) thread.join();
    execution.failure = absl::StrCat("no thread can be started: ", error.what());
    return execution;
  }
  if (!AwaitThreads(*run, interrupted, census.has_value() ? &*census : nullptr)) {
    for (std::thread& thread : threads) thread.detach();
    execution.stuck = true;
    return execution;
  }
  for (std::thread& thread : threads) thread.join();
  for (int v = 0; census.has_value() && v <= kEitherVariant; ++v) {
    execution.started_threads[v] = census->started(v);
  }
  execution.wall_ns = static_cast<double>(ticks::Now() - begin) * run->plan.ns_per_tick;
  return execution;
}

constexpr char kNoMemory[] = "there is no memory for the records of the run";

// With the CPU for a schedule on one CPU: the one where the kernel has started this process, as a
// rule an idle one, unless the process has waited for it.
RunPlan WithOnlyCpu(RunPlan plan) {
  if (plan.other_cpu < 0) return plan;
  constexpr double kWaitingShareOfIdleCpu = 0.2;
  const bool is_here_idle = ThisThreadWaitingShare() < kWaitingShareOfIdleCpu;
  const bool is_on_other = CurrentCpu() == plan.other_cpu;
  if (is_on_other == is_here_idle) plan.cpus[0] = plan.cpus[1] = plan.other_cpu;
  return plan;
}

RunResult Measure(const RunPlan& plan, const DuetFunctions& functions, InterruptFlag interrupted) {
  const std::shared_ptr<RunInProgress> run = PrepareRun(WithOnlyCpu(plan), functions);
  if (run == nullptr) return Failed(kNoMemory);
  const Execution execution = Execute(run, interrupted);
  if (!execution.failure.empty()) return Failed(execution.failure);
  if (execution.stuck) {
    Activity activities[2] = {Activity::kNotStarted, Activity::kNotStarted};
    ActivitiesOf(*run, &activities);
    RunResult result;
    result.error = DescribeStuck(activities, plan.timeout_ns * 1e-9);
    result.stuck = true;
    return result;
  }
  RunResult result = CollectRun(run->plan, run->overhead_ticks, CollectLoops(*run));
  result.wall_ns = execution.wall_ns;
  std::copy_n(execution.started_threads, 3, result.started_threads);
  return result;
}

SideResult MeasureSide(const RunPlan& plan, const DuetFunctions& functions, int side,
                       SharedRun* shared) {
  SideResult result;
  const std::shared_ptr<RunInProgress> run = PrepareRun(plan, functions, side, shared);
  if (run == nullptr) {
    result.error = {side, kNoMemory};
    return result;
  }
  const Execution execution = Execute(run, nullptr);
  if (!execution.failure.empty()) result.error = {side, execution.failure};
  result.stuck = execution.stuck;
  Activity activities[2] = {Activity::kNotStarted, Activity::kNotStarted};
  ActivitiesOf(*run, &activities);
  result.activity = static_cast<uint32_t>(activities[side]);
  if (result.stuck) return result;
  result.overhead_ticks = run->overhead_ticks;
  result.wall_ns = execution.wall_ns;
  result.rounds = CollectLoops(*run);
  return result;
}

RunResult CheckEqual(const RunPlan& plan, const DuetFunctions& functions,
                     InterruptFlag interrupted) {
  if (functions.check_results == nullptr) {
    RunResult result = Measure(plan, functions, interrupted);
    if (result.error.cause.empty()) {
      result.error.cause = DescribeDifference(result.variants[0], result.variants[1]);
    }
    return result;
  }
  RunResult result;
  int* const running_variant = RunningVariant();
  const std::string thrown = CallCatchingExceptions(
      [&] { result.error.cause = functions.check_results->Compare(running_variant); });
  if (!thrown.empty()) result.error = {*running_variant, thrown};
  *running_variant = -1;
  return result;
}

// Of an A/A run: one variant plays both old and new.
DuetFunctions WithSelf(const RunPlan& plan, DuetFunctions functions) {
  if (plan.self == 0) functions.variants[1] = functions.variants[0]->Copy();
  if (plan.self == 1) functions.variants[0] = functions.variants[1]->Copy();
  return functions;
}

}  // namespace

int VariantOfThisThread() { return *RunningVariant(); }

RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions,
                     const volatile std::sig_atomic_t* interrupted) {
  if (functions.set_up) {
    const std::string thrown = CallCatchingExceptions(functions.set_up);
    if (!thrown.empty()) return Failed(absl::StrCat("Setup ", thrown));
  }
  RunResult result = plan.check_equal != 0 ? CheckEqual(plan, functions, interrupted)
                                           : Measure(plan, WithSelf(plan, functions), interrupted);
  // Threads that are stuck still use what Teardown would take away.
  if (functions.tear_down && !result.stuck) {
    const std::string thrown = CallCatchingExceptions(functions.tear_down);
    if (!thrown.empty() && result.error.cause.empty()) {
      result.error.cause = absl::StrCat("Teardown ", thrown);
    }
  }
  return result;
}

SideResult ExecuteSide(const RunPlan& plan, const DuetFunctions& functions, int side,
                       SharedRun* shared) {
  SideResult result;
  if (functions.set_up) {
    const std::string thrown = CallCatchingExceptions(functions.set_up);
    if (!thrown.empty()) {
      result.error = {-1, absl::StrCat("Setup ", thrown)};
      return result;
    }
  }
  result = MeasureSide(plan, WithSelf(plan, functions), side, shared);
  if (functions.tear_down && !result.stuck) {
    const std::string thrown = CallCatchingExceptions(functions.tear_down);
    if (!thrown.empty() && result.error.cause.empty()) {
      result.error = {-1, absl::StrCat("Teardown ", thrown)};
    }
  }
  return result;
}

}  // namespace duetbench
