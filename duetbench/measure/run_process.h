#ifndef DUETBENCH_MEASURE_RUN_PROCESS_H_
#define DUETBENCH_MEASURE_RUN_PROCESS_H_

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/measure/duet_run.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/record/run_result.h"

// The process of a run: this executable again, with the same arguments, followed by flags that
// select one comparison, and with an environment variable that says which run of it to execute. It
// starts like every process of this program (static initialization, main, its set-up), and
// therefore measures what the program really is. When it reaches the comparison it executes its
// loops, writes their record to a pipe, and ends.
namespace duetbench {

// A process of a run: what is started, and how it gets to the comparison, past everything else that
// the program was asked for.
struct RunCommand {
  std::vector<std::string> argv;
  std::string executable;  // empty: this program; else one that takes the same arguments
  std::string folder;      // to start it in; empty: this one
  std::vector<std::pair<std::string, std::string>> environment;
  // If set, the process is a fork of this one (ChildRequest::body), which calls it: it serves the
  // run.
  std::function<void(const RunTask& task, int result_fd)> serve;
  // The beginning of the error if the process ends before it reaches the comparison. Empty: the
  // error says how the process ended.
  std::string did_not_arrive;
  int family = -1;   // RunTask::family in that program
  int executes = 0;  // of several: which variant of that duet it executes: 0 old, 1 new
};

// Executes the run `task` in one process, or in one for each variant, at the same time. Several
// share the memory of the rendezvous (SharedRun, a memfd), and nothing else. What they have
// measured is put together here (RunsOf). When one of several ends without a record, the others are
// killed, and the error has the variant of the one that failed. What the processes of a failed run
// printed is RunResult::output. `watch` is called once they have started, and more often
// (RunChildren). Errors: those of RunChildren.
absl::StatusOr<RunOfPairs> LaunchRun(const std::vector<RunCommand>& commands, const RunTask& task,
                                     const volatile std::sig_atomic_t* interrupted,
                                     const WatchChildren& watch = nullptr);

// In a process of a run: executes its loops, writes their record to `result_fd` and ends the
// process.
[[noreturn]] void ServeRun(const RunTask& task, const DuetFunctions& functions, int result_fd);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_PROCESS_H_
