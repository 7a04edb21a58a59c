#include "duetbench/suite_report/suite_lines.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/gate_format.h"
#include "duetbench/report/printable.h"

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

std::string SuiteHeadline(const SuiteCounts& counts) {
  if (counts.gates == 0) return "";
  std::vector<std::string> parts;
  if (counts.gates == 1) {
    parts.push_back(counts.failed > 0      ? "1 gate failed"
                    : counts.undecided > 0 ? "1 gate is inconclusive"
                                           : "1 gate holds");
  } else if (counts.failed > 0) {
    parts.push_back(absl::StrCat(counts.failed, " of ", counts.gates, " gates failed"));
  } else if (counts.undecided == 0) {
    parts.push_back(absl::StrCat("all ", counts.gates, " gates hold"));
  } else {
    parts.push_back(absl::StrCat(counts.passed, " of ", counts.gates,
                                 counts.passed == 1 ? " gates holds" : " gates hold"));
  }
  if (counts.undecided > 0 && counts.gates > 1) {
    parts.push_back(
        absl::StrCat(counts.undecided, counts.undecided == 1 ? " is" : " are", " inconclusive"));
  }
  if (counts.errors > 0) {
    parts.push_back(absl::StrCat(counts.errors, counts.errors == 1 ? " duet" : " duets",
                                 " could not be measured"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string EntryMessage(const SuiteEntry& entry, GateStatus status, const CpuPairChoice& cpus) {
  if (IsUnchanged(entry)) {
    return absl::StrCat(status == GateStatus::kPass ? "PASS " : "", entry.name, ": ",
                        ErrorText(*entry.comparison.failure()));
  }
  switch (status) {
    case GateStatus::kError:
      return absl::StrCat("ERROR ", entry.name, ": ", Printable(ErrorText(*ErrorOf(entry))));
    case GateStatus::kNotMeasured:
      return absl::StrCat("SKIPPED ", entry.name, ": its gate was not measured: ",
                          Printable(ErrorText(*entry.comparison.failure())));
    case GateStatus::kUnproven:
      return absl::StrCat(AllGatesMessage(entry.name, entry.comparison, cpus),
                          " Alone it would have failed; in a suite of gates this may be chance.");
    case GateStatus::kPass:
    case GateStatus::kFail:
    case GateStatus::kInconclusive:
      return AllGatesMessage(entry.name, entry.comparison, cpus);
    case GateStatus::kNoGate:
      break;
  }
  return "";
}

std::vector<std::string> ClosingLines(absl::Span<const SuiteEntry> suite,
                                      absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                      const CpuPairChoice& cpus) {
  std::vector<std::string> lines;
  const SuiteCounts counts = CountGates(suite);
  if (counts.gates == 0) return lines;
  lines.push_back(absl::StrCat("duetbench: ", SuiteHeadline(counts)));
  for (size_t i = 0; i < suite.size(); ++i) {
    if (!NeedsAttention(statuses[i])) continue;
    lines.push_back(EntryMessage(suite[i], statuses[i], cpus));
    if (!suite[i].repeat.empty()) lines.push_back(absl::StrCat("  alone: ", suite[i].repeat));
  }
  if (counts.undecided > 0) {
    constexpr const char* kMeanings[] = {
        "duetbench: warning: inconclusive gates count as passed (--duet_inconclusive=pass)",
        "duetbench: inconclusive gates count as failed (--duet_inconclusive=fail)",
        "duetbench: inconclusive gates count as skipped (--duet_inconclusive=skip)"};
    lines.emplace_back(kMeanings[static_cast<size_t>(when)]);
  }
  return lines;
}

std::vector<std::string> Annotations(absl::Span<const SuiteEntry> suite,
                                     absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                     const CpuPairChoice& cpus, const std::string& workspace) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < suite.size(); ++i) {
    const GateStatus status = statuses[i];
    if (!NeedsAttention(status)) continue;
    const SuiteEntry& entry = suite[i];
    std::string line =
        IsUndecided(status) && when != WhenInconclusive::kFail ? "::warning " : "::error ";
    if (!entry.file.empty()) {
      absl::StrAppend(&line, "file=", EscapedProperty(PathInRepository(entry.file, workspace)),
                      ",line=", entry.line, ",");
    }
    absl::StrAppend(
        &line, "title=", EscapedProperty(absl::StrCat(GateStatusName(status), " ", entry.name)),
        "::", EscapedData(EntryMessage(entry, status, cpus)));
    if (!entry.repeat.empty()) {
      absl::StrAppend(&line, EscapedData(absl::StrCat("\nalone: ", entry.repeat)));
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace duetbench
