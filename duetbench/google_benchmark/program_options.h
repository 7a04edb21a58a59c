#ifndef DUETBENCH_GOOGLE_BENCHMARK_PROGRAM_OPTIONS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_PROGRAM_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/flags.h"
#include "duetbench/api/google_benchmark_flags.h"

namespace duetbench {

// The options of a program.
struct ProgramOptions {
  Flags flags;  // with the times of Google Benchmark's flags, and a seed
  GoogleBenchmarkFlags google_benchmark;
  // --duet_max_ratio, --duet_max_counter_ratio or --duet_max_quantile_ratio is in argv: unlike the
  // environment, which may be that of many programs, it is meant for this one.
  bool gate_on_command_line = false;
};

// Reads all flags from `argv` (argv[0] is the program) and the environment. A seed that is not
// given is random. InvalidArgument for a bad value, and for an unknown --duet_ flag.
absl::StatusOr<ProgramOptions> ReadProgramOptions(std::vector<std::string> argv,
                                                  const GetEnvironment& environment);

// Prints UsersHelp().
void PrintHelp();

// Ends the program after --help or -h, and after --help=all, which lists every flag.
void AnswerHelp(int argc, char** argv);

// Ends the program at --version, a flag that Google Benchmark does not have.
void AnswerVersion(int argc, char** argv);

// Takes what is only for duets out of argv, and writes the rest as this version of Google Benchmark
// reads it: in 1.7.1 seconds have no unit.
void RewriteArguments(int* argc, char** argv);

// Takes --benchmark_dry_run out of argv, where a version of Google Benchmark that does not know it
// left it, and sets the flags that have the same effect if it is a dry run.
void TakeDryRun(int* argc, char** argv, bool dry_run);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_PROGRAM_OPTIONS_H_
