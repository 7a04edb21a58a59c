#include <cmath>
#include <iterator>
#include <locale>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_replace.h"
#include "duetbench/google_benchmark/reports.h"

// The reports in which all rows are of one kind: JSON, CSV and those of the user.
namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

// Ordinary benchmarks have such numbers too, such as the relative deviation of a counter that is
// always zero. Google Benchmark writes them as they are, and no parser reads the file.
void DropNonFiniteNumbers(Run* run) {
  for (auto it = run->counters.begin(); it != run->counters.end();) {
    it = std::isfinite(it->second.value) ? std::next(it) : run->counters.erase(it);
  }
  for (double* time : {&run->real_accumulated_time, &run->cpu_accumulated_time}) {
    if (!std::isfinite(*time)) *time = 0;
  }
}

// With a member of the document after the rows.
class JsonReporter final : public benchmark::JSONReporter {
 public:
  void SetSuite(std::string suite) { suite_ = std::move(suite); }
  void Finalize() override {
    if (suite_.empty()) return benchmark::JSONReporter::Finalize();
    GetOutputStream() << "\n  ],\n  \"duet_suite\": "
                      << absl::StrReplaceAll(suite_, {{"\n", "\n  "}}) << "\n}\n";
  }

 private:
  std::string suite_;
};

// While the result lives, numbers have no grouping and a decimal point: the reporters of Google
// Benchmark write them as the locale of the program says, and no parser reads "1.234,5".
auto WithClassicLocale() {
  return absl::MakeCleanup(
      [earlier = std::locale::global(std::locale::classic())] { std::locale::global(earlier); });
}

// Hands the rows to a reporter of Google Benchmark.
class FileReport final : public Report {
 public:
  // `at_end`: all rows in one call, as the CSV reporter needs it. It takes its columns from the
  // first call and ends the program at a counter that it does not know.
  FileReport(std::shared_ptr<benchmark::BenchmarkReporter> reporter, bool at_end, std::ostream* out,
             std::ostream* err)
      : reporter_(std::move(reporter)), at_end_(at_end) {
    if (out != nullptr) out->imbue(std::locale::classic());
    if (out != nullptr) reporter_->SetOutputStream(out);
    if (err != nullptr) reporter_->SetErrorStream(err);
  }

  void Begin(const benchmark::BenchmarkReporter::Context& context) override {
    const auto locale = WithClassicLocale();
    accepts_rows_ = reporter_->ReportContext(context);
  }

  void Add(const std::vector<ReportRow>& rows) override {
    if (!accepts_rows_) return;
    for (const ReportRow& row : rows) {
      Run& run = runs_.emplace_back(row.run);
      DropNonFiniteNumbers(&run);
      if (at_end_) run.memory_result = {};  // lives as long as this call, and is not in CSV
    }
    if (!at_end_) Flush();
  }

  void End(const std::string& suite) override {
    if (!runs_.empty()) Flush();
    if (auto* const json = dynamic_cast<JsonReporter*>(reporter_.get())) json->SetSuite(suite);
    reporter_->Finalize();
  }

 private:
  void Flush() {
    const auto locale = WithClassicLocale();
    reporter_->ReportRuns(runs_);
    reporter_->GetOutputStream().flush();
    runs_.clear();
  }

  const std::shared_ptr<benchmark::BenchmarkReporter> reporter_;
  const bool at_end_;
  bool accepts_rows_ = true;
  std::vector<Run> runs_;  // that the reporter has not got yet
};

}  // namespace

std::unique_ptr<Report> MakeJsonReport(std::ostream* out, std::ostream* err) {
  return std::make_unique<FileReport>(std::make_unique<JsonReporter>(),
                                      /*at_end=*/false, out, err);
}

std::unique_ptr<Report> MakeCsvReport(std::ostream* out, std::ostream* err) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  auto reporter = std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
  return std::make_unique<FileReport>(std::move(reporter), /*at_end=*/true, out, err);
}

std::unique_ptr<Report> MakeOwnReport(benchmark::BenchmarkReporter* reporter, std::ostream* out,
                                      std::ostream* err) {
  const auto keep = [](benchmark::BenchmarkReporter*) {};
  return std::make_unique<FileReport>(std::shared_ptr<benchmark::BenchmarkReporter>(reporter, keep),
                                      /*at_end=*/false, out, err);
}

}  // namespace duetbench
