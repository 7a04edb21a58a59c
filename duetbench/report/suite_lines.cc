#include "duetbench/report/suite_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/decide/time_account.h"
#include "duetbench/report/number_text.h"
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

namespace {

std::string LineOf(const std::string& name, const Estimate& estimate) {
  const TimeAccount& time = estimate.time;
  const auto percent = [&time](double ns) -> std::string {
    const double share = 100 * ns / std::max(time.wall_ns, 1.0);
    return std::isfinite(share) ? absl::StrFormat("%.0f %%", share) : "-";
  };
  std::string line =
      absl::StrFormat("%6.2f s %6s %8s %6s %8s %8s %7s %7s %7s  %-11s  %s", time.wall_ns * 1e-9,
                      percent(time.kept_ns), percent(time.dropped_ns), percent(time.alone_ns),
                      percent(time.unmeasured_ns), percent(time.waiting_ns()),
                      percent(time.set_up_ns + time.call_set_ups_ns), percent(time.start_ns),
                      percent(time.pilots_ns), NameOf(estimate.schedule), name);
  if (!estimate.schedule_reason.empty()) {
    absl::StrAppend(&line, " (", estimate.schedule_reason, ")");
  }
  return line;
}

}  // namespace

std::vector<std::string> TimeAccountLines(absl::Span<const SuiteEntry> suite) {
  std::vector<std::string> lines = {
      "duetbench: where the wall time of each duet went. kept: samples in the estimate; dropped: "
      "disturbed ones; solo: to see whether old and new disturb each other; warm-up: calibration, "
      "too; waiting: for the partner or a CPU; starts: of processes; pilots: the "
      "calibration, and runs that were given up",
      "    wall   kept  dropped   solo  warm-up  waiting  set-up  starts  pilots  schedule     "
      "benchmark"};
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate != nullptr) lines.push_back(LineOf(entry.facts.name, *estimate));
  }
  return lines;
}

}  // namespace duetbench
