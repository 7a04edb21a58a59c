#ifndef TOOLS_DUET_EXECUTION_H_
#define TOOLS_DUET_EXECUTION_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"

// One execution of a program that knows nothing of duetbench. A small process of this tool executes
// it: it pins itself to a CPU, waits for the other one of a pair, forks, and measures from the fork
// until the program has ended. (A child of posix_spawn would begin with the resident memory of the
// process that starts it, in the maximum that the kernel reports.)
namespace duetbench::duet {

// A program and the conditions of its execution.
struct ExecutionRequest {
  std::vector<std::string> words;  // the first one is a path, or is looked for in PATH
  std::string executable;          // the file to execute; empty: the first word
  std::string folder;              // to start it in; empty: this one
  int cpu = -1;                    // -1: any
  // The stdout of the program is wanted, and it is one that reads flags of Google Benchmark or
  // duetbench from its environment: those of this tool are removed. False: stdout is /dev/null.
  bool has_report = false;
  int meeting = -1;  // shared memory of MeetingBytes() zeros, where two executions begin together
  double timeout_ns = 0;
  // The place in a page where its stack begins (RunRandomization); the kernel then draws no
  // addresses, if it can be asked not to. -1: as the kernel has it.
  int stack_offset = -1;
};

// Its memory begins in zeros (OpenSharedMemory).
size_t MeetingBytes();

// The report of that process about the execution. Trivially copyable: it comes through a pipe.
struct ExecutionRecord {
  int64_t start_ns = 0;  // of CLOCK_MONOTONIC, right before the fork
  int64_t end_ns = 0;    // after the end
  double user_s = 0;     // CPU time, with that of the processes that the program waited for
  double system_s = 0;
  double waited_ns = 0;      // in which its main thread was ready and had no CPU
  double times_blocked = 0;  // it left the CPU to wait for something else
  double max_rss_bytes = 0;  // of the largest of these processes
  int32_t wait_status = 0;   // as of waitpid(2)
  int32_t not_pinned = 0;    // 1: the system does not allow it
  // 1: processes that the program has started still run after its end.
  int32_t leaves_processes = 0;
};
static_assert(std::is_trivially_copyable_v<ExecutionRecord>);

struct Execution {
  ExecutionRecord record;
  std::string report;  // what it wrote to stdout, if that was wanted
  std::string said;    // the end of what it wrote to stderr

  double wall_ns() const { return static_cast<double>(record.end_ns - record.start_ns); }
  double cpu_ns() const { return (record.user_s + record.system_s) * 1e9; }
  bool exited() const;
  int exit_status() const;  // if it exited
  // "exited with status 3: no such file": with the last line of `said`.
  std::string HowItEnded() const;
};

// Executes all of them at the same time, at most two. The error Aborted begins with the number of
// the execution that did not end (`failed`): it took longer than the time-out. Cancelled: a signal
// came (experiment/interrupt.h). Others: no execution is possible.
absl::StatusOr<std::vector<Execution>> Execute(const std::vector<ExecutionRequest>& requests,
                                               int* failed);

// In the process that Execute starts: executes the program, writes the record and returns the exit
// status. False: this process was not started for that.
bool ServeExecution(const std::vector<std::string>& arguments, int* status);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_EXECUTION_H_
