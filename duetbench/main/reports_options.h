#ifndef DUETBENCH_MAIN_REPORTS_OPTIONS_H_
#define DUETBENCH_MAIN_REPORTS_OPTIONS_H_

#include <benchmark/benchmark.h>

#include <optional>
#include <string>

#include "duetbench/api/flags.h"
#include "duetbench/google_benchmark/reports.h"

namespace duetbench {

// Arguments of RunSpecifiedBenchmarks, besides the flags.
struct OwnArguments {
  benchmark::BenchmarkReporter* display = nullptr;
  benchmark::BenchmarkReporter* file = nullptr;
  std::optional<std::string> filter;
};

// Where the flags and these arguments want reports, and in which form: that of a console depends on
// the terminal that stdout is, and on a workflow of GitHub.
ReportsOptions MakeReportsOptions(const Flags& flags, const OwnArguments& own);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_REPORTS_OPTIONS_H_
