#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ranking_format.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_lines.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {
namespace {

// The order of the rows: first those that need attention.
int Rank(GateStatus status) {
  constexpr GateStatus kOrder[] = {
      GateStatus::kError,       GateStatus::kFail, GateStatus::kUnproven, GateStatus::kInconclusive,
      GateStatus::kNotMeasured, GateStatus::kPass, GateStatus::kNoGate};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), status) -
                          std::begin(kOrder));
}

// As plain text: markup characters become entities.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (absl::ascii_ispunct(static_cast<unsigned char>(c)) && c != '.' && c != ',' && c != ';' &&
        c != ':' && c != '/' && c != '-' && c != '+' && c != '(' && c != ')' && c != '%') {
      absl::StrAppendFormat(&escaped, "&#%d;", c);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Row(const SuiteEntry& entry, GateStatus status) {
  const std::string name = MarkdownCode(entry.name);
  if (const Failure* const error = ErrorOf(entry)) {
    return absl::StrCat("| **ERROR** | ", name, " | | | ", Escaped(ErrorText(*error)), " | |\n");
  }
  const Estimate* const estimate = entry.comparison.estimate();
  std::string gate = GateStatusName(status);
  if (NeedsAttention(status)) gate = "**" + gate + "**";
  if (estimate == nullptr) {
    const std::string why =
        IsUnchanged(entry) ? ErrorText(*entry.comparison.failure()) : "not measured";
    return absl::StrCat("| ", gate, " | ", name, " | | | ", why, " | |\n");
  }
  const GateResult* const of_time = estimate->time_gate();
  if (of_time != nullptr) absl::StrAppend(&gate, " (", GateSpecText(of_time->spec), ")");
  std::string meaning = of_time != nullptr ? GateMeaning(entry.comparison, *of_time)
                                           : VerdictSentence(entry.comparison);
  if (entry.comparison.ranking.has_value()) {
    absl::StrAppend(&meaning, "; ", RankingSentence(*entry.comparison.ranking));
  }
  for (const GateResult& each : estimate->gates) {
    if (&each == of_time) continue;
    absl::StrAppend(&meaning, "; ", GateSentence(entry.comparison, each));
  }
  return absl::StrFormat("| %s | %s | %s | %s | %s | %d runs, %.1f s |\n", gate, name,
                         RatioText(estimate->interval), IntervalText(estimate->interval),
                         Escaped(meaning), estimate->runs, entry.comparison.wall_s);
}

// A table with more rows is folded.
constexpr size_t kMaxRowsUnfolded = 20;

std::string SummaryMarkdown(const SuiteSummary& summary) {
  std::string text;
  bool in_list = false;
  for (const SummaryLine& line : SummaryLines(summary)) {
    const bool is_item = line.is_detail && !line.is_command;
    if (in_list && !is_item) absl::StrAppend(&text, "\n");
    in_list = is_item;
    if (line.is_command) {
      absl::StrAppend(&text, "    ", Printable(line.text), "\n\n");
    } else if (line.is_detail) {
      absl::StrAppend(&text, "- ", Escaped(line.text), "\n");
    } else {
      absl::StrAppend(&text, Escaped(line.text), "\n\n");
    }
  }
  return text;
}

}  // namespace

std::string MarkdownCode(const std::string& text) {
  const std::string printable = Printable(text);
  if (printable.find_first_of("`|\\") == std::string::npos && !printable.empty() &&
      printable.front() != ' ' && printable.back() != ' ') {
    return absl::StrCat("`", printable, "`");
  }
  // Code in backticks cannot hold these; in HTML everything that means something is an entity.
  return absl::StrCat("<code>", Escaped(text), "</code>");
}

std::string SuiteMarkdown(absl::Span<const SuiteEntry> suite, absl::Span<const GateStatus> statuses,
                          const SuiteSummary& summary, const std::string& program,
                          const CpuPairChoice& cpus) {
  std::vector<size_t> order(suite.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return Rank(statuses[a]) < Rank(statuses[b]); });
  const std::string headline = SuiteHeadline(CountGates(suite));
  std::string text = absl::StrCat("### duetbench ", MarkdownCode(program),
                                  headline.empty() ? "" : ": ", headline, "\n\n");
  if (suite.empty()) return absl::StrCat(text, "No duet was measured.\n\n");
  absl::StrAppend(&text, SummaryMarkdown(summary));
  const bool is_folded = suite.size() > kMaxRowsUnfolded;
  if (is_folded) {
    absl::StrAppend(&text, "<details><summary>All ", suite.size(), " duets</summary>\n\n");
  }
  absl::StrAppend(&text, "| gate | benchmark | new/old | interval | verdict | measured |\n",
                  "|---|---|---|---|---|---|\n");
  for (const size_t i : order) absl::StrAppend(&text, Row(suite[i], statuses[i]));
  if (is_folded) absl::StrAppend(&text, "\n</details>\n");
  absl::StrAppend(&text, "\n", Escaped(DescribeCpuPair(cpus)),
                  "; intervals of the time of new divided by the time of old.\n");
  for (const size_t i : order) {
    const std::vector<std::string>& why = suite[i].comparison.explanation.lines;
    const bool needs_attention = NeedsAttention(statuses[i]);
    if (needs_attention) {
      absl::StrAppend(&text, "\n", Escaped(EntryMessage(suite[i], statuses[i], cpus)), "\n");
    } else if (!why.empty()) {
      absl::StrAppend(&text, "\n", MarkdownCode(suite[i].name), ":\n");
    }
    for (const std::string& line : why) absl::StrAppend(&text, "\n- ", Escaped(line), "\n");
    if (!needs_attention || suite[i].repeat.empty()) continue;
    absl::StrAppend(&text, "\n    ", Printable(suite[i].repeat), "\n");
  }
  return text + "\n";
}

}  // namespace duetbench
