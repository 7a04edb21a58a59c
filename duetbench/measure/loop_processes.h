#ifndef DUETBENCH_MEASURE_LOOP_PROCESSES_H_
#define DUETBENCH_MEASURE_LOOP_PROCESSES_H_

#include <memory>

#include "duetbench/measure/run_in_progress.h"
#include "duetbench/measure/run_record.h"

namespace duetbench {

// True if each loop can have a process: the calling process has one thread, so a fork loses
// nothing. False if the system does not tell.
bool CanForkLoops();

// True if this process has or had a second thread: the C and C++ libraries then use atomic
// operations and locks that they spare a process with one thread.
bool HasHadThreads();

// Executes the loops of `run` in this process, each on the main thread of a process that is forked
// for it: a loop has the heap of the main thread, no thread beside it, and what it leaves behind
// (allocator, caches, rounding mode, static data) does not meet the other variant. Returns when
// all have ended.
//
// A variant that ends its process, by a crash or by _exit, ends this one the same way. Loops that
// take longer than plan.timeout_ns are killed: `stuck`.
RunRecord ExecuteInProcesses(const std::shared_ptr<RunInProgress>& run);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_LOOP_PROCESSES_H_
