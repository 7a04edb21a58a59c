#include "duetbench/google_benchmark/reports.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

// A row with the fields that all rows of an instance share.
Run MakeRun(const DuetInstance& instance) {
  Run run;
  run.run_name = instance.name;
  run.run_name.function_name = Printable(instance.name.function_name);
  run.family_index = instance.family;
  run.per_family_instance_index = instance.instance;
  run.run_type = Run::RT_Iteration;
  run.threads = std::max(1, instance.spec->threads);
  run.iterations = 0;
  run.repetition_index = Run::no_repetition_index;
  run.repetitions = 1;
  run.time_unit = instance.spec->unit.value_or(benchmark::GetDefaultTimeUnit());
  run.statistics = nullptr;
  return run;
}

void SetTimes(const Comparison& comparison, int variant, Run* run) {
  run->iterations =
      static_cast<benchmark::IterationCount>(std::max<uint64_t>(1, comparison.iterations[variant]));
  const auto iterations = static_cast<double>(run->iterations);
  run->real_accumulated_time = comparison.time_ns[variant] * 1e-9 * iterations;
  run->cpu_accumulated_time = comparison.cpu_ns[variant] * 1e-9 * iterations;
}

// Flags have been applied to the value; reporters look at kIsRate for the unit only.
benchmark::Counter ShownCounter(const CounterValue& counter, double value) {
  return {value, static_cast<benchmark::Counter::Flags>(counter.flags),
          static_cast<benchmark::Counter::OneK>(counter.one_k)};
}

Run VariantRow(Run run, const Comparison& comparison, int variant) {
  const VariantReport& report = comparison.variants[variant];
  run.run_name.threads = variant == 0 ? "old" : "new";  // behind all other parts of the name
  SetTimes(comparison, variant, &run);
  for (const CounterValue& counter : report.counters) {
    run.counters[counter.name] = ShownCounter(counter, counter.value);
  }
  // Events by their plain names, per iteration, as Google Benchmark itself reports them.
  for (const CounterComparison& counter : comparison.counters) {
    if (!counter.requested || !counter.counted) continue;
    run.counters[counter.name] = benchmark::Counter(counter.per_iteration[variant]);
  }
  run.report_label = Printable(Shortened(report.label));
  return run;
}

ReportRow VerdictRow(Run run, const Comparison& comparison, const Facts& facts) {
  SetTimes(comparison, 1, &run);
  for (const auto& [name, value] : facts.numbers) run.counters[name] = benchmark::Counter(value);
  run.report_label = facts.error.empty() ? stats::VerdictName(facts.verdict) : facts.sentence;
  return {std::move(run), &facts};
}

Run ErrorRow(Run run, const Comparison& comparison, const Facts& facts) {
  if (facts.unchanged) {
    run.report_label = facts.error;
  } else {
    internal::SetSkipped(run, facts.error, comparison.is_error());
  }
  return run;
}

using benchmark::BenchmarkReporter;

// The width of the column of names, as Google Benchmark computes it.
size_t NameWidth(const std::vector<DuetInstance>& instances) {
  size_t name_width = 10;
  for (const DuetInstance& instance : instances) {
    name_width = std::max(name_width, instance.name.str().size());
  }
  return name_width;
}

// Google Benchmark has one context, prints it in every report, and refuses a key that it has.
void AddToContext(const std::vector<std::pair<std::string, std::string>>& entries) {
  static auto* const added = new std::set<std::string>;
  for (const auto& [key, value] : entries) {
    if (added->insert(key).second) benchmark::AddCustomContext(key, value);
  }
}

bool UseColor(const std::string& flag) {
  if (flag != "auto" && !flag.empty()) return IsTruthy(flag);
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

// The width of the terminal that stdout is; 0 if it is none.
int TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance, const Comparison& comparison,
                                        const Facts& facts) {
  Run run = MakeRun(instance);
  run.repetition_index = 0;
  if (comparison.has_failed()) return {{ErrorRow(std::move(run), comparison, facts)}};
  std::vector<ReportRow> rows;
  for (const int variant : {0, 1}) rows.push_back({VariantRow(run, comparison, variant)});
  rows.push_back(VerdictRow(std::move(run), comparison, facts));
  return rows;
}

// The reporter that Google Benchmark gets. Begin and end of the report are not those of the
// ordinary benchmarks.
class Reports::Forwarder : public BenchmarkReporter {
 public:
  // `is_last`: Google Benchmark hands it the same rows after the other forwarder.
  Forwarder(Reports* reports, bool is_display, bool is_last)
      : reports_(*reports), is_display_(is_display), is_last_(is_last) {
    SetOutputStream(&reports_.out_);
    SetErrorStream(&messages_);
  }

  bool ReportContext(const Context& context) override {
    reports_.err_ << messages_.str();
    SetErrorStream(&reports_.err_);
    return reports_.Begin(context).ok();
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    reports_.AddOrdinary(runs, is_display_);
    if (is_last_ && reports_.options_.after_ordinary_rows) reports_.options_.after_ordinary_rows();
  }

 private:
  Reports& reports_;
  const bool is_display_;
  const bool is_last_;
  // Until there is something to report: that nothing matches the filter is no error where duets do.
  std::ostringstream messages_;
};

Reports::Reports(const Flags& flags, ReportsOptions options,
                 const std::vector<DuetInstance>& instances, std::ostream* out, std::ostream* err)
    : flags_(flags),
      options_(std::move(options)),
      duet_name_width_(NameWidth(instances)),
      out_(*out),
      err_(*err) {}

Reports::~Reports() = default;

std::unique_ptr<Report> Reports::MakeReport(const std::string& format, bool is_display) {
  std::ostream* const out = is_display ? &out_ : &file_stream_;
  std::ostream* const err = is_display ? &err_ : &file_stream_;
  if (is_display && options_.own_display != nullptr) {
    return MakeOwnReport(options_.own_display, nullptr, nullptr);
  }
  if (!is_display && options_.own_file != nullptr) {
    return MakeOwnReport(options_.own_file, out, err);
  }
  if (format == "json") return MakeJsonReport(out, err);
  if (format == "csv") return MakeCsvReport(out, err);
  ConsoleOptions console;
  console.color = is_display && UseColor(flags_.color);
  console.tabular = flags_.counters_tabular;
  console.columns = is_display ? TerminalColumns() : 0;
  console.has_ordinary_rows = has_ordinary_rows_;
  console.header = options_.header;
  return MakeConsoleReport(console, out, err);
}

absl::StatusOr<size_t> Reports::RunOrdinary(const std::string& filter) {
  const bool has_file = !flags_.benchmark_out.empty();
  Forwarder display(this, /*is_display=*/true, /*is_last=*/!has_file);
  Forwarder file(this, /*is_display=*/false, /*is_last=*/true);
  // Google Benchmark opens a file itself if it has a reporter for one, and ends the program with
  // status 1 if it cannot.
  if (has_file && access("/dev/null", W_OK) != 0) {
    return absl::UnavailableError(
        absl::StrCat("--benchmark_out needs /dev/null: ", std::strerror(errno)));
  }
  SetGoogleBenchmarkFlags({has_file ? "--benchmark_out=/dev/null" : "--benchmark_out="});
  const size_t count =
      benchmark::RunSpecifiedBenchmarks(&display, has_file ? &file : nullptr, filter);
  if (!begin_status_.ok()) return begin_status_;
  return count;
}

absl::Status Reports::Begin() {
  BenchmarkReporter::Context context;
  context.name_field_width = 0;
  return Begin(context);
}

absl::Status Reports::Begin(const BenchmarkReporter::Context& ordinary) {
  if (std::exchange(begun_, true)) return begin_status_;
  has_ordinary_rows_ = ordinary.name_field_width > 0;
  if (!flags_.benchmark_out.empty()) {
    auto opened = OutputFile::Open("--benchmark_out", flags_.benchmark_out);
    if (!opened.ok()) return begin_status_ = opened.status();
    output_file_ = *std::move(opened);
    file_ = MakeReport(flags_.out_format, /*is_display=*/false);
  }
  if (!flags_.format.empty()) display_ = MakeReport(flags_.format, /*is_display=*/true);
  BenchmarkReporter::Context context = ordinary;
  context.name_field_width = std::max(ordinary.name_field_width, duet_name_width_);
  if (display_ != nullptr) {
    if (flags_.format == "json" || options_.own_display != nullptr) {
      AddToContext(options_.json_context);
    }
    display_->Begin(context);
  }
  if (file_ != nullptr) {
    if (flags_.out_format == "json") AddToContext(options_.json_context);
    file_->Begin(context);
  }
  return absl::OkStatus();
}

void Reports::AddOrdinary(const std::vector<BenchmarkReporter::Run>& runs, bool is_display) {
  std::vector<ReportRow> rows;
  for (const BenchmarkReporter::Run& run : runs) {
    if (is_display && internal::HasError(run)) ++ordinary_errors_;
    ordinary_families_ = std::max<int64_t>(ordinary_families_, run.family_index + 1);
    rows.push_back({run});
  }
  Report* const report = is_display ? display_.get() : file_.get();
  if (report != nullptr) report->Add(rows);
}

void Reports::Add(std::vector<ReportRow> rows) {
  for (ReportRow& row : rows) row.run.family_index += ordinary_families_;
  for (Report* const report : {display_.get(), file_.get()}) {
    if (report != nullptr) report->Add(rows);
  }
}

absl::Status Reports::Finish(const std::string& suite) {
  if (display_ != nullptr) {
    display_->End(suite);
    out_.flush();
  }
  if (file_ == nullptr) return begin_status_;
  file_->End(suite);
  absl::Status written = output_file_->Append(file_stream_.str());
  if (written.ok()) written = output_file_->Commit();
  return written;
}

}  // namespace duetbench
