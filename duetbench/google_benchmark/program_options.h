#ifndef DUETBENCH_GOOGLE_BENCHMARK_PROGRAM_OPTIONS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_PROGRAM_OPTIONS_H_

namespace duetbench {

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
