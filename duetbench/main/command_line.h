#ifndef DUETBENCH_MAIN_COMMAND_LINE_H_
#define DUETBENCH_MAIN_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "duetbench/api/flags.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/platform/exit_status.h"

namespace duetbench {

// Prints UsersHelp().
void PrintHelp();

// Ends the program after --help or -h, after --help=all, which lists every flag, and after
// --version, a flag that Google Benchmark does not have.
void AnswerHelp(int argc, char** argv);

// Takes what is only for duets out of argv, and writes the rest as this version of Google Benchmark
// reads it: in 1.7.1 seconds have no unit.
void RewriteArguments(int* argc, char** argv);

// Takes --benchmark_dry_run out of argv, where a version of Google Benchmark that does not know it
// left it, and sets the flags that have the same effect if it is a dry run.
void TakeDryRun(int* argc, char** argv, bool dry_run);

// Says that no `what` ("duet", "benchmark") matches the filter, which is an error.
ExitStatus NothingMatched(const char* what);

// --benchmark_list_tests: the names of ordinary benchmarks, then those of duets.
ExitStatus PrintNames(const std::string& filter, const std::vector<DuetInstance>& instances);

// --duet_list: each duet with the seconds that it takes at most. Duets of one name are selected
// together by any filter: they are listed once. A group of more than two variants that is measured
// together is one line, which ends with a tab and the filter that selects its duets.
ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_COMMAND_LINE_H_
