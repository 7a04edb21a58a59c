#include "duetbench/report/decision_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;

// The next ratio is another one: with an interval exactly as wide as needed around this one, half
// of the experiments would decide. With 99 % intervals (2.6 standard errors) narrower by this
// factor (0.84 standard errors of room), 80 % do.
constexpr double kRoom = 1.33;

// The largest half-width, in logarithms, that decides about a ratio of e^center.
double NeededForVerdict(double center, double margin) {
  return std::max(std::abs(center), std::log1p(margin) - std::abs(center));
}

double NeededForGate(double center, const GateSpec& spec) {
  const double above = std::abs(center - std::log(spec.hi()));
  return spec.lo() > 0 ? std::min(above, std::abs(center - std::log(spec.lo()))) : above;
}

bool LacksDecision(const Comparison& comparison) {
  if (comparison.gate.has_value()) return comparison.gate->outcome == GateOutcome::kInconclusive;
  return comparison.estimate()->verdict == stats::Verdict::kInconclusive;
}

// Two digits, rounded up.
double RoundedUp(double value) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 1));
  return std::ceil(value / unit) * unit;
}

}  // namespace

std::optional<double> SecondsToDecide(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr || !LacksDecision(comparison)) return std::nullopt;
  if (estimate->is_withheld() || estimate->open_total.has_value()) return std::nullopt;
  if (estimate->runs < 2) return std::nullopt;
  if (estimate->layouts.has_value()) return std::nullopt;  // more layouts are needed, not more time
  const stats::RatioInterval& interval = estimate->interval;
  const double reached = std::log(interval.hi / interval.lo) / 2;
  if (!(reached > 0) || !std::isfinite(reached) || !(comparison.wall_s > 0)) return std::nullopt;
  const double center = std::log(interval.ratio);
  const double needed = comparison.gate.has_value() ? NeededForGate(center, comparison.gate->spec)
                                                    : NeededForVerdict(center, estimate->margin);
  if (!(needed > 0)) return std::numeric_limits<double>::infinity();
  const double factor = kRoom * reached / needed;
  return comparison.wall_s * std::max(1.0, factor * factor);
}

std::string DecisionTimeText(const Comparison& comparison) {
  const std::optional<double> seconds = SecondsToDecide(comparison);
  if (!seconds.has_value()) return "";
  if (*seconds > kDay) return "more than a day would decide";
  const auto about = [](double value, const char* unit) {
    return absl::StrFormat("about %.0f %s would decide", RoundedUp(value), unit);
  };
  if (*seconds <= 2 * kMinute) return about(*seconds, "s");
  if (*seconds <= 2 * kHour) return about(*seconds / kMinute, "min");
  return about(*seconds / kHour, "h");
}

std::string DecisionFlag(const Comparison& comparison) {
  const std::optional<double> seconds = SecondsToDecide(comparison);
  if (!seconds.has_value() || *seconds > kDay) return "";
  // A gate with a fixed number of runs has one analysis, and no time limit.
  const bool until_decided = comparison.gate.has_value() && comparison.gate->share < 1;
  return absl::StrFormat("%s=%.0f", until_decided ? "--duet_max_time" : "--benchmark_min_time",
                         RoundedUp(*seconds));
}

}  // namespace duetbench
