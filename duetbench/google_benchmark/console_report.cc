#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/google_benchmark/reports.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

using benchmark::ConsoleReporter;

constexpr char kRed[] = "\033[0;31m";
constexpr char kGreen[] = "\033[0;32m";
constexpr char kYellow[] = "\033[0;33m";
constexpr char kReset[] = "\033[m";

// A gate: PASS green, FAIL red, INCONCLUSIVE yellow. Else the verdict: FASTER green, SLOWER red,
// EQUAL as it is, INCONCLUSIVE yellow.
const char* ColorOf(GateStatus outcome) {
  if (outcome == GateStatus::kPass) return kGreen;
  return outcome == GateStatus::kFail ? kRed : kYellow;
}

const char* ColorOf(const Facts& duet) {
  if (duet.time_gate != GateStatus::kNoGate) return ColorOf(duet.time_gate);
  if (duet.verdict == stats::Verdict::kEqual) return "";
  if (duet.verdict == stats::Verdict::kFaster) return kGreen;
  return duet.verdict == stats::Verdict::kSlower ? kRed : kYellow;
}

ConsoleReporter::OutputOptions OutputOptionsOf(const ConsoleOptions& options) {
  int flags = ConsoleReporter::OO_None;
  if (options.color) flags |= ConsoleReporter::OO_Color;
  if (options.tabular) flags |= ConsoleReporter::OO_Tabular;
  return static_cast<ConsoleReporter::OutputOptions>(flags);
}

// Google Benchmark warns in its context where it was built without NDEBUG, as Debian builds it.
// Only its own measurements execute its assertions.
std::string WithoutDebugWarning(const std::string& context) {
  std::string text;
  for (const absl::string_view line : absl::StrSplit(context, '\n', absl::SkipEmpty())) {
    if (!absl::StrContains(line, "Library was built as DEBUG")) absl::StrAppend(&text, line, "\n");
  }
  return text;
}

class ConsoleReport final : public Report, private ConsoleReporter {
 public:
  ConsoleReport(const ConsoleOptions& options, std::ostream* out, std::ostream* err)
      : ConsoleReporter(OutputOptionsOf(options)), options_(options), err_(*err), out_(*out) {
    SetOutputStream(&out_);
    SetErrorStream(&context_);
  }

  void Begin(const Context& context) override {
    ReportContext(context);
    err_ << (options_.has_ordinary_rows ? context_.str() : WithoutDebugWarning(context_.str()));
    SetErrorStream(&err_);
    name_field_width_ += 4;  // "/old", "/new"
    for (const std::string& line : options_.header) PrintLine(line);
    out_.flush();
  }

  void Add(const std::vector<ReportRow>& rows) override {
    for (const ReportRow& row : rows) {
      if (row.facts != nullptr) {
        PrintVerdict(row.run, *row.facts);
      } else {
        ReportRuns({row.run});
      }
    }
    out_.flush();
  }

  void End(const std::string& /*suite*/) override { Finalize(); }

 private:
  void PrintName(const Run& run) {
    out_ << absl::StrFormat("%s%-*s%s ", options_.color ? kGreen : "",
                            static_cast<int>(name_field_width_), run.benchmark_name(),
                            options_.color ? kReset : "");
  }

  void PrintVerdict(const Run& run, const Facts& duet) {
    PrintName(run);
    if (!duet.error.empty()) {
      out_ << absl::StrFormat("%44s%s\n", "", duet.sentence);
      return;
    }
    PrintEstimate(run, duet);
    for (const Facts::OtherGate& gate : duet.other_gates) {
      const char* const color = options_.color ? ColorOf(gate.outcome) : "";
      out_ << "  " << color << gate.text << (*color != '\0' ? kReset : "") << "\n";
    }
    for (const auto* const lines : {&duet.details, &duet.diagnosis, &duet.why}) {
      for (const std::string& line : *lines) PrintLine(absl::StrCat("  ", line));
    }
    for (const std::string& line : duet.listing) out_ << "    " << line << "\n";
    if (!duet.ranking.empty()) PrintLine(absl::StrCat("  ", duet.ranking));
    for (const Facts::Notice& notice : duet.notices) {
      if (printed_notices_.insert(notice.key).second) {
        PrintLine(absl::StrCat("duetbench: ", notice.text));
      }
    }
  }

  // The ratio under Time, the interval under CPU and Iterations, the verdict behind them.
  void PrintEstimate(const Run& run, const Facts& duet) {
    const char* const color = options_.color ? ColorOf(duet) : "";
    const char* const reset = *color != '\0' ? kReset : "";
    const std::string numbers =
        absl::StrFormat("%13s %28s", RatioText(duet.interval), IntervalText(duet.interval));
    const std::string sentence = duet.time_gate == GateStatus::kNoGate
                                     ? duet.meaning
                                     : absl::StrCat(GateStatusName(duet.time_gate), " (",
                                                    duet.gate_limit, "): ", duet.meaning);
    const std::string effort = absl::StrCat("(", duet.effort, ")");
    const size_t name_width = std::max(name_field_width_, Width(run.benchmark_name())) + 1;
    out_ << numbers;
    if (Fits(name_width + Width(numbers) + 2 + Width(sentence) + 1 + Width(effort))) {
      out_ << "  " << color << sentence << reset << " " << effort << "\n";
      return;
    }
    out_ << "\n  " << color;
    const size_t column = PrintClauses(sentence);
    out_ << reset;
    if (Fits(column + 1 + Width(effort))) {
      out_ << " " << effort << "\n";
    } else {
      out_ << "\n  " << effort << "\n";
    }
  }

  // On a separate line, indented, and further ones if it does not fit. Returns the last column.
  size_t PrintClauses(const std::string& sentence) {
    const size_t end = sentence.rfind("; ");
    if (end == std::string::npos || Fits(2 + Width(sentence))) {
      out_ << sentence;
      return 2 + Width(sentence);
    }
    const std::string last = sentence.substr(end + 2);
    out_ << sentence.substr(0, end + 1) << "\n  " << last;
    return 2 + Width(last);
  }

  size_t Columns() const {
    const auto columns = static_cast<size_t>(std::max(0, options_.columns));
    return columns == 0 ? kMaxColumns : std::min(columns, kMaxColumns);
  }
  bool Fits(size_t width) const { return width <= Columns(); }

  void PrintLine(const std::string& line) { out_ << Wrapped(line, Columns(), "    ") << "\n"; }

  const ConsoleOptions options_;
  std::ostringstream context_;
  std::ostream& err_;
  std::ostream& out_;
  std::set<std::string> printed_notices_;  // their keys
};

}  // namespace

std::unique_ptr<Report> MakeConsoleReport(const ConsoleOptions& options, std::ostream* out,
                                          std::ostream* err) {
  return std::make_unique<ConsoleReport>(options, out, err);
}

}  // namespace duetbench
