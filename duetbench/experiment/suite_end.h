#ifndef DUETBENCH_EXPERIMENT_SUITE_END_H_
#define DUETBENCH_EXPERIMENT_SUITE_END_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/api/flags.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/report/output_file.h"
#include "duetbench/report/suite_summary.h"

namespace duetbench {

// The files about a suite that replace earlier ones: those of --duet_junit and --duet_report. Null:
// there is to be none.
using SuiteFiles = std::vector<std::unique_ptr<OutputFile>>;

// No two outputs may have the same path.
absl::Status CheckDistinctOutputs(const Flags& flags);

// Google Benchmark reads what it reports about the machine from files, and ends the program with
// status 1 if it cannot open them.
absl::Status CheckFreeDescriptors();

// Opens them and finds out whether the file of --duet_summary can be written: better known before
// hours of measuring than after. None changes before EndSuite.
absl::StatusOr<SuiteFiles> OpenSuiteFiles(const Flags& flags);

// All duets that a program has measured.
struct MeasuredSuite {
  std::vector<SuiteEntry> entries;  // their command lines are filled in by Summarize
  std::vector<std::string> command_line;
  uint64_t seed = 0;
  std::vector<std::string> header;  // what the console says first of the machine
  CpuPairChoice cpus;
  SuiteFiles files;
  int errors = 0;     // ordinary benchmarks included
  int not_begun = 0;  // duets, because a signal ended the program
  SuiteSummary summary;
  bool text_to_stderr = false;  // stdout is a report for programs (JSON, CSV)
};

// Fills in the summary and the command lines of the entries.
void Summarize(const Flags& flags, MeasuredSuite* suite);

// Writes everything after the table: the summary, the results of the gates, annotations under
// GitHub Actions (GITHUB_ACTIONS=true), the files of --duet_summary (appended to: GitHub shows what
// all steps of a job have appended), the files that are replaced. Returns the exit status. After
// Summarize.
int EndSuite(MeasuredSuite suite, const Flags& flags);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SUITE_END_H_
