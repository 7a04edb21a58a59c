#include "duetbench/report/calibration.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/gate_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/stats/planning.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr int kMaxRunsPlanned = 1'000'000;

std::string Percent(double fraction) { return absl::StrFormat("%.2g %%", 100 * fraction); }

// Two digits, and never an exponent: "2.7", "120".
std::string Seconds(double seconds) {
  return seconds < 10 ? absl::StrFormat("%.2g", seconds) : absl::StrFormat("%.0f", seconds);
}

}  // namespace

Calibration Calibrate(const Estimate& estimate, double wall_s, double detect) {
  Calibration calibration;
  const auto runs = static_cast<int>(estimate.run_log_ratios.size());
  if (runs < 2) return calibration;
  const stats::Detection detection{1 - estimate.interval.level, kDetectionPower};
  calibration.spread = stats::StandardDeviation(estimate.run_log_ratios);
  calibration.detectable = stats::MinimalDetectableSlowdown(calibration.spread, runs, detection);
  calibration.surely = stats::MinimalDetectableSlowdown(
      stats::UpperSpread(calibration.spread, runs), runs, detection);
  if (detect <= 0) return calibration;
  const int needed = stats::RunsNeeded(calibration.spread, detect, detection, kMaxRunsPlanned);
  if (needed > kMaxRunsPlanned) return calibration;
  calibration.runs = needed;
  calibration.seconds = wall_s * needed / runs;
  calibration.min_time = estimate.measuring_s * needed / runs;
  return calibration;
}

std::vector<std::string> CalibrationLines(absl::Span<const SuiteEntry> suite, double detect) {
  std::vector<std::string> lines;
  lines.push_back(
      "duetbench: the smallest slow-down that is found in 95 % of cases (the interval excludes 1)");
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr || estimate->run_log_ratios.size() < 2) {
      const Failure* const error = ErrorOf(entry);
      lines.push_back(absl::StrCat(entry.name, ": nothing is known: ",
                                   error == nullptr ? "it takes two runs, in processes of their own"
                                                    : Printable(ErrorText(*error))));
      continue;
    }
    const double wall_s = entry.comparison.wall_s;
    const Calibration calibration = Calibrate(*estimate, wall_s, detect);
    const char* const units = estimate->layouts.has_value() ? "layouts" : "runs";
    std::string line = absl::StrFormat(
        "%s: %s with %d %s in %s s (at %g %%; at most %s, with the spread at "
        "its upper 90 %% limit)",
        entry.name, Percent(calibration.detectable), estimate->run_log_ratios.size(), units,
        Seconds(wall_s), 100 * estimate->interval.level, Percent(calibration.surely));
    if (detect > 0 && calibration.runs == 0) {
      absl::StrAppend(&line, "; ", Percent(detect), ": more than a million ", units);
    } else if (detect > 0 && estimate->layouts.has_value()) {
      absl::StrAppendFormat(&line, "; %s: %d layouts, %s s", Percent(detect), calibration.runs,
                            Seconds(calibration.seconds));
    } else if (detect > 0) {
      absl::StrAppendFormat(&line, "; %s: %d runs, %s s (--duet_runs=%d --benchmark_min_time=%s)",
                            Percent(detect), calibration.runs, Seconds(calibration.seconds),
                            calibration.runs, Seconds(calibration.min_time));
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace duetbench
