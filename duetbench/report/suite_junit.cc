#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_lines.h"

namespace duetbench {
namespace {

// The end of a test case.
enum class End { kPassed, kFailure, kError, kSkipped };

End EndOf(GateStatus status, WhenInconclusive when) {
  if (status == GateStatus::kFail) return End::kFailure;
  if (status == GateStatus::kError) return End::kError;
  if (!IsUndecided(status) || when == WhenInconclusive::kPass) return End::kPassed;
  return when == WhenInconclusive::kFail ? End::kFailure : End::kSkipped;
}

void AppendProperty(std::string* xml, const std::string& name, const std::string& value) {
  absl::StrAppend(xml, "        <property name=\"", XmlEscaped(name), "\" value=\"",
                  XmlEscaped(value), "\"/>\n");
}

void AppendCase(const SuiteEntry& entry, GateStatus status, End end, const std::string& program,
                const CpuPairChoice& cpus, std::string* xml) {
  const Comparison& comparison = entry.comparison;
  absl::StrAppend(xml, "    <testcase classname=\"", XmlEscaped(program), "\" name=\"",
                  XmlEscaped(entry.name), "\"");
  if (!entry.file.empty()) {
    absl::StrAppend(xml, " file=\"", XmlEscaped(entry.file), "\" line=\"", entry.line, "\"");
  }
  absl::StrAppendFormat(xml, " time=\"%.3f\">\n", comparison.wall_s);
  const Estimate* const estimate = comparison.estimate();
  if (estimate != nullptr) {
    absl::StrAppend(xml, "      <properties>\n");
    AppendProperty(xml, "verdict", stats::VerdictName(estimate->verdict));
    if (!estimate->gates.empty()) AppendProperty(xml, "gate", GateStatusName(status));
    for (const auto& [name, value] : NumbersOf(comparison)) {
      if (name == "gate") continue;  // stands above, in words
      AppendProperty(xml, name, absl::StrFormat("%.6g", value));
    }
    absl::StrAppend(xml, "      </properties>\n");
  }
  if (IsUnchanged(entry)) {
    absl::StrAppend(xml, "      <properties>\n");
    AppendProperty(xml, "verdict", "UNCHANGED");
    absl::StrAppend(xml, "      </properties>\n");
  }
  std::string message = EntryMessage(entry, status, cpus);
  if (message.empty() && estimate != nullptr) {
    message = VerdictSentence(comparison);
  }
  std::string body = message;
  for (const std::string& line : comparison.explanation.lines) {
    absl::StrAppend(&body, "\n", line);
  }
  if (!entry.repeat.empty() && end != End::kPassed) {
    absl::StrAppend(&body, "\nalone: ", entry.repeat);
  }
  const std::string attributes = absl::StrCat(" message=\"", XmlEscaped(message), "\"");
  switch (end) {
    case End::kFailure:
    case End::kError: {
      const char* const element = end == End::kError ? "error" : "failure";
      absl::StrAppend(xml, "      <", element, attributes, " type=\"", GateStatusName(status),
                      "\">", XmlEscaped(body), "</", element, ">\n");
      break;
    }
    case End::kSkipped:
      absl::StrAppend(xml, "      <skipped", attributes, "/>\n");
      break;
    case End::kPassed:
      absl::StrAppend(xml, "      <system-out>", XmlEscaped(body), "</system-out>\n");
      break;
  }
  absl::StrAppend(xml, "    </testcase>\n");
}

}  // namespace

std::string XmlEscaped(const std::string& text) {
  std::string escaped;
  // Line by line: Printable makes spaces of all control characters.
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) escaped += "&#10;";
    escaped += absl::StrReplaceAll(Printable(text.substr(begin, end - begin)),
                                   {{"&", "&amp;"},
                                    {"<", "&lt;"},
                                    {">", "&gt;"},
                                    {"\"", "&quot;"},
                                    {"'", "&apos;"},
                                    // U+FFFE and U+FFFF are no characters of XML.
                                    {"\xEF\xBF\xBE", "\xEF\xBF\xBD"},
                                    {"\xEF\xBF\xBF", "\xEF\xBF\xBD"}});
    begin = end + 1;
  }
  return escaped;
}

std::string SuiteJunit(absl::Span<const SuiteEntry> suite, absl::Span<const GateStatus> statuses,
                       WhenInconclusive when, const std::string& program,
                       const CpuPairChoice& cpus) {
  std::map<End, int> ends;
  double seconds = 0;
  std::string cases;
  for (size_t i = 0; i < suite.size(); ++i) {
    const End end = EndOf(statuses[i], when);
    ++ends[end];
    seconds += suite[i].comparison.wall_s;
    AppendCase(suite[i], statuses[i], end, program, cpus, &cases);
  }
  const std::string totals = absl::StrFormat(
      " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\"", suite.size(),
      ends[End::kFailure], ends[End::kError], ends[End::kSkipped], seconds);
  return absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"duetbench\"",
                      totals, ">\n  <testsuite name=\"", XmlEscaped(program), "\"", totals, ">\n",
                      cases, "  </testsuite>\n</testsuites>\n");
}

}  // namespace duetbench
