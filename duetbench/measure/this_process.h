#ifndef DUETBENCH_MEASURE_THIS_PROCESS_H_
#define DUETBENCH_MEASURE_THIS_PROCESS_H_

#include <optional>
#include <string>
#include <vector>

#include "duetbench/measure/run_protocol.h"

// The name and the purpose with which this process was started.
namespace duetbench {

// A run that another process of this program has started this one for.
struct AssignedRun {
  RunTask task;
  int result_fd = -1;
};

// The run that this process was started for; none if no other one started it. The first call
// reads it from the environment and takes it out of there; from then on this process ends when its
// parent does. Ends the process with a message if there is a task that cannot be read. Whether it
// is one or not, the descriptors 0, 1 and 2 are open from then on.
const std::optional<AssignedRun>& RunOfThisProcess();

// The command line that this process was started with, whatever its main made of argv. Without
// /proc what SaveCommandLine was given last; empty if that was not called.
std::vector<std::string> CommandLineOfThisProcess();
void SaveCommandLine(std::vector<std::string> command_line);

// Makes processes started from here have random memory layouts, unless this one was started with a
// fixed layout itself. (Some versions of Google Benchmark restart the program with a fixed one; the
// runs of a duet must differ in theirs.)
void RandomizeLayoutOfRuns();

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_THIS_PROCESS_H_
