#include "duetbench/report/suite_formats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/report/facts_json.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// The element that says how a test case ended.
std::string ElementOf(GateStatus status, WhenInconclusive when) {
  if (status == GateStatus::kFail) return "failure";
  if (status == GateStatus::kError) return "error";
  if (!IsUndecided(status) || when == WhenInconclusive::kPass) return "system-out";
  return when == WhenInconclusive::kFail ? "failure" : "skipped";
}

void AppendProperty(std::string* xml, const std::string& name, const std::string& value) {
  absl::StrAppend(xml, "        <property name=\"", XmlEscaped(name), "\" value=\"",
                  XmlEscaped(value), "\"/>\n");
}

void AppendCase(const Facts& duet, const std::string& element, const std::string& program,
                std::string* xml) {
  absl::StrAppend(xml, "    <testcase classname=\"", XmlEscaped(program), "\" name=\"",
                  XmlEscaped(duet.name), "\"");
  if (!duet.file.empty()) {
    absl::StrAppend(xml, " file=\"", XmlEscaped(duet.file), "\" line=\"", duet.line, "\"");
  }
  absl::StrAppendFormat(xml, " time=\"%.3f\">\n", duet.wall_s);
  if (duet.error.empty() || duet.unchanged) {
    absl::StrAppend(xml, "      <properties>\n");
    AppendProperty(xml, "verdict", duet.unchanged ? "UNCHANGED" : stats::VerdictName(duet.verdict));
    if (!duet.unchanged && duet.gate != GateStatus::kNoGate) {
      AppendProperty(xml, "gate", GateStatusName(duet.gate));
    }
    for (const auto& [name, value] : duet.numbers) {
      if (name == "gate") continue;  // stands above, in words
      AppendProperty(xml, name, absl::StrFormat("%.6g", value));
    }
    absl::StrAppend(xml, "      </properties>\n");
  }
  const std::string& message = duet.message.empty() ? duet.meaning : duet.message;
  std::string body = message;
  for (const std::string& line : duet.why) absl::StrAppend(&body, "\n", line);
  const bool passed = element == "system-out";
  if (!duet.repeat.empty() && !passed) absl::StrAppend(&body, "\nalone: ", duet.repeat);
  absl::StrAppend(xml, "      <", element);
  if (!passed) absl::StrAppend(xml, " message=\"", XmlEscaped(message), "\"");
  if (element == "skipped") {
    absl::StrAppend(xml, "/>\n");
  } else {
    if (!passed) absl::StrAppend(xml, " type=\"", GateStatusName(duet.gate), "\"");
    absl::StrAppend(xml, ">", XmlEscaped(body), "</", element, ">\n");
  }
  absl::StrAppend(xml, "    </testcase>\n");
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

// As actions/toolkit does it (command.ts: escapeData, escapeProperty).
std::string EscapedData(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapedProperty(absl::string_view text) {
  return absl::StrReplaceAll(EscapedData(text), {{":", "%3A"}, {",", "%2C"}});
}

std::string PathInRepository(absl::string_view path, const std::string& workspace) {
  if (!workspace.empty() && absl::ConsumePrefix(&path, workspace)) {
    while (absl::ConsumePrefix(&path, "/")) {
    }
  }
  while (absl::ConsumePrefix(&path, "../") || absl::ConsumePrefix(&path, "./")) {
  }
  return std::string(path);
}

std::string LineOf(const std::string& name, const Comparison& comparison) {
  const TimeAccount& time = comparison.time;
  const auto percent = [&time](double ns) -> std::string {
    const double share = 100 * ns / std::max(time.wall_ns, 1.0);
    return std::isfinite(share) ? absl::StrFormat("%.0f %%", share) : "-";
  };
  std::string line =
      absl::StrFormat("%6.2f s %6s %8s %6s %8s %8s %7s %7s %7s  %-11s  %s", time.wall_ns * 1e-9,
                      percent(time.kept_ns), percent(time.dropped_ns), percent(time.solo_ns),
                      percent(time.unmeasured_ns), percent(time.waiting_ns()),
                      percent(time.set_up_ns + time.call_set_ups_ns), percent(time.start_ns),
                      percent(time.pilots_ns), NameOf(comparison.schedule), name);
  if (!comparison.schedule_reason.empty()) {
    absl::StrAppend(&line, " (", comparison.schedule_reason, ")");
  }
  return line;
}

}  // namespace

std::string XmlEscaped(const std::string& text) {
  // Line by line: Printable makes spaces of all control characters.
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    lines.push_back(absl::StrReplaceAll(Printable(std::string(line)),
                                        {{"&", "&amp;"},
                                         {"<", "&lt;"},
                                         {">", "&gt;"},
                                         {"\"", "&quot;"},
                                         {"'", "&apos;"},
                                         // U+FFFE and U+FFFF are no characters of XML.
                                         {"\xEF\xBF\xBE", "\xEF\xBF\xBD"},
                                         {"\xEF\xBF\xBF", "\xEF\xBF\xBD"}}));
  }
  return absl::StrJoin(lines, "&#10;");
}

std::string SuiteJunit(const SuiteFacts& suite, WhenInconclusive when) {
  std::map<std::string, int> ends;
  double seconds = 0;
  std::string cases;
  for (const Facts& duet : suite.duets) {
    const std::string element = ElementOf(duet.gate, when);
    ++ends[element];
    seconds += duet.wall_s;
    AppendCase(duet, element, suite.program, &cases);
  }
  const std::string totals =
      absl::StrFormat(" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\"",
                      suite.duets.size(), ends["failure"], ends["error"], ends["skipped"], seconds);
  return absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"duetbench\"",
                      totals, ">\n  <testsuite name=\"", XmlEscaped(suite.program), "\"", totals,
                      ">\n", cases, "  </testsuite>\n</testsuites>\n");
}

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
                   [](const Facts* a, const Facts* b) { return a->gate < b->gate; });
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

std::vector<std::string> ClosingLines(const SuiteFacts& suite, WhenInconclusive when) {
  std::vector<std::string> lines;
  if (suite.headline.empty()) return lines;
  lines.push_back(absl::StrCat("duetbench: ", suite.headline));
  for (const Facts& duet : suite.duets) {
    if (!NeedsAttention(duet.gate)) continue;
    lines.push_back(duet.message);
    if (!duet.repeat.empty()) lines.push_back(absl::StrCat("  alone: ", duet.repeat));
  }
  if (suite.undecided_gates > 0) {
    constexpr const char* kMeanings[] = {
        "duetbench: warning: inconclusive gates count as passed (--duet_inconclusive=pass)",
        "duetbench: inconclusive gates count as failed (--duet_inconclusive=fail)",
        "duetbench: inconclusive gates count as skipped (--duet_inconclusive=skip)"};
    lines.emplace_back(kMeanings[static_cast<size_t>(when)]);
  }
  return lines;
}

std::vector<std::string> Annotations(const SuiteFacts& suite, WhenInconclusive when,
                                     const std::string& workspace) {
  std::vector<std::string> lines;
  for (const Facts& duet : suite.duets) {
    if (!NeedsAttention(duet.gate)) continue;
    std::string line =
        IsUndecided(duet.gate) && when != WhenInconclusive::kFail ? "::warning " : "::error ";
    if (!duet.file.empty()) {
      absl::StrAppend(&line, "file=", EscapedProperty(PathInRepository(duet.file, workspace)),
                      ",line=", duet.line, ",");
    }
    absl::StrAppend(
        &line, "title=", EscapedProperty(absl::StrCat(GateStatusName(duet.gate), " ", duet.name)),
        "::", EscapedData(duet.message));
    if (!duet.repeat.empty()) {
      absl::StrAppend(&line, EscapedData(absl::StrCat("\nalone: ", duet.repeat)));
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> TimeAccountLines(absl::Span<const SuiteEntry> suite) {
  std::vector<std::string> lines = {
      "duetbench: where the wall time of each duet went. kept: samples in the estimate; dropped: "
      "disturbed ones; solo: to see whether old and new disturb each other; warm-up: calibration, "
      "too; waiting: for the partner or a CPU; starts: of processes; pilots: the "
      "calibration, and runs that were given up",
      "    wall   kept  dropped   solo  warm-up  waiting  set-up  starts  pilots  schedule     "
      "benchmark"};
  for (const SuiteEntry& entry : suite) {
    if (!entry.comparison.has_ratio()) continue;
    lines.push_back(LineOf(entry.facts.name, entry.comparison));
  }
  return lines;
}

}  // namespace duetbench
