#include "duetbench/report/calibration.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/planning.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr double kPower = 0.95;
constexpr int kMostRunsPlanned = 1'000'000;

std::string Percent(double fraction) { return absl::StrFormat("%.2g %%", 100 * fraction); }

// Two digits, and never an exponent: "2.7", "120".
std::string Seconds(double seconds) {
  return seconds < 10 ? absl::StrFormat("%.2g", seconds) : absl::StrFormat("%.0f", seconds);
}

}  // namespace

Calibration Calibrate(const Comparison& comparison, double detect) {
  Calibration calibration;
  const auto runs = static_cast<int>(comparison.run_log_ratios.size());
  if (!comparison.has_estimate || runs < 2) return calibration;
  const stats::Detection detection{1 - comparison.interval.level, kPower};
  calibration.spread = stats::StandardDeviation(comparison.run_log_ratios);
  calibration.detectable = stats::MinimalDetectableSlowdown(calibration.spread, runs, detection);
  calibration.surely = stats::MinimalDetectableSlowdown(
      stats::UpperSpread(calibration.spread, runs), runs, detection);
  if (detect <= 0) return calibration;
  const int needed = stats::RunsNeeded(calibration.spread, detect, detection, kMostRunsPlanned);
  if (needed > kMostRunsPlanned) return calibration;
  calibration.runs = needed;
  calibration.seconds = comparison.wall_s * needed / runs;
  calibration.min_time = comparison.measuring_s * needed / runs;
  return calibration;
}

std::vector<std::string> CalibrationLines(absl::Span<const SuiteEntry> suite, double detect) {
  std::vector<std::string> lines;
  lines.push_back(
      "duetbench: the smallest slow-down that is found in 95 % of cases (the interval excludes 1)");
  for (const SuiteEntry& entry : suite) {
    const Comparison& comparison = entry.comparison;
    const Calibration calibration = Calibrate(comparison, detect);
    if (comparison.run_log_ratios.size() < 2 || !comparison.has_estimate) {
      lines.push_back(absl::StrCat(
          entry.name, ": nothing is known: ",
          entry.error.empty() ? "it takes two runs, in processes of their own" : entry.error));
      continue;
    }
    std::string line = absl::StrFormat(
        "%s: %s with %d runs in %s s (at %g %%; at most %s, with the spread at "
        "its upper 90 %% limit)",
        entry.name, Percent(calibration.detectable), comparison.run_log_ratios.size(),
        Seconds(comparison.wall_s), 100 * comparison.interval.level, Percent(calibration.surely));
    if (detect > 0 && calibration.runs == 0) {
      absl::StrAppend(&line, "; ", Percent(detect), ": more than a million runs");
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
