#include "duetbench/report/measuring_time.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "duetbench/decide/decision.h"
#include "duetbench/record/robust.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;

// Two digits, rounded up.
double RoundedUp(double value) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 1));
  return std::ceil(value / unit) * unit;
}

// By what to multiply the wall time for 1 / `factor` of the variance of the mean: `factor` with
// more runs like these; less where runs of more pairs suffice, and set-ups take much of the time.
double LengthFactor(const Comparison& comparison, double factor) {
  const Estimate& estimate = *comparison.estimate();
  const double within = stats::PartWithinRuns(estimate.run_values).value_or(0);
  const double left_within = 1 / factor - (1 - within);
  if (!(left_within > 0) || !(estimate.measuring_s > 0)) return factor;
  const double measuring = std::min(1.0, estimate.measuring_s / comparison.wall_s);
  return std::min(factor, 1 - measuring + measuring * within / left_within);
}

}  // namespace

std::optional<double> SecondsToDecide(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr || estimate->why_undecided() != stats::Why::kWide) return std::nullopt;
  if (estimate->runs < 2 || estimate->open_total.has_value()) return std::nullopt;
  const stats::RatioInterval& interval = estimate->interval;
  const double reached = std::log(interval.hi / interval.lo) / 2 - estimate->systematic;
  if (!(reached > 0) || !std::isfinite(reached) || !(comparison.wall_s > 0)) return std::nullopt;
  const GateResult* const gate = estimate->time_gate();
  const double factor = std::max(
      1.0, stats::NarrowingToDecide(*estimate, gate != nullptr ? &gate->spec : nullptr, reached));
  // No time makes a systematic error smaller.
  if (std::isinf(factor) && estimate->systematic > 0) return std::nullopt;
  if (std::isinf(factor)) return factor;
  return comparison.wall_s * LengthFactor(comparison, factor * factor);
}

// Where the typical ratio decides nothing either. How much longer to measure is not known.
bool HasTooFewSlowCalls(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  return estimate != nullptr && estimate->why_undecided() == stats::Why::kWide &&
         estimate->open_total.has_value();
}

std::string AndDecisionTime(const Comparison& comparison) {
  if (HasTooFewSlowCalls(comparison)) {
    return absl::StrFormat("; measure longer: total %.3g ×, of too few slow calls",
                           *comparison.estimate()->open_total);
  }
  const std::optional<double> seconds = SecondsToDecide(comparison);
  if (!seconds.has_value()) return "";
  if (*seconds > kDay) return "; more than a day would decide";
  const auto about = [](double value, const char* unit) {
    return absl::StrFormat("; about %.0f %s would decide", RoundedUp(value), unit);
  };
  if (*seconds <= 2 * kMinute) return about(*seconds, "s");
  if (*seconds <= 2 * kHour) return about(*seconds / kMinute, "min");
  return about(*seconds / kHour, "h");
}

std::string DecisionFlag(const Comparison& comparison) {
  const std::optional<double> seconds = SecondsToDecide(comparison);
  if (!seconds.has_value() || *seconds > kDay || comparison.within_budget) return "";
  // A gate with a fixed number of runs has one analysis, and no time limit.
  const Estimate& estimate = *comparison.estimate();
  const bool until_decided = estimate.time_gate() != nullptr && estimate.share < 1;
  return absl::StrFormat("%s=%.0f", until_decided ? "--duet_max_time" : "--benchmark_min_time",
                         RoundedUp(*seconds));
}

}  // namespace duetbench
