#include "duetbench/report/suite_markdown.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/pairs_io/ratio_words.h"
#include "duetbench/report/gate_words.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

// The order of the rows: what needs attention first.
int Rank(Standing standing) {
  constexpr Standing kOrder[] = {Standing::kError,        Standing::kFail, Standing::kUnproven,
                                 Standing::kInconclusive, Standing::kPass, Standing::kNoGate};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), standing) -
                          std::begin(kOrder));
}

// As text, whatever it holds.
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

std::string Row(const SuiteEntry& entry, Standing standing) {
  const Comparison& comparison = entry.comparison;
  const std::string name = MarkdownCode(entry.name);
  if (standing == Standing::kError) {
    return absl::StrCat("| **ERROR** | ", name, " | | | ", Escaped(entry.error), " | |\n");
  }
  if (!comparison.has_estimate) return absl::StrCat("| - | ", name, " | | | not measured | |\n");
  std::string gate = StandingName(standing);
  if (standing != Standing::kNoGate && standing != Standing::kPass) gate = "**" + gate + "**";
  if (comparison.gate.has_value()) {
    absl::StrAppend(&gate, " (", DemandText(comparison.gate->demand), ")");
  }
  return absl::StrFormat(
      "| %s | %s | %s | %s | %s | %d runs, %.1f s |\n", gate, name, RatioText(comparison.interval),
      IntervalText(comparison.interval),
      VerdictSentence(comparison.interval, comparison.verdict, comparison.margin), comparison.runs,
      comparison.wall_s);
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

std::string SuiteMarkdown(absl::Span<const SuiteEntry> suite, absl::Span<const Standing> standings,
                          const std::string& program, const CpuPairChoice& cpus) {
  std::vector<size_t> order(suite.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return Rank(standings[a]) < Rank(standings[b]); });
  const std::string headline = SuiteHeadline(CountStandings(standings));
  std::string text = absl::StrCat("### duetbench ", MarkdownCode(program),
                                  headline.empty() ? "" : ": ", headline, "\n\n");
  absl::StrAppend(&text, "| gate | benchmark | new/old | interval | verdict | measured |\n",
                  "|---|---|---|---|---|---|\n");
  for (const size_t i : order) absl::StrAppend(&text, Row(suite[i], standings[i]));
  absl::StrAppend(&text, "\n", Escaped(DescribeCpuPair(cpus)),
                  "; intervals of the time of new divided by the time of old.\n");
  for (const size_t i : order) {
    if (standings[i] == Standing::kNoGate || standings[i] == Standing::kPass) continue;
    absl::StrAppend(&text, "\n", Escaped(EntryMessage(suite[i], standings[i], cpus)), "\n");
    if (suite[i].repeat.empty()) continue;
    absl::StrAppend(&text, "\n    ", Printable(suite[i].repeat), "\n");
  }
  return text + "\n";
}

}  // namespace duetbench
