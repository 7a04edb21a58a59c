#ifndef DUETBENCH_REGISTRY_RUN_PROCESS_H_
#define DUETBENCH_REGISTRY_RUN_PROCESS_H_

#include <csignal>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/experiment.h"
#include "duetbench/runner/plan.h"

// A run as a process: this executable again, with the same arguments, flags that lead it to the one
// benchmark, and an environment variable that says which run it is. It goes the way of every
// process of this program (static initialisation, main, its set-up) and so measures what the
// program really is; when it comes to the benchmark it executes the run, writes the result to a
// pipe and ends.
namespace duetbench {

// What the process of a run is told.
struct RunTask {
  int64_t parent = 0;           // process id; the run dies with it
  int family = 0;               // number of the duet benchmark, in order of registration; -1: none
  std::vector<int64_t> ranges;  // its arguments
  RunPlan plan;
};

// The text of a task for the environment, and back. InvalidArgument for anything else.
std::string EncodeRunTask(const RunTask& task);
absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text);

// The variables of a run's environment.
inline constexpr char kTaskVariable[] = "DUETBENCH_RUN";
inline constexpr char kResultVariable[] = "DUETBENCH_RESULT_FD";

// The regular expression that matches the benchmarks of the family `name` and of families that
// begin like it, for every expression engine that Google Benchmark may be built with.
std::string FamilyFilter(const std::string& name);

// How the process of a run comes to where it measures, past everything else that this program was
// asked for. The last one of a flag counts.
struct RunRoute {
  std::vector<std::string> flags;  // after the program's own arguments
  std::vector<std::pair<std::string, std::string>> environment;
  // What the error begins with when the process ends without having come there; empty: the error
  // is how it ended.
  std::string missed;
};

// To the duet benchmarks that were registered as `family_name`.
RunRoute RouteToFamily(const std::string& family_name);

// Executes `task` in a process of its own. `argv` is this program's own. What the run printed
// before it failed goes to stderr.
absl::StatusOr<LaunchedRun> LaunchRun(const std::vector<std::string>& argv, const RunRoute& route,
                                      const RunTask& task,
                                      const volatile std::sig_atomic_t* interrupted);

// In the process of a run: executes it, writes the result to `result_fd` and ends the process.
[[noreturn]] void ServeRun(const RunPlan& plan, const DuetFunctions& functions, int result_fd);

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_RUN_PROCESS_H_
