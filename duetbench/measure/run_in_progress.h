#ifndef DUETBENCH_MEASURE_RUN_IN_PROGRESS_H_
#define DUETBENCH_MEASURE_RUN_IN_PROGRESS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "duetbench/measure/measuring_loop.h"
#include "duetbench/measure/run_controller.h"
#include "duetbench/measure/run_randomization.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/measure/shared_block.h"
#include "duetbench/platform/memory.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

// State that the loops of a run share. It may lie in memory that two processes map; its first state
// is all zeros.
struct SharedRun {
  // Room for a controller, on its own cache lines.
  struct alignas(128) Controller {
    RunController* get() { return reinterpret_cast<RunController*>(storage); }
    unsigned char storage[sizeof(RunController)];
  };
  static_assert(std::is_trivially_destructible_v<RunController>);

  SharedBlock block;
  Controller controllers[2];  // by CPU
  // The only CPU of the run (RunPlan::other_cpu) + 1, from the process that asks first; 0: nobody
  // has. Atomic.
  int32_t only_cpu = 0;
};
static_assert(std::is_trivially_copyable_v<SharedRun>);

// The memory of a loop, which its thread alone writes.
struct LoopPages {
  Pages loop;
  Pages samples;
  Pages counts;
};

// A run that is being executed: both variants are set up, measured together, and torn down. Shared
// by the threads of its loops and the one that waits for them, which may abandon the run when it is
// stuck. Arrays are indexed by thread; each has a loop.
struct RunInProgress {
  // The loops lie in the pages of their threads.
  struct DestroyInPlace {
    void operator()(MeasuringLoop* loop) const { loop->~MeasuringLoop(); }
  };

  RunPlan plan;
  DuetFunctions functions;
  RunRandomization randomization{};
  uint64_t overhead_ticks = 0;  // of an empty timed region
  uint64_t pause_ticks = 0;
  size_t capacity = 0;  // for the samples of a loop
  LoopPages pages[kMaxVariants];
  std::unique_ptr<MeasuringLoop, DestroyInPlace> loops[kMaxVariants];  // null: it did not begin
  LoopRecord records[kMaxVariants];  // errors, reports, set-ups and stacks
  SharedRun own_shared{};
  // `own_shared`, or memory that the processes of the run share.
  SharedRun* shared = &own_shared;
  // The variant whose loop this process executes; -1: all. Other processes have the others.
  int side = -1;
  // The processes of the loops are forked from this one (duet_run.h), and have one thread.
  bool in_processes = false;
  int only_thread = -1;        // in such a process
  uint32_t ended_threads = 0;  // atomic, a futex
};

// Prepares a run of `plan`; null if there is no memory for its records. `side` and `shared` as in
// RunInProgress; `shared` may be null. `in_processes`: AllocatePages is left to the process of each
// loop, so that its pages are its own.
std::shared_ptr<RunInProgress> PrepareRun(const RunPlan& plan, const DuetFunctions& functions,
                                          bool in_processes, int side = -1,
                                          SharedRun* shared = nullptr);

inline constexpr char kNoMemoryForRecords[] = "there is no memory for the records of the run";

// Allocates the pages of the thread `thread`. False: there is no memory.
bool AllocatePages(RunInProgress* run, int thread);

// The threads of the run in this process.
std::vector<int> ThreadsOf(const RunInProgress& run);

// The variant of a thread.
int VariantOf(const RunInProgress& run, int thread);

// Executes a loop of a run on the calling thread, which is its thread number `thread`.
void ExecuteThread(const std::shared_ptr<RunInProgress>& run, int thread);

// Records of the loops of a run that this process executed, whose threads have ended. Moves the
// reports of the variants out of the run.
std::vector<LoopRecord> CollectLoops(RunInProgress& run);

// The variant whose code the calling thread executes: 0, 1, or -1 outside of variants. Safe in
// signal handlers, if the pointer is only read.
int* RunningVariant();

// Calls a function of the user's. Returns what it threw, as in "threw std::out_of_range: index 7",
// or an empty string. The cancellation of a thread passes through.
std::string CallCatchingExceptions(const std::function<void()>& function);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_IN_PROGRESS_H_
