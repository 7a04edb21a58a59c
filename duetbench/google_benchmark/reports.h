#ifndef DUETBENCH_GOOGLE_BENCHMARK_REPORTS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REPORTS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/api/flags.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/output_file.h"

namespace duetbench {

// A row as reports show it: a benchmark, a variant or an error as Google Benchmark prints it, or
// the verdict of a duet.
struct ReportRow {
  benchmark::BenchmarkReporter::Run run;
  const Facts* facts = nullptr;  // of a verdict; they outlive the row
};

// The rows of a duet with its arguments, NAME: NAME/old and NAME/new with times, counters and
// label, as if each had been benchmarked alone, and NAME with the ratio: the time of new, the
// verdict as label, and the numbers of `facts`, which are those of the comparison. Of a comparison
// with an error: NAME with the error.
std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance, const Comparison& comparison,
                                        const Facts& facts);

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
// and the verdict. A verdict that does not fit into the columns has a separate line. The streams
// outlive the report.
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

// Settings of reports besides the flags.
struct ReportsOptions {
  // Reporters of the user's own, in place of the formats of the flags; null: none. They outlive
  // this.
  benchmark::BenchmarkReporter* own_display = nullptr;
  benchmark::BenchmarkReporter* own_file = nullptr;
  std::vector<std::string> header;  // of consoles, below the context of Google Benchmark
  std::vector<std::pair<std::string, std::string>> json_context;  // about duets, likewise in JSON
  // Called when the rows of an ordinary benchmark have been added. It may end the program: Google
  // Benchmark cannot be interrupted otherwise. Empty: nothing is called.
  std::function<void()> after_ordinary_rows;
};

// The reports of a program: on stdout and in a file, with one header and one end each, about the
// ordinary benchmarks, which it lets Google Benchmark run, and then about the duets.
class Reports {
 public:
  // `instances`: the duets that are going to be reported, for the width of the column of names.
  // The flags and the streams outlive this.
  Reports(const Flags& flags, ReportsOptions options, const std::vector<DuetInstance>& instances,
          std::ostream* out = &std::cout, std::ostream* err = &std::cerr);
  ~Reports();

  // Runs the ordinary benchmarks that `filter` selects, reports them, and returns how many there
  // are. The placeholders of duets (registry.h) must have been withdrawn. Has the error of
  // Begin.
  absl::StatusOr<size_t> RunOrdinary(const std::string& filter);

  // Opens the file and writes the headers, unless that has been done. The file gets its name in
  // Finish (output_file.h): that of an earlier program stays as it is if there is nothing to
  // report.
  absl::Status Begin();

  // Reports an instance.
  void Add(std::vector<ReportRow> rows);

  // Ends both reports, if they began. `suite` is that of Report::End. Has an error if the file
  // could not be written.
  absl::Status Finish(const std::string& suite = "");

  // The ordinary benchmarks that failed, by rows of errors shown.
  int ordinary_errors() const { return ordinary_errors_; }

 private:
  class Forwarder;

  absl::Status Begin(const benchmark::BenchmarkReporter::Context& context);
  void AddOrdinary(const std::vector<benchmark::BenchmarkReporter::Run>& runs, bool is_display);
  std::unique_ptr<Report> MakeReport(const std::string& format, bool is_display);

  const Flags& flags_;
  const ReportsOptions options_;
  const size_t duet_name_width_;
  std::ostream& out_;
  std::ostream& err_;
  std::unique_ptr<OutputFile> output_file_;  // may be null
  std::ostringstream file_stream_;           // its text
  std::unique_ptr<Report> display_;          // may be null
  std::unique_ptr<Report> file_;             // may be null
  bool begun_ = false;
  bool has_ordinary_rows_ = false;
  absl::Status begin_status_;
  int ordinary_errors_ = 0;
  int64_t ordinary_families_ = 0;  // the families of duets are numbered after them
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REPORTS_H_
