#include "duetbench/experiment/duet_run.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/call_catching_exceptions.h"
#include "duetbench/experiment/run_collection.h"
#include "duetbench/experiment/run_rounds.h"
#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

RunResult Failed(std::string cause) {
  RunResult result;
  result.error.cause = std::move(cause);
  return result;
}

// Waits for the threads of a run. False: they did not end within plan.timeout_ns.
bool AwaitThreads(RunInProgress& run) {
  std::unique_lock<std::mutex> lock(run.mutex);
  const auto all_ended = [&run] { return run.ended_threads == run.loops; };
  if (run.plan.timeout_ns <= 0) {
    run.thread_ended.wait(lock, all_ended);
    return true;
  }
  using Clock = SuspendAwareDeadline::Clock;
  SuspendAwareDeadline deadline(std::chrono::nanoseconds(static_cast<int64_t>(run.plan.timeout_ns)),
                                Clock::now());
  while (!all_ended()) {
    const std::chrono::nanoseconds turn = deadline.Turn(Clock::now());
    if (turn == std::chrono::nanoseconds(0)) return false;
    run.thread_ended.wait_for(lock, turn);
  }
  return true;
}

RunError WhyStuck(const RunInProgress& run) {
  Activity activities[2] = {Activity::kNotStarted, Activity::kNotStarted};
  for (const MeasuringLoop* const& current : run.current) {
    const MeasuringLoop* const loop = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    if (loop == nullptr) continue;
    Activity& activity = activities[loop->variant()];
    if (!HoldsUpTheRun(activity)) activity = loop->activity();
  }
  return DescribeStuck(activities, run.plan.timeout_ns * 1e-9);
}

RunResult Measure(const RunPlan& plan, const DuetFunctions& functions) {
  const std::shared_ptr<RunInProgress> run = PrepareRun(plan, functions);
  if (run == nullptr) return Failed("there is no memory for the records of the run");
  const uint64_t begin = ticks::Now();
  std::vector<std::thread> threads;
  try {
    for (int thread = 0; thread < run->loops; ++thread) {
      threads.emplace_back(ExecuteRounds, run, thread);
    }
  } catch (const std::system_error& error) {
    run->rounds[0].block.Leave();  // those that were started wait for all to be set up
    for (std::thread& thread : threads) thread.join();
    return Failed(absl::StrCat("no thread can be started: ", error.what()));
  }
  if (!AwaitThreads(*run)) {
    for (std::thread& thread : threads) thread.detach();
    RunResult result;
    result.error = WhyStuck(*run);
    result.stuck = true;
    return result;
  }
  for (std::thread& thread : threads) thread.join();
  const uint64_t end = ticks::Now();
  RunResult result = CollectRun(*run);
  result.wall_ns = static_cast<double>(end - begin) * plan.ns_per_tick;
  return result;
}

RunResult CheckEqual(const RunPlan& plan, const DuetFunctions& functions) {
  if (functions.check_results == nullptr) {
    RunResult result = Measure(plan, functions);
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

RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions) {
  if (functions.set_up) {
    const std::string thrown = CallCatchingExceptions(functions.set_up);
    if (!thrown.empty()) return Failed(absl::StrCat("Setup ", thrown));
  }
  RunResult result = plan.check_equal != 0 ? CheckEqual(plan, functions)
                                           : Measure(plan, WithSelf(plan, functions));
  // Threads that are stuck still use what Teardown would take away.
  if (functions.tear_down && !result.stuck) {
    const std::string thrown = CallCatchingExceptions(functions.tear_down);
    if (!thrown.empty() && result.error.cause.empty()) {
      result.error.cause = absl::StrCat("Teardown ", thrown);
    }
  }
  return result;
}

}  // namespace duetbench
