#ifndef TOOLS_DUET_CODE_TRACE_H_
#define TOOLS_DUET_CODE_TRACE_H_

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace duetbench::duet {

// A program that is executed to see which of its functions are.
struct TraceRequest {
  std::vector<std::string> argv;
  std::string executable;
  std::vector<std::pair<std::string, std::string>> environment;  // added to that of this process
  // The child writes its result to the descriptor that this variable names.
  std::string result_fd_variable;
  std::vector<uint64_t> functions;  // their addresses in the file
  std::chrono::nanoseconds timeout = std::chrono::seconds(5);
};

struct Trace {
  std::vector<uint64_t> executed;  // of `functions`, in the order of their first execution
  std::vector<std::string> files;  // with code that the process had mapped when it ended
  std::set<std::string> opened;    // regular files, but for those of /proc, /sys and /dev
  std::string result;
};

// Executes the program under ptrace, with a breakpoint at each of the functions that is removed
// when it is hit, in all threads and processes that the program starts; about 6 µs for each, and
// twice that for each file that is opened. May be called by several threads at the same time.
// Errors: the kernel or a security policy does not allow ptrace or seccomp filters; the program
// failed, took too long, started another program, or had executable memory that is of no file (a
// JIT compiler).
absl::StatusOr<Trace> TraceProgram(const TraceRequest& request);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_TRACE_H_
