#include "duetbench/report/counter_format.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace duetbench {
namespace {

// Below this share of scaled samples there is nothing to warn of.
constexpr double kMinScaledShare = 0.01;

std::string Number(double value) { return absl::StrFormat("%.4g", value); }

std::string CounterText(const CounterComparison& counter) {
  if (!counter.counted) return absl::StrCat(counter.name, " not counted");
  std::string text = absl::StrCat(counter.name, " ", Number(counter.per_iteration[0]), " -> ",
                                  Number(counter.per_iteration[1]));
  if (counter.ratio.has_value()) {
    absl::StrAppend(&text, " (", Number(*counter.ratio), " x");
    if (counter.interval.has_value() && std::isfinite(counter.interval->hi)) {
      absl::StrAppend(&text, " [", Number(counter.interval->lo), ", ", Number(counter.interval->hi),
                      "]");
    }
    absl::StrAppend(&text, ")");
  }
  if (counter.scaled_share >= kMinScaledShare) {
    absl::StrAppendFormat(&text, " (multiplexed: scaled in %.0f %% of the samples)",
                          100 * counter.scaled_share);
  }
  return text;
}

std::string DerivedText(const DerivedComparison& derived) {
  const auto text = [](const std::optional<double>& value) {
    return value.has_value() ? Number(*value) : std::string("-");
  };
  return absl::StrCat(derived.name, " ", text(derived.value[0]), " -> ", text(derived.value[1]));
}

}  // namespace

std::vector<std::string> CounterHeaderLines(const EventSurvey& survey) {
  std::vector<std::string> lines;
  if (!survey.events.empty()) {
    const std::string names = absl::StrJoin(
        survey.events, ", ", [](std::string* out, const Event& event) { out->append(event.name); });
    lines.push_back(absl::StrCat(
        "counting ", names, " for both variants of duets, outside of what is timed",
        survey.turns > 1
            ? absl::StrCat("; multiplexed: the PMU has too few counters, so that ", survey.turns,
                           " groups take turns, each for both variants at once")
            : ""));
  }
  for (const std::string& missing : MissingLines(survey.missing)) {
    lines.push_back(absl::StrCat("warning: ", missing));
  }
  return lines;
}

std::string CounterLine(const CounterSummary& summary) {
  std::vector<std::string> parts;
  for (const CounterComparison& counter : summary.counters) parts.push_back(CounterText(counter));
  for (const DerivedComparison& derived : summary.derived) parts.push_back(DerivedText(derived));
  if (parts.empty()) return "";
  return absl::StrCat("per iteration, old -> new: ", absl::StrJoin(parts, ", "));
}

std::map<std::string, double> CounterKeys(const CounterSummary& summary) {
  std::map<std::string, double> keys;
  const auto put = [&keys](const std::string& name, const char* part, double value) {
    if (std::isfinite(value)) keys[absl::StrCat("perf.", name, ".", part)] = value;
  };
  for (const CounterComparison& counter : summary.counters) {
    if (!counter.counted) continue;
    put(counter.name, "old", counter.per_iteration[0]);
    put(counter.name, "new", counter.per_iteration[1]);
    if (counter.ratio.has_value()) put(counter.name, "ratio", *counter.ratio);
    if (!counter.interval.has_value()) continue;
    put(counter.name, "ratio_lo", counter.interval->lo);
    put(counter.name, "ratio_hi", counter.interval->hi);
  }
  for (const DerivedComparison& derived : summary.derived) {
    if (derived.value[0].has_value()) put(derived.name, "old", *derived.value[0]);
    if (derived.value[1].has_value()) put(derived.name, "new", *derived.value[1]);
  }
  return keys;
}

}  // namespace duetbench
