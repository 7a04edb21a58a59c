#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/sampling/amount.h"
#include "duetbench/text/number_text.h"
#include "duetbench/text/ratio_format.h"

namespace duetbench {
namespace {

// Below this share of scaled samples there is nothing to warn of.
constexpr double kMinScaledShare = 0.01;

// With the unit of an amount; large counts with all digits.
std::string ValueText(const std::string& name, double value) {
  if (IsAmount(name)) return AmountText(name, value);
  return value >= 1e4 && value < 1e15 ? Grouped(static_cast<uint64_t>(std::llround(value)))
                                      : NumberText(value);
}

// All runs have the same count.
bool IsExact(const stats::RatioInterval& interval) { return interval.hi - interval.lo < 1e-9; }

std::string CounterText(const CounterComparison& counter) {
  if (!counter.counted) return absl::StrCat(counter.name, " not counted");
  std::string text =
      absl::StrCat(counter.name, " ", ValueText(counter.name, counter.per_iteration[0]), " -> ",
                   ValueText(counter.name, counter.per_iteration[1]));
  if (counter.ratio.has_value()) {
    absl::StrAppend(&text, " (", NumberText(*counter.ratio), " x");
    if (counter.interval.has_value() && std::isfinite(counter.interval->hi) &&
        !IsExact(*counter.interval)) {
      absl::StrAppend(&text, " [", NumberText(counter.interval->lo), ", ",
                      NumberText(counter.interval->hi), "]");
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
    return value.has_value() ? NumberText(*value) : std::string("-");
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

std::string CounterLine(const CounterSummary& summary) {
  std::vector<std::string> parts;
  std::vector<std::string> amounts;
  for (const CounterComparison& counter : summary.counters) {
    // Other programs cause them, and the pairs that they hit are dropped.
    if (counter.name == "INVOLUNTARY-SWITCHES") continue;
    (counter.of_run ? amounts : parts).push_back(CounterText(counter));
  }
  for (const DerivedComparison& derived : summary.derived) parts.push_back(DerivedText(derived));
  std::vector<std::string> lines;
  if (!parts.empty()) {
    lines.push_back(absl::StrCat("per iteration, old -> new: ", absl::StrJoin(parts, ", ")));
  }
  if (!amounts.empty()) {
    lines.push_back(absl::StrCat("in all, old -> new: ", absl::StrJoin(amounts, ", ")));
  }
  return absl::StrJoin(lines, "; ");
}

namespace {

// "2 -> 3 an iteration, 1.500 ×, all above the limit".
std::string CountsText(const CounterGateResult& gate) {
  const std::string& name = gate.spec.counter;
  std::string text =
      absl::StrCat(Printable(name), " ", ValueText(name, gate.per_iteration[0]), " -> ",
                   ValueText(name, gate.per_iteration[1]), IsAmount(name) ? "" : " an iteration");
  if (gate.interval.has_value()) {
    absl::StrAppend(
        &text, ", ",
        IsExact(*gate.interval) ? TimesText(*gate.interval) : RangeText(*gate.interval));
  }
  switch (gate.outcome) {
    case GateOutcome::kPass:
      return absl::StrCat(text, ", not above the limit");
    case GateOutcome::kFail:
      return absl::StrCat(text, ", all above the limit");
    case GateOutcome::kInconclusive:
      break;
  }
  return absl::StrCat(text,
                      gate.runs < 2 ? ", in fewer than two runs" : ", on both sides of the limit");
}

std::string LimitText(const CounterGateResult& gate) {
  return absl::StrFormat("limit %.6g ×", gate.spec.max_ratio);
}

}  // namespace

std::string CounterGateSentence(const CounterGateResult& gate) {
  return absl::StrCat(GateOutcomeName(gate.outcome), " (", LimitText(gate),
                      "): ", CountsText(gate));
}

std::string CounterGateMessage(const std::string& name, const CounterGateResult& gate) {
  return absl::StrCat(GateOutcomeName(gate.outcome), " ", name, ": ", CountsText(gate), " of ",
                      absl::StrFormat("%.6g", gate.spec.max_ratio), " ×, in ", gate.runs, " runs.");
}

}  // namespace duetbench
