#include "duetbench/report/duet_console.h"

#include <algorithm>
#include <ostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/counter_words.h"
#include "duetbench/report/report_rows.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

constexpr char kReset[] = "\033[m";

// A gate: PASS green, FAIL red, INCONCLUSIVE yellow. Else the verdict: FASTER green, SLOWER red,
// EQUAL as it is, INCONCLUSIVE yellow.
const char* ColourOf(const Comparison& comparison) {
  if (comparison.gate.has_value()) {
    if (comparison.gate->outcome == stats::GateOutcome::kPass) return "\033[0;32m";
    return comparison.gate->outcome == stats::GateOutcome::kFail ? "\033[0;31m" : "\033[0;33m";
  }
  switch (comparison.verdict) {
    case stats::Verdict::kFaster:
      return "\033[0;32m";
    case stats::Verdict::kSlower:
      return "\033[0;31m";
    case stats::Verdict::kInconclusive:
      return "\033[0;33m";
    case stats::Verdict::kEqual:
      break;
  }
  return "";
}

}  // namespace

bool DuetConsole::ReportContext(const Context& context) {
  const bool go_on = benchmark::ConsoleReporter::ReportContext(context);
  name_field_width_ += 4;  // "/old", "/new"
  for (const std::string& line : header_) GetOutputStream() << line << "\n";
  GetOutputStream().flush();
  return go_on;
}

void DuetConsole::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> ordinary;
  const auto flush = [&] {
    if (!ordinary.empty()) benchmark::ConsoleReporter::ReportRuns(ordinary);
    ordinary.clear();
  };
  for (const ReportRow& row : MakeReportRows(runs, *book_)) {
    if (row.kind == ReportRow::Kind::kLibrary) {
      ordinary.push_back(row.run);
      continue;
    }
    flush();
    if (row.kind == ReportRow::Kind::kVerdict) {
      PrintVerdict(row.run, *row.comparison);
    } else {
      PrintStatistic(row.run);
    }
  }
  flush();
  GetOutputStream().flush();
}

void DuetConsole::PrintName(const Run& row) {
  const bool colours = (output_options_ & OO_Color) != 0;
  GetOutputStream() << absl::StrFormat("%s%-*s%s ", colours ? "\033[0;32m" : "",
                                       static_cast<int>(name_field_width_), row.benchmark_name(),
                                       colours ? kReset : "");
}

// A statistic of the ratio, in the columns of the table like one of a time.
void DuetConsole::PrintStatistic(const Run& row) {
  PrintName(row);
  const double ratio = row.counters.at("ratio").value;
  GetOutputStream() << (row.aggregate_unit == benchmark::kTime
                            ? absl::StrFormat("%11.4f x", ratio)
                            : absl::StrFormat("%10.2f %%  ", 100 * ratio))
                    << absl::StrFormat(" %28d\n", row.iterations);
}

void DuetConsole::PrintVerdict(const Run& row, const Comparison& comparison) {
  const bool colours = (output_options_ & OO_Color) != 0;
  const char* colour = colours ? ColourOf(comparison) : "";
  const char* reset = *colour != '\0' ? kReset : "";
  std::ostream& out = GetOutputStream();
  PrintName(row);
  if (comparison.dry_run) {
    out << absl::StrFormat("%44s%s\n", "", VerdictSentence(comparison));
    return;
  }
  // The columns of the table: the ratio under Time, the interval under CPU and Iterations.
  const std::string numbers = absl::StrFormat("%13s %28s", RatioText(comparison.interval),
                                              IntervalText(comparison.interval));
  const std::string sentence = VerdictSentence(comparison);
  const std::string effort = absl::StrCat("(", EffortText(comparison), ")");
  const size_t name_width = std::max(name_field_width_, row.benchmark_name().size()) + 1;
  const auto fits = [this](size_t width) {
    return columns_ <= 0 || width <= static_cast<size_t>(columns_);
  };
  const bool one_line = fits(name_width + numbers.size() + 2 + sentence.size() + 1 + effort.size());
  const bool two_lines = fits(2 + sentence.size() + 1 + effort.size());
  out << numbers << (one_line ? "  " : "\n  ") << colour << sentence << reset
      << (one_line || two_lines ? " " : "\n  ") << effort << "\n";
  const std::string counters = CounterLine(comparison.counters);
  if (!counters.empty()) out << "  " << counters << "\n";
  for (const std::string& explanation : comparison.explanations) out << "  " << explanation << "\n";
  for (const std::string& notice : comparison.notices) {
    if (std::find(said_.begin(), said_.end(), notice) != said_.end()) continue;
    said_.push_back(notice);
    out << "duetbench: " << notice << "\n";
  }
}

}  // namespace duetbench
