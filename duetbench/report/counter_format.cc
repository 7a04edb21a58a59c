#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/record/amount.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/number_text.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ratio_format.h"

namespace duetbench {
namespace {

// Below this share of scaled samples there is nothing to warn of.
constexpr double kMinScaledShare = 0.01;

// All runs have the same count.
bool IsExact(const stats::RatioInterval& interval) { return interval.hi - interval.lo < 1e-9; }

}  // namespace

std::string CounterRatioText(const CounterComparison& counter) {
  if (!counter.ratio.has_value()) return "";
  const std::string ratio = absl::StrCat(NumberText(*counter.ratio), " x");
  if (!counter.interval.has_value() || !std::isfinite(counter.interval->hi) ||
      IsExact(*counter.interval)) {
    return ratio;
  }
  return absl::StrCat(ratio, " [", NumberText(counter.interval->lo), ", ",
                      NumberText(counter.interval->hi), "]");
}

namespace {

std::string CounterText(const CounterComparison& counter) {
  if (!counter.counted) return absl::StrCat(counter.name, " not counted");
  std::string text =
      absl::StrCat(counter.name, " ", ValueText(counter.name, counter.per_iteration[0]), " -> ",
                   ValueText(counter.name, counter.per_iteration[1]));
  const std::string ratio = CounterRatioText(counter);
  if (!ratio.empty()) absl::StrAppend(&text, " (", ratio, ")");
  if (counter.scaled_share >= kMinScaledShare) {
    absl::StrAppendFormat(&text, " (multiplexed: scaled in %.0f %% of the samples)",
                          100 * counter.scaled_share);
  }
  return text;
}

}  // namespace

std::string ValueText(const std::string& counter, double value) {
  if (IsAmount(counter)) return AmountText(counter, value);
  return value >= 1e4 && value < 1e15 ? Grouped(static_cast<uint64_t>(std::llround(value)))
                                      : NumberText(value);
}

std::vector<std::string> CounterHeaderLines(const EventSurvey& survey) {
  std::vector<std::string> lines;
  if (!survey.events.empty()) {
    const std::string names = absl::StrJoin(
        survey.events, ", ", [](std::string* out, const Event& event) { out->append(event.name); });
    lines.push_back(
        absl::StrCat("counting ", names, " for both variants of duets, outside of what is timed"));
  }
  if (!survey.by_callgrind.empty()) {
    lines.push_back(absl::StrCat(
        "counting ", absl::StrJoin(survey.by_callgrind, ", "),
        " once for each duet, in a run under Callgrind: exact, and blind to caches and branches"));
  }
  for (const std::string& missing : MissingLines(survey.missing)) {
    lines.push_back(absl::StrCat("warning: ", missing));
  }
  return lines;
}

std::string CounterLine(const std::vector<CounterComparison>& summary) {
  std::vector<std::string> parts;
  std::vector<std::string> amounts;
  for (const CounterComparison& counter : summary) {
    (counter.of_run ? amounts : parts).push_back(CounterText(counter));
  }
  std::vector<std::string> lines;
  if (!parts.empty()) {
    lines.push_back(absl::StrCat("per iteration, old -> new: ", absl::StrJoin(parts, ", ")));
  }
  if (!amounts.empty()) {
    lines.push_back(absl::StrCat("in all, old -> new: ", absl::StrJoin(amounts, ", ")));
  }
  return absl::StrJoin(lines, "; ");
}

}  // namespace duetbench
