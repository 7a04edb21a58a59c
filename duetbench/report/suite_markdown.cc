#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/decide/suite.h"
#include "duetbench/report/facts_json.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ratio_format.h"
#include "duetbench/report/suite_formats.h"

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

std::string Row(const Facts& duet) {
  const std::string name = MarkdownCode(duet.name);
  if (duet.gate == GateStatus::kError) {
    return absl::StrCat("| **ERROR** | ", name, " | | | ", Escaped(duet.error), " | |\n");
  }
  std::string gate = GateStatusName(duet.gate);
  if (NeedsAttention(duet.gate)) gate = "**" + gate + "**";
  if (!duet.error.empty()) {
    return absl::StrCat("| ", gate, " | ", name, " | | | ",
                        duet.unchanged ? duet.error : "not measured", " | |\n");
  }
  if (!duet.gate_limit.empty()) absl::StrAppend(&gate, " (", duet.gate_limit, ")");
  std::string meaning = duet.meaning;
  if (!duet.ranking.empty()) absl::StrAppend(&meaning, "; ", duet.ranking);
  for (const Facts::OtherGate& gate : duet.other_gates) {
    absl::StrAppend(&meaning, "; ", gate.text);
  }
  return absl::StrFormat("| %s | %s | %s | %s | %s | %.0f runs, %.1f s |\n", gate, name,
                         RatioText(duet.interval), IntervalText(duet.interval), Escaped(meaning),
                         duet.numbers.at("runs"), duet.wall_s);
}

// A table with more rows is folded.
constexpr size_t kMaxRowsUnfolded = 20;

std::string SummaryMarkdown(const std::vector<SummaryLine>& lines) {
  std::string text;
  bool in_list = false;
  for (const SummaryLine& line : lines) {
    const bool is_item = line.is_detail && !line.is_command;
    if (in_list && !is_item) absl::StrAppend(&text, "\n");
    in_list = is_item;
    if (line.is_command) {
      absl::StrAppend(&text, "    ", line.text, "\n\n");
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

std::string SuiteMarkdown(const SuiteFacts& suite) {
  std::vector<const Facts*> duets;
  for (const Facts& duet : suite.duets) duets.push_back(&duet);
  std::stable_sort(duets.begin(), duets.end(),
                   [](const Facts* a, const Facts* b) { return Rank(a->gate) < Rank(b->gate); });
  std::string text = absl::StrCat("### duetbench ", MarkdownCode(suite.program),
                                  suite.headline.empty() ? "" : ": ", suite.headline, "\n\n");
  if (duets.empty()) return absl::StrCat(text, "No duet was measured.\n\n");
  absl::StrAppend(&text, SummaryMarkdown(suite.summary));
  const bool is_folded = duets.size() > kMaxRowsUnfolded;
  if (is_folded) {
    absl::StrAppend(&text, "<details><summary>All ", duets.size(), " duets</summary>\n\n");
  }
  absl::StrAppend(&text, "| gate | benchmark | new/old | interval | verdict | measured |\n",
                  "|---|---|---|---|---|---|\n");
  for (const Facts* const duet : duets) absl::StrAppend(&text, Row(*duet));
  if (is_folded) absl::StrAppend(&text, "\n</details>\n");
  absl::StrAppend(&text, "\n", Escaped(suite.cpus),
                  "; intervals of the time of new divided by the time of old.\n");
  for (const Facts* const duet : duets) {
    const bool needs_attention = NeedsAttention(duet->gate);
    if (needs_attention) {
      absl::StrAppend(&text, "\n", Escaped(duet->message), "\n");
    } else if (!duet->why.empty()) {
      absl::StrAppend(&text, "\n", MarkdownCode(duet->name), ":\n");
    }
    for (const std::string& line : duet->why) {
      absl::StrAppend(&text, "\n- ", Escaped(line), "\n");
    }
    if (!needs_attention || duet->repeat.empty()) continue;
    absl::StrAppend(&text, "\n    ", duet->repeat, "\n");
  }
  return text + "\n";
}

std::string PageRecording(const SuiteFacts& suite) {
  std::string recording;
  nlohmann::json::to_cbor(suite, recording);
  return recording;
}

}  // namespace duetbench
