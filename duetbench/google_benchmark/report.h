#ifndef DUETBENCH_GOOGLE_BENCHMARK_REPORT_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REPORT_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "duetbench/google_benchmark/duet_rows.h"

namespace duetbench {

// Rows of ordinary benchmarks and of duets in one format.
class Report {
 public:
  virtual ~Report() = default;
  // Once, before any row.
  virtual void Begin(const benchmark::BenchmarkReporter::Context& context) = 0;
  virtual void Add(const std::vector<ReportRow>& rows) = 0;
  // Once, after the last row. `suite`: SummaryJson of the duets; empty if there are none.
  virtual void End(const std::string& suite) = 0;
};

struct ConsoleOptions {
  bool color = false;
  bool tabular = false;             // counters have columns
  int columns = 0;                  // of the terminal; 0: no limit
  bool has_ordinary_rows = true;    // else Google Benchmark measures nothing itself
  std::vector<std::string> header;  // lines below the context of Google Benchmark
};

// Google Benchmark's console table in which a duet has three lines: old and new like any benchmark,
// and the verdict. A verdict that does not fit into the columns has a separate line.
//
//   Benchmark                    Time             CPU   Iterations
//   ------------------------------------------------------------------
//   BM_A_vs_BM_B/64/old       12.3 ns         12.3 ns     18213000
//   BM_A_vs_BM_B/64/new       9.81 ns         9.80 ns     18213000
//   BM_A_vs_BM_B/64          0.797 x          [0.795, 0.799]  FASTER: new takes 20.3 % less time …
//
// The streams outlive the report.
std::unique_ptr<Report> MakeConsoleReport(const ConsoleOptions& options, std::ostream* out,
                                          std::ostream* err);

// The JSON document and the CSV lines of Google Benchmark, without numbers that are not finite. The
// document has the summary of the suite as "duet_suite".
// All lines of CSV are written by End(): their columns are the counters of all rows.
std::unique_ptr<Report> MakeJsonReport(std::ostream* out, std::ostream* err);
std::unique_ptr<Report> MakeCsvReport(std::ostream* out, std::ostream* err);

// A reporter of the user's own, which outlives the report. It gets the rows as they come, with
// finite numbers; a reporter that refuses the context gets none, as with Google Benchmark. Null
// streams: those that it has.
std::unique_ptr<Report> MakeOwnReport(benchmark::BenchmarkReporter* reporter, std::ostream* out,
                                      std::ostream* err);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REPORT_H_
