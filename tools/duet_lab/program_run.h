#ifndef DUETBENCH_TOOLS_DUET_LAB_PROGRAM_RUN_H_
#define DUETBENCH_TOOLS_DUET_LAB_PROGRAM_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/subprocess.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/lab_report.h"
#include "tools/duet_stat/input/times_file.h"

namespace duetbench::lab {

// From now on SIGINT and SIGTERM end the programs that the functions below run, and then the
// measurement, which reports what it has.
void CatchInterrupts();
bool WasInterrupted();
// Adds to the report whether it was.
void NoteInterrupt(LabReport* report);

// Runs the program of `request`, without a limit of time: its runs have their own. Cancelled: it
// was interrupted. Internal: it crashed, or ended with another exit status than one of `statuses`;
// the message has the tail of what it printed.
absl::StatusOr<ChildOutcome> RunProgram(ChildRequest request,
                                        const std::vector<int>& statuses = {0});

// The text that a program wrote into the file that it was given.
struct ProgramResult {
  std::string text;
  std::string output;  // the tail of what it printed
  std::string end;     // "PROGRAM exited with status 0", for messages
  double wall_seconds = 0;
};

// Runs the program of `request` with --benchmark_out=FILE, a temporary file in TMPDIR, or else in
// /tmp. Exit statuses of gates and of single benchmarks that failed are no errors.
absl::StatusOr<ProgramResult> RunBenchmarkProgram(ChildRequest request);

// The same for a program of Google Benchmark: the times of its loops, in nanoseconds.
absl::StatusOr<std::vector<duet_stat::BenchmarkTimes>> RunPlainProgram(const ChildRequest& request);

// The same for a program of duets. Each observation has an equal part of the wall time. No
// observation if the filter selects no benchmark.
absl::StatusOr<std::vector<Observation>> RunDuetProgram(const ChildRequest& request);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PROGRAM_RUN_H_
