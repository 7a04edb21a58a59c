#include "duetbench/measure/duet_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/measure/loop_processes.h"
#include "duetbench/measure/run_in_progress.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

using std::chrono::nanoseconds;

// A look takes 4 us, 0.4 % of it (ThreadCount).
constexpr std::chrono::milliseconds kThreadLookInterval(1);

// Waits for the threads of a run. False: they did not end within plan.timeout_ns. With
// plan.watch_threads `most` becomes the most threads of this process at once.
bool AwaitThreads(RunInProgress& run, int* most) {
  const size_t threads = ThreadsOf(run).size();
  const auto now = std::chrono::steady_clock::now;
  SuspendAwareDeadline deadline(nanoseconds(static_cast<int64_t>(run.plan.timeout_ns)), now());
  for (;;) {
    const uint32_t ended = __atomic_load_n(&run.ended_threads, __ATOMIC_ACQUIRE);
    if (ended == threads) return true;
    nanoseconds turn = std::chrono::seconds(1);
    if (run.plan.timeout_ns > 0) turn = deadline.Turn(now());
    if (turn == nanoseconds(0)) return false;
    if (run.plan.watch_threads != 0) {
      turn = std::min<nanoseconds>(turn, kThreadLookInterval);
      *most = std::max(*most, ThreadCount(getpid()));
    }
    FutexWait(&run.ended_threads, ended, turn);
  }
}

// The activities of the loops of this process, by variant.
void ActivitiesOf(const RunInProgress& run, uint32_t (&activities)[kMaxVariants]) {
  for (const int thread : ThreadsOf(run)) {
    activities[VariantOf(run, thread)] =
        __atomic_load_n(&run.shared->block.activities[thread].activity, __ATOMIC_RELAXED);
  }
}

RunRecord ExecuteOnThreads(const std::shared_ptr<RunInProgress>& run) {
  RunRecord result;
  const uint64_t begin = ticks::Now();
  const int before = ThreadCount(getpid());
  int most = 0;
  std::vector<std::thread> threads;
  try {
    const StacksOfMainThread stacks;
    for (const int thread : ThreadsOf(*run)) threads.emplace_back(ExecuteThread, run, thread);
  } catch (const std::system_error& error) {
    // Those that were started wait for all to be set up.
    run->shared->block.Leave();
    for (std::thread& thread : threads) thread.join();
    result.error.cause = absl::StrCat("no thread can be started: ", error.what());
    return result;
  }
  if (!AwaitThreads(*run, &most)) {
    for (std::thread& thread : threads) thread.detach();
    result.stuck = true;
    return result;
  }
  for (std::thread& thread : threads) thread.join();
  const int of_run = static_cast<int>(threads.size()) + ThreadsOfSanitizer();
  result.started_threads[kEitherVariant] = std::max(0, most - before - of_run);
  result.wall_ns = static_cast<double>(ticks::Now() - begin) * run->plan.ns_per_tick;
  result.loops = CollectLoops(*run);
  return result;
}

// Notice of a run whose loops should be processes, and are threads.
constexpr char kHasThreads[] =
    "the program has threads when its benchmarks begin, so both variants are threads of one "
    "process (--duet_isolation=process starts each in its own process)";
constexpr char kHadThreads[] =
    "the program has started threads before its benchmarks: the libraries of C and C++ lock more "
    "in it than in a program with one thread";

// With the CPU for a schedule on one CPU: the one where the kernel has started this process, as a
// rule an idle one, unless the process has waited for it. Where the run has several processes, that
// of the first one.
RunPlan WithOnlyCpu(RunPlan plan, SharedRun* shared) {
  if (plan.other_cpu < 0) return plan;
  constexpr double kWaitingShareOfIdleCpu = 0.2;
  const bool is_here_idle = ThisThreadWaitingShare() < kWaitingShareOfIdleCpu;
  const bool is_on_other = CurrentCpu() == plan.other_cpu;
  int32_t cpu = is_on_other == is_here_idle ? plan.other_cpu : plan.cpus[0];
  int32_t chosen = 0;
  if (shared != nullptr &&
      !__atomic_compare_exchange_n(&shared->only_cpu, &chosen, cpu + 1, /*weak=*/false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    cpu = chosen - 1;
  }
  plan.cpus[0] = plan.cpus[1] = cpu;
  return plan;
}

RunRecord ExecuteLoops(const RunPlan& plan, const DuetFunctions& functions, int side,
                       SharedRun* shared) {
  const bool in_processes = plan.in_processes != 0 && CanForkLoops();
  const std::shared_ptr<RunInProgress> run =
      PrepareRun(WithOnlyCpu(plan, shared), functions, in_processes, side, shared);
  RunRecord result;
  if (run == nullptr) {
    result.error = {side, kNoMemoryForRecords};
    return result;
  }
  result = in_processes ? ExecuteInProcesses(run) : ExecuteOnThreads(run);
  result.overhead_ticks = run->overhead_ticks;
  ActivitiesOf(*run, result.activities);
  if (plan.in_processes != 0 && !in_processes) {
    result.notice = kHasThreads;
  } else if (in_processes && HasHadThreads()) {
    result.notice = kHadThreads;
  }
  return result;
}

// Compares what the variants return.
RunRecord CheckResults(const ResultFunctions& functions) {
  RunRecord record;
  int* const running_variant = RunningVariant();
  const std::string thrown = CallCatchingExceptions(
      [&] { record.error.cause = CompareResults(functions, running_variant); });
  if (!thrown.empty()) record.error.cause = thrown;
  record.error.variant = std::exchange(*running_variant, -1);
  return record;
}

}  // namespace

int VariantOfThisThread() { return *RunningVariant(); }

RunRecord ExecutePart(const RunPlan& plan, const DuetFunctions& functions, int side,
                      SharedRun* shared) {
  RunRecord record;
  if (functions.set_up) {
    const std::string thrown = CallCatchingExceptions(functions.set_up);
    if (!thrown.empty()) {
      record.error.cause = absl::StrCat("Setup ", thrown);
      return record;
    }
  }
  const ResultFunctions& results = functions.results;
  const auto is_function = [](const auto& result) { return result != nullptr; };
  if (plan.check_equal != 0 && std::any_of(results.begin(), results.end(), is_function)) {
    record = CheckResults(results);
  } else {
    record = ExecuteLoops(plan, functions, side, shared);
  }
  // Threads that are stuck still use what Teardown would take away.
  if (functions.tear_down && !record.stuck) {
    const std::string thrown = CallCatchingExceptions(functions.tear_down);
    if (!thrown.empty() && !HasError(record)) {
      record.error.cause = absl::StrCat("Teardown ", thrown);
    }
  }
  return record;
}

}  // namespace duetbench
