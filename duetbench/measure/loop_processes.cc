#include "duetbench/measure/loop_processes.h"

#include <sys/single_threaded.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/measure/run_collection.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/forked_children.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/reopen_files.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kLongestTurn = std::chrono::milliseconds(100);
constexpr nanoseconds kThreadCountInterval = std::chrono::milliseconds(1);

// In the process of a loop: writes what it has measured, on every way out of its thread.
class WriteAtEnd {
 public:
  WriteAtEnd(const std::shared_ptr<RunInProgress>& run, const ForkedChildren::Pipe& pipe)
      : run_(run), pipe_(pipe) {}
  ~WriteAtEnd() {
    const double peak_rss_bytes = GrowthOfRss();
    result.loops = CollectLoops(*run_);
    for (LoopRecord& loop : result.loops) loop.peak_rss_bytes = peak_rss_bytes;
    if (!pipe_.Write(EncodeRunRecord(result))) _exit(kExitCannotReport);
    if (returned) return;
    // The thread ends by pthread_exit, and with it the process would, by exit().
    std::fflush(nullptr);
    _exit(0);
  }
  WriteAtEnd(const WriteAtEnd&) = delete;
  WriteAtEnd& operator=(const WriteAtEnd&) = delete;

  RunRecord result;
  bool returned = false;
  // Before the variant is set up: pages that the fork has copied are no memory of the variant.
  std::optional<ResidentMemory> memory_before;

 private:
  // By how much the resident memory has grown at most; -1: not known.
  double GrowthOfRss() const {
    const std::optional<ResidentMemory> memory = ReadResidentMemory();
    if (!memory.has_value() || !memory_before.has_value()) return -1;
    return std::max(0.0, memory->peak - memory_before->now);
  }

  const std::shared_ptr<RunInProgress>& run_;
  const ForkedChildren::Pipe& pipe_;
};

void ExecuteLoop(const std::shared_ptr<RunInProgress>& run, int thread,
                 const ForkedChildren::Pipe& pipe) {
  run->only_thread = thread;
  ReopenFiles();
  {
    WriteAtEnd at_end(run, pipe);
    if (AllocatePages(run.get(), thread)) {
      at_end.memory_before = ReadResidentMemory();
      ExecuteThread(run, thread);
    } else {
      at_end.result.error = {VariantOf(*run, thread), kNoMemoryForRecords};
      run->shared->block.Leave();
    }
    at_end.returned = true;
  }
  if (!ReportsAtExit()) return;
  // Sanitizers look for leaks at exit, and not for pointers in the pages of the loops.
  for (auto& loop : run->loops) loop.reset();
  std::exit(0);
}

// The most threads at once that each variant has started. All variants of a group but its base are
// new.
void CountThreads(const RunInProgress& run, const std::vector<int>& threads,
                  const ForkedChildren& children, int32_t (&most)[3]) {
  int32_t counts[2] = {0, 0};
  for (size_t i = 0; i < threads.size(); ++i) {
    const int here = ThreadCount(children.children()[i]->pid);
    counts[std::min(VariantOf(run, threads[i]), 1)] += std::max(0, here - 1 - ThreadsOfSanitizer());
  }
  for (int v = 0; v < 2; ++v) most[v] = std::max(most[v], counts[v]);
}

// Waits for the children of `run`, until all have ended or one has failed. False: they did not end
// within plan.timeout_ns.
bool AwaitLoops(const RunInProgress& run, const std::vector<int>& threads, ForkedChildren* children,
                int32_t (&most_threads)[3]) {
  const auto now = std::chrono::steady_clock::now;
  SuspendAwareDeadline deadline(nanoseconds(static_cast<int64_t>(run.plan.timeout_ns)), now());
  const auto has_ended = [](const auto& child) { return child->has_ended; };
  const auto brought_nothing = [](const auto& child) {
    return child->has_ended && child->written.empty();
  };
  for (;;) {
    const auto& all = children->children();
    if (std::all_of(all.begin(), all.end(), has_ended)) return true;
    if (std::any_of(all.begin(), all.end(), brought_nothing)) return true;
    nanoseconds turn = kLongestTurn;
    if (run.plan.timeout_ns > 0) turn = std::min(turn, deadline.Turn(now()));
    if (turn == nanoseconds(0)) return false;
    if (run.plan.watch_threads != 0) {
      turn = std::min(turn, kThreadCountInterval);
      CountThreads(run, threads, *children, most_threads);
    }
    EndIfCollectorHasEnded();
    children->Await(turn);
  }
}

// The record that `child` wrote. Without one, this process ends.
RunRecord ResultOf(const ForkedChildren::Child& child, int variant) {
  absl::StatusOr<RunRecord> result = DecodeRunRecord(child.written);
  if (result.ok() && child.failed()) {
    result->error = {variant, "its process failed at its end, after it had reported"};
  }
  if (result.ok()) return *std::move(result);
  RunRecord failed;
  failed.error = {variant, std::string(result.status().message())};
  return failed;
}

}  // namespace

bool CanForkLoops() { return ThreadCount(getpid()) == 1; }

bool HasHadThreads() { return __libc_single_threaded == 0; }

RunRecord ExecuteInProcesses(const std::shared_ptr<RunInProgress>& run) {
  const uint64_t begin = ticks::Now();
  const std::vector<int> threads = ThreadsOf(*run);
  RunRecord whole;
  std::vector<RunRecord> parts;
  int32_t most_threads[3] = {0, 0, 0};
  {
    ForkedChildren children;
    for (const int thread : threads) {
      const absl::Status started =
          children.Start([&](const ForkedChildren::Pipe& pipe) { ExecuteLoop(run, thread, pipe); });
      if (started.ok()) continue;
      whole.error.cause = std::string(started.message());
      return whole;
    }
    whole.stuck = !AwaitLoops(*run, threads, &children, most_threads);
    for (size_t i = 0; i < threads.size() && whole.stuck; ++i) {
      if (!children.IsStopped(i)) continue;
      whole.stuck = false;
      whole.error = {VariantOf(*run, threads[i]), "was stopped (by a signal or a debugger)"};
      return whole;
    }
    for (size_t i = 0; i < threads.size() && !whole.stuck; ++i) {
      const ForkedChildren::Child& child = *children.children()[i];
      if (child.has_ended && child.written.empty()) EndLike(child.wait_status);
    }
    for (size_t i = 0; i < threads.size() && !whole.stuck; ++i) {
      parts.push_back(ResultOf(*children.children()[i], VariantOf(*run, threads[i])));
    }
  }
  if (whole.stuck) return whole;
  whole = Combine(std::move(parts));
  std::copy_n(most_threads, 3, whole.started_threads);
  whole.wall_ns = static_cast<double>(ticks::Now() - begin) * run->plan.ns_per_tick;
  return whole;
}

}  // namespace duetbench
