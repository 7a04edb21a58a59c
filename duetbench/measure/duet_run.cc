#include "duetbench/measure/duet_run.h"

#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "duetbench/measure/run_in_progress.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kLongestTurn = std::chrono::milliseconds(100);
// A look takes 4 us, 0.4 % of it (ThreadCount).
constexpr nanoseconds kThreadCountInterval = std::chrono::milliseconds(1);
constexpr nanoseconds kNoTimeout = std::chrono::hours(24 * 365);

// By how much the resident memory has grown at most; -1: not known.
double GrowthOfRss(const std::optional<ResidentMemory>& before) {
  const std::optional<ResidentMemory> memory = ReadResidentMemory();
  if (!memory.has_value() || !before.has_value()) return -1;
  return std::max(0.0, memory->peak - before->now);
}

void ExecuteLoop(const std::shared_ptr<RunInProgress>& run, int thread, int result_fd) {
  run->only_thread = thread;
  ReopenFiles();
  const KnownFile pipe(result_fd);
  RunRecord result;
  // Before the variant is set up: pages that the fork has copied are no memory of the variant.
  std::optional<ResidentMemory> memory_before;
  bool returned = false;
  {
    // Writes what was measured, on every way out of the thread.
    const absl::Cleanup write = [&] {
      const double peak_rss_bytes = GrowthOfRss(memory_before);
      result.loops = CollectLoops(*run);
      for (LoopRecord& loop : result.loops) loop.peak_rss_bytes = peak_rss_bytes;
      if (!pipe.Write(EncodeRunRecord(result)).ok()) _exit(kExitCannotReport);
      if (returned) return;
      // The thread ends by pthread_exit, and with it the process would, by exit().
      std::fflush(nullptr);
      _exit(0);
    };
    if (AllocatePages(run.get(), thread)) {
      memory_before = ReadResidentMemory();
      ExecuteThread(run, thread);
    } else {
      result.error = {VariantOf(*run, thread), kNoMemoryForRecords};
      run->shared->block.Leave();
    }
    returned = true;
  }
  std::cout.flush();
  std::fflush(nullptr);
  if (!ReportsAtExit()) return;
  // Sanitizers look for leaks at exit, and not for pointers in the pages of the loops.
  for (auto& loop : run->loops) loop.reset();
  std::exit(0);
}

// The most threads at once that each variant has started. All variants of a group but its base are
// new.
void CountThreads(const RunInProgress& run, const std::vector<int>& threads,
                  absl::Span<const pid_t> children, int32_t (&most)[3]) {
  int32_t counts[2] = {0, 0};
  for (size_t i = 0; i < threads.size(); ++i) {
    const int here = ThreadCount(children[i]);
    counts[std::min(VariantOf(run, threads[i]), 1)] += std::max(0, here - 1 - ThreadsOfSanitizer());
  }
  for (int v = 0; v < 2; ++v) most[v] = std::max(most[v], counts[v]);
}

// Ends this process the way in which the process of a loop has ended: by its signal, or with its
// exit status.
[[noreturn]] void EndLike(const ChildOutcome& outcome) {
  if (outcome.end == ChildOutcome::End::kExited) _exit(outcome.exit_code);
  const rlimit no_core = {0, 0};  // the child has written one
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(outcome.signal, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, outcome.signal);
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  raise(outcome.signal);
  _exit(kExitError);
}

// The record of the loop of `variant`.
RunRecord RecordOf(const ChildOutcome& outcome, int variant) {
  absl::StatusOr<RunRecord> record = DecodeRunRecord(outcome.result);
  const bool has_failed = outcome.end != ChildOutcome::End::kExited || outcome.exit_code != 0;
  if (record.ok() && has_failed) {
    record->error = {variant, "its process failed at its end, after it had reported"};
  }
  if (record.ok()) return *std::move(record);
  RunRecord failed;
  failed.error = {variant, std::string(record.status().message())};
  return failed;
}

// Puts together what the loops brought. Where the process of one has ended without a record, this
// one ends.
RunRecord PutTogether(const RunInProgress& run, const std::vector<int>& threads,
                      const std::vector<ChildOutcome>& outcomes) {
  using End = ChildOutcome::End;
  RunRecord whole;
  std::vector<RunRecord> parts;
  for (size_t i = 0; i < threads.size(); ++i) {
    const ChildOutcome& outcome = outcomes[i];
    whole.stuck = whole.stuck || outcome.end == End::kTimedOut;
    if (outcome.was_stopped && whole.error.cause.empty()) {
      whole.error = {VariantOf(run, threads[i]), "was stopped (by a signal or a debugger)"};
    }
    const bool has_ended = outcome.end == End::kExited || outcome.end == End::kSignalled;
    if (has_ended && outcome.result.empty()) EndLike(outcome);
    if (has_ended) parts.push_back(RecordOf(outcome, VariantOf(run, threads[i])));
  }
  if (whole.stuck && whole.error.cause.empty()) return whole;
  whole.stuck = false;
  return whole.error.cause.empty() ? Combine(std::move(parts)) : whole;
}

// Executes the loops of `run` in this process, each on the main thread of a process that is forked
// for it: a loop has the heap of the main thread, no thread beside it, and what it leaves behind
// (allocator, caches, rounding mode, static data) does not meet the other variant. Returns when
// all have ended.
//
// A variant that ends its process, by a crash or by _exit, ends this one the same way. Loops that
// take longer than plan.timeout_ns are killed: `stuck`.
RunRecord ExecuteInProcesses(const std::shared_ptr<RunInProgress>& run) {
  const uint64_t begin = ticks::Now();
  const std::vector<int> threads = ThreadsOf(*run);
  const SigchldNotIgnored sigchld_not_ignored;
  std::vector<ChildRequest> requests;
  for (const int thread : threads) {
    ChildRequest& request = requests.emplace_back();
    request.body = [&, thread](int result_fd) {
      sigchld_not_ignored.Restore();
      ExecuteLoop(run, thread, result_fd);
    };
    request.is_part = true;
    request.timeout = run->plan.timeout_ns > 0
                          ? nanoseconds(static_cast<int64_t>(run->plan.timeout_ns))
                          : kNoTimeout;
  }
  int32_t most_threads[3] = {0, 0, 0};
  const bool counts_threads = run->plan.watch_threads != 0;
  const auto watch = [&](absl::Span<const pid_t> children) {
    if (counts_threads) CountThreads(*run, threads, children, most_threads);
    EndIfCollectorHasEnded();
  };
  const auto outcomes =
      RunChildren(requests, watch, counts_threads ? kThreadCountInterval : kLongestTurn);
  RunRecord whole;
  if (!outcomes.ok()) {
    whole.error.cause = std::string(outcomes.status().message());
    return whole;
  }
  whole = PutTogether(*run, threads, *outcomes);
  std::copy_n(most_threads, 3, whole.started_threads);
  whole.wall_ns = static_cast<double>(ticks::Now() - begin) * run->plan.ns_per_tick;
  return whole;
}

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
      turn = std::min(turn, kThreadCountInterval);
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
    WithStacksOfMainThread([&] {
      for (const int thread : ThreadsOf(*run)) threads.emplace_back(ExecuteThread, run, thread);
    });
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
  const bool is_here_idle =
      SchedulingTimesOf("thread-self").waiting_share() < kWaitingShareOfIdleCpu;
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
  } else if (in_processes && __libc_single_threaded == 0) {
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

bool CanForkLoops() { return ThreadCount(getpid()) == 1; }

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
