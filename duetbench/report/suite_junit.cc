#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/decide/suite.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/suite_formats.h"

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

}  // namespace duetbench
