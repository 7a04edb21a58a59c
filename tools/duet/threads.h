#ifndef TOOLS_DUET_THREADS_H_
#define TOOLS_DUET_THREADS_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/experiment/plan.h"
#include "tools/duet/command_line.h"

// Benchmarks with several threads, which need all CPUs for themselves: the two programs take turns.
// A run is each program once, in random order, as Google Benchmark measures it (n threads that
// begin together), and has one pair of times.
namespace duetbench::duet {

// What one execution of a program has measured.
struct ProgramTimes {
  double real_ns = 0;  // per iteration, as Google Benchmark reports it
  double cpu_ns = 0;
  double iterations = 0;
};

// The times in a JSON report of one benchmark; the mean where there are repetitions. The error is
// the one of the benchmark, or that there is no time.
absl::StatusOr<ProgramTimes> TimesIn(absl::string_view report);

// TwoPrograms::launch for the benchmark `name` of both programs.
std::function<absl::StatusOr<LaunchedRun>(const RunPlan&)> TurnsOfPrograms(
    const ProgramCommand& old_program, const ProgramCommand& new_program, const std::string& name);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_THREADS_H_
