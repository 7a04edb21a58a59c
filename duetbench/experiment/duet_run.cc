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
#include "duetbench/experiment/loop_processes.h"
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
void ActivitiesOf(const RunInProgress& run, uint32_t (&activities)[2]) {
  for (uint32_t round = 0; round < run.plan.rounds; ++round) {
    for (const int thread : ThreadsOf(run)) {
      const bool swapped = run.side < 0 && !run.in_processes && (round & 1) != 0;
      const int variant = VariantOf(run, thread) ^ (swapped ? 1 : 0);
      const int loop = !swapped && (round & 1) != 0 ? thread ^ 1 : thread;
      const uint32_t seen = __atomic_load_n(
          &run.shared->rounds[round].block.activities[loop].activity, __ATOMIC_RELAXED);
      if (seen == static_cast<uint32_t>(Activity::kNotStarted)) continue;
      uint32_t& activity = activities[variant];
      if (!HoldsUpTheRun(static_cast<Activity>(activity))) activity = seen;
    }
  }
}

SideResult ExecuteOnThreads(const std::shared_ptr<RunInProgress>& run, InterruptFlag interrupted) {
  SideResult result;
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
    result.error.cause = absl::StrCat("no thread can be started: ", error.what());
    return result;
  }
  if (!AwaitThreads(*run, interrupted, census.has_value() ? &*census : nullptr)) {
    for (std::thread& thread : threads) thread.detach();
    result.stuck = true;
    return result;
  }
  for (std::thread& thread : threads) thread.join();
  for (int v = 0; census.has_value() && v <= kEitherVariant; ++v) {
    result.started_threads[v] = census->started(v);
  }
  result.wall_ns = static_cast<double>(ticks::Now() - begin) * run->plan.ns_per_tick;
  result.rounds = CollectLoops(*run);
  return result;
}

// Of a run whose loops should be processes of their own.
constexpr char kHasThreads[] =
    "the program has threads when its benchmarks begin, so both variants are threads of one "
    "process "
    "(--duet_isolation=process gives each a start of its own)";
constexpr char kHadThreads[] =
    "the program has started threads before its benchmarks: the libraries of C and C++ lock more "
    "in "
    "it than in a program with one thread";

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

// Executes the loops of `side`, or of both variants if it is -1.
SideResult ExecuteLoops(const RunPlan& plan, const DuetFunctions& functions,
                        InterruptFlag interrupted, int side, SharedRun* shared) {
  const bool in_processes = plan.in_processes != 0 && CanForkLoops();
  const std::shared_ptr<RunInProgress> run =
      PrepareRun(WithOnlyCpu(plan), functions, in_processes, side, shared);
  SideResult result;
  if (run == nullptr) {
    result.error = {side, kNoMemoryForRecords};
    return result;
  }
  result = in_processes ? ExecuteInProcesses(run) : ExecuteOnThreads(run, interrupted);
  result.overhead_ticks = run->overhead_ticks;
  ActivitiesOf(*run, result.activities);
  if (plan.in_processes != 0 && !in_processes) {
    result.notice = kHasThreads;
  } else if (in_processes && HasHadThreads()) {
    result.notice = kHadThreads;
  }
  return result;
}

RunResult Measure(const RunPlan& plan, const DuetFunctions& functions, InterruptFlag interrupted) {
  SideResult all = ExecuteLoops(plan, functions, interrupted, /*side=*/-1, /*shared=*/nullptr);
  const bool runs_on = all.stuck && (plan.in_processes == 0 || !CanForkLoops());
  RunResult result = RunOf(plan, std::move(all));
  result.stuck = runs_on;
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
  result = ExecuteLoops(plan, WithSelf(plan, functions), /*interrupted=*/nullptr, side, shared);
  if (functions.tear_down && !result.stuck) {
    const std::string thrown = CallCatchingExceptions(functions.tear_down);
    if (!thrown.empty() && result.error.cause.empty()) {
      result.error = {-1, absl::StrCat("Teardown ", thrown)};
    }
  }
  return result;
}

}  // namespace duetbench
