#include "duetbench/measure/loop_processes.h"

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
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kLongestTurn = std::chrono::milliseconds(100);
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

}  // namespace

bool CanForkLoops() { return ThreadCount(getpid()) == 1; }

bool HasHadThreads() { return __libc_single_threaded == 0; }

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

}  // namespace duetbench
