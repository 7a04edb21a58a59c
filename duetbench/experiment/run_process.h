#ifndef DUETBENCH_EXPERIMENT_RUN_PROCESS_H_
#define DUETBENCH_EXPERIMENT_RUN_PROCESS_H_

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/experiment/duet_run.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/experiment/run_protocol.h"

// The process of a run: this executable again, with the same arguments, followed by flags that
// select one comparison, and with an environment variable that says which run of it to execute. It
// starts like every process of this program (static initialization, main, its set-up), and
// therefore measures what the program really is. When it reaches the comparison it executes the
// run, writes the result to a pipe, and ends.
namespace duetbench {

// How the process of a run gets to the comparison, past everything else that this program was asked
// for.
struct ChildSelector {
  std::string executable;          // empty: this program; else one that takes the same arguments
  std::vector<std::string> flags;  // after the program's own arguments
  std::vector<std::pair<std::string, std::string>> environment;
  // What the error begins with when the process ends without having reached the comparison. Empty:
  // the error is how the process ended.
  std::string did_not_arrive;
};

// Executes `task` in a process of its own. `argv` is that of this program. If the run fails, what
// it printed goes to stderr. Errors: those of RunSelf.
absl::StatusOr<LaunchedRun> LaunchRun(const std::vector<std::string>& argv,
                                      const ChildSelector& selector, const RunTask& task,
                                      const volatile std::sig_atomic_t* interrupted);

// One of the two processes of a run in which each variant has a process of its own.
struct SideCommand {
  std::vector<std::string> argv;
  std::string executable;  // empty: this program
  std::vector<std::pair<std::string, std::string>> environment;
  std::string did_not_arrive;  // as in ChildSelector
  int family = -1;             // RunTask::family in that program
  int executes = 0;            // which variant of that duet: 0 old, 1 new
};

// Executes `task` in two processes, those of old and new, at the same time. They share the memory
// of the rendezvous (SharedRun, a memfd), and nothing else; what they measured is put together
// here. When one of them ends without a result, the other one is killed, and the error has the
// variant of the one that failed.
absl::StatusOr<LaunchedRun> LaunchSides(const SideCommand (&sides)[2], const RunTask& task,
                                        const volatile std::sig_atomic_t* interrupted);

// In the process of a run, or of one of its sides: executes it, writes the result to `result_fd`
// and ends the process.
[[noreturn]] void ServeRun(const RunTask& task, const DuetFunctions& functions, int result_fd);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_RUN_PROCESS_H_
