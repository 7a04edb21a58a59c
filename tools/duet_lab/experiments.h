#ifndef DUETBENCH_TOOLS_DUET_LAB_EXPERIMENTS_H_
#define DUETBENCH_TOOLS_DUET_LAB_EXPERIMENTS_H_

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/observation.h"

namespace duetbench::lab {

struct ExperimentPlan {
  std::vector<std::string> binaries;   // programs with duet benchmarks
  std::vector<std::string> arguments;  // for each of them
  std::vector<Truth> truths;
  int64_t experiments;
  int64_t seed;  // of the first experiment; the next one has the next
};

// The options that such measurements share: --binary, --experiments (`experiments` if not given),
// --seed, --truth, and --workload, which becomes a filter in `arguments`. InvalidArgument if no
// program is given, and for a truth that is none.
absl::StatusOr<ExperimentPlan> ReadExperimentPlan(Arguments& arguments, int64_t experiments);

// All that was observed of one benchmark.
struct BenchmarkGroup {
  std::string name;
  double truth = 1;
  std::vector<Observation> observations;
};

// Runs every program once in each experiment, in random order: what the machine does meanwhile must
// not hit one of them more than another. Ctrl-C ends it, with what has been measured.
//
// An error only when the first experiment shows that it cannot be done: a program that cannot be
// run, no benchmark, a truth of no benchmark. Programs that fail later are counted, each as a
// benchmark of that name with errors, so that hours of measuring are not lost.
absl::StatusOr<std::vector<BenchmarkGroup>> RunExperiments(const ExperimentPlan& plan);

// From now on SIGINT and SIGTERM only set what this returns, which is never null.
const volatile std::sig_atomic_t* CatchInterrupts();

// True if Ctrl-C ended the last RunExperiments.
bool WasInterrupted();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_EXPERIMENTS_H_
