#ifndef DUETBENCH_MAIN_SUITE_END_H_
#define DUETBENCH_MAIN_SUITE_END_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/gates/suite.h"
#include "duetbench/main/flags.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/report/output_file.h"

namespace duetbench {

// Opens the file of --duet_junit (null: there is to be none) and finds out whether that of
// --duet_summary can be written: better known before hours of measuring than after. Neither changes
// before EndSuite.
absl::StatusOr<std::unique_ptr<OutputFile>> OpenSuiteFiles(const Flags& flags);

// All duets that a program has measured.
struct MeasuredSuite {
  std::vector<SuiteEntry> entries;  // their command lines are filled in at the end
  std::vector<std::string> command_line;
  uint64_t seed = 0;
  CpuPairChoice cpus;
  std::unique_ptr<OutputFile> junit;
  int errors = 0;               // ordinary benchmarks included
  bool text_to_stderr = false;  // stdout is a report for programs (JSON, CSV)
};

// What comes after the table: the results of the gates, annotations under GitHub Actions
// (GITHUB_ACTIONS=true), the files of --duet_summary (appended to: GitHub shows what all steps of a
// job have appended) and --duet_junit (replaced), the reports of --duet_aa and --duet_calibrate.
// Returns the exit status.
int EndSuite(MeasuredSuite suite, const Flags& flags);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_SUITE_END_H_
