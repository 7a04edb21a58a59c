#include "duetbench/suite_report/controls.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

bool IsQuiet(const stats::RatioInterval& interval) { return interval.lo <= 1 && interval.hi >= 1; }
bool IsFound(const stats::RatioInterval& interval) { return interval.lo > 1; }

// Failures by name: is it one benchmark again and again?
void ListFailures(bool (*good)(const stats::RatioInterval&), const std::vector<SuiteEntry>& entries,
                  std::vector<std::string>* lines) {
  for (const SuiteEntry& entry : entries) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr || good(estimate->interval)) continue;
    lines->push_back(absl::StrCat("  ", entry.name, ": ", RangeText(estimate->interval)));
  }
}

}  // namespace

ControlCounts CountControls(const Controls& controls) {
  ControlCounts counts;
  double level = 0.99;
  for (const SuiteEntry& entry : controls.same) {
    if (ErrorOf(entry) != nullptr) ++counts.errors;
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    level = estimate->interval.level;
    ++counts.same;
    if (IsQuiet(estimate->interval)) ++counts.quiet;
  }
  for (const SuiteEntry& entry : controls.slower) {
    if (ErrorOf(entry) != nullptr) ++counts.errors;
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    ++counts.slower;
    if (IsFound(estimate->interval)) ++counts.found;
  }
  counts.allowed_alarms = stats::FalseAlarmLimit(counts.same, level);
  return counts;
}

std::vector<std::string> ControlLines(const Controls& controls) {
  if (controls.same.empty() && controls.slower.empty()) return {};
  const ControlCounts counts = CountControls(controls);
  std::vector<std::string> lines;
  lines.push_back(absl::StrFormat(
      "duetbench: controls: %d of %d A/A quiet, %d of %d %+.0f %% found", counts.quiet, counts.same,
      counts.found, counts.slower, 100 * kControlSlowDown));
  ListFailures(IsQuiet, controls.same, &lines);
  ListFailures(IsFound, controls.slower, &lines);
  if (counts.errors > 0) {
    lines.push_back(absl::StrCat("duetbench: warning: ", counts.errors,
                                 counts.errors == 1 ? " control" : " controls",
                                 " could not be measured"));
  }
  if (counts.same - counts.quiet > counts.allowed_alarms) {
    lines.emplace_back(
        "duetbench: warning: identical code differs too often: do not believe differences that are "
        "measured here now; stop what else is running");
  }
  if (counts.found < counts.slower) {
    lines.push_back(
        absl::StrFormat("duetbench: warning: a slow-down of %.0f %% was missed in %d of %d cases: "
                        "what is not shown to be slower may be slower by that; measure longer "
                        "(--benchmark_min_time)",
                        100 * kControlSlowDown, counts.slower - counts.found, counts.slower));
  }
  return lines;
}

}  // namespace duetbench
