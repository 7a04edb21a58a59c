#include "duetbench/report/annotations.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

// As actions/toolkit does it (command.ts: escapeData, escapeProperty).
std::string EscapedData(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapedProperty(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}, {":", "%3A"}, {",", "%2C"}});
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

}  // namespace

std::vector<std::string> Annotations(absl::Span<const SuiteEntry> suite,
                                     absl::Span<const Standing> standings, WhenInconclusive when,
                                     const CpuPairChoice& cpus, const std::string& workspace) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < suite.size(); ++i) {
    const Standing standing = standings[i];
    if (standing == Standing::kNoGate || standing == Standing::kPass) continue;
    const bool undecided = standing == Standing::kInconclusive || standing == Standing::kUnproven;
    const SuiteEntry& entry = suite[i];
    std::string line = undecided && when != WhenInconclusive::kFail ? "::warning " : "::error ";
    if (!entry.file.empty()) {
      absl::StrAppend(&line, "file=", EscapedProperty(PathInRepository(entry.file, workspace)),
                      ",line=", entry.line, ",");
    }
    absl::StrAppend(
        &line, "title=", EscapedProperty(absl::StrCat(StandingName(standing), " ", entry.name)),
        "::", EscapedData(EntryMessage(entry, standing, cpus)));
    if (!entry.repeat.empty()) {
      absl::StrAppend(&line, EscapedData(absl::StrCat("\nalone: ", entry.repeat)));
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace duetbench
