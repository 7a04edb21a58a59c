
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/decision/planning.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/measuring_time.h"
#include "duetbench/stats/robust.h"
#include "duetbench/text/number_text.h"

namespace duetbench {
namespace {

// "10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores, shared L3)"; where it applies: ";
// interleaved on CPU 0", "; this process only", "; interrupted".
std::string MeasuredText(const Estimate& estimate, const CpuPairChoice& cpus) {
  std::string text = absl::StrCat(RunsText(estimate), ", ", Grouped(estimate.pairs), " pairs, ",
                                  Grouped(estimate.dropped), " dropped; ");
  if (estimate.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, InterleavedText(estimate, absl::StrCat("CPU ", cpus.cpus[0])));
  } else {
    text += cpus.relation == CpuRelation::kOneCpu
                ? DescribeCpuPair(cpus)
                : absl::StrCat("CPUs ", cpus.cpus[0], ",", cpus.cpus[1], " (",
                               DescribeCpuRelation(cpus), ")");
    if (estimate.schedule == Schedule::kAlternating) text += "; alternating";
  }
  if (estimate.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (estimate.this_process_only) absl::StrAppend(&text, "; this process only");
  if (estimate.interrupted) absl::StrAppend(&text, "; interrupted");
  if (estimate.total_decides) absl::StrAppend(&text, "; ratio of total times");
  return text;
}

bool HasTwoLimits(const GateSpec& spec) { return spec.lo() > 0 && std::isfinite(spec.hi()); }

// "1.05 ×", "0.9804 to 1.02 ×".
std::string LimitsText(const GateSpec& spec) {
  if (!std::isfinite(spec.hi())) return absl::StrFormat("%.4g ×", spec.lo());
  const std::string hi = absl::StrFormat("%.4g ×", spec.hi());
  return HasTwoLimits(spec) ? absl::StrFormat("%.4g to %s", spec.lo(), hi) : hi;
}

// Where the interval lies: "all above".
const char* PlaceText(const GateSpec& spec, GateOutcome outcome,
                      const stats::RatioInterval& interval) {
  switch (outcome) {
    case GateOutcome::kPass:
      if (HasTwoLimits(spec)) return "all within";
      return spec.lo() > 0 ? "all above" : "all below";
    case GateOutcome::kFail:
      return interval.ratio < spec.lo() ? "all below" : "all above";
    case GateOutcome::kInconclusive:
      break;
  }
  return HasTwoLimits(spec) ? "partly outside" : "on both sides of";
}

}  // namespace

std::string GateSpecText(const GateSpec& spec) { return GateLimitText(spec.lo(), spec.hi()); }

std::string GateLimitText(double lo, double hi) {
  if (!std::isfinite(hi)) return absl::StrFormat("limit %.4g × from below", lo);
  return lo > 0 ? absl::StrFormat("limits %.4g to %.4g ×", lo, hi)
                : absl::StrFormat("limit %.4g ×", hi);
}

std::string GateSentence(const Comparison& comparison) {
  const GateResult& gate = *comparison.gate;
  return absl::StrCat(GateOutcomeName(gate.outcome), " (", GateSpecText(gate.spec),
                      "): ", GateMeaning(comparison));
}

std::string GateMeaning(const Comparison& comparison) {
  const stats::RatioInterval& interval = comparison.estimate()->interval;
  const GateResult& gate = *comparison.gate;
  const std::string withheld = WithheldText(comparison);
  if (!withheld.empty()) return withheld;
  const std::string time = DecisionTimeText(comparison);
  return absl::StrCat(
      RangeText(interval, std::isfinite(gate.spec.hi()) ? gate.spec.hi() : gate.spec.lo()), ", ",
      PlaceText(gate.spec, gate.outcome, interval),
      HasTwoLimits(gate.spec) ? " the limits" : " the limit", time.empty() ? "" : "; ", time);
}

std::string DifferenceText(const stats::RatioInterval& interval, const VariantNames& names) {
  return absl::StrFormat("%s takes %s the time of %s (%g %% interval %s)", names.new_name,
                         TimesText(interval), names.old_name, interval.level * 100,
                         RangeText(interval));
}

double DetectableSlowdown(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr || estimate->typical_log_ratios.size() < 2) return 0;
  const stats::Detection detection{(1 - estimate->interval.level) * estimate->share,
                                   kDetectionPower};
  const double slowdown = stats::MinimalDetectableSlowdown(
      estimate->RunSpread(), static_cast<int>(estimate->typical_log_ratios.size()), detection);
  if (!std::isfinite(slowdown)) return 0;
  // The intervals of totals and of layouts do not come from this spread alone.
  const double half_width = std::log(estimate->interval.hi / estimate->interval.lo) / 2;
  return std::isfinite(half_width) ? std::max(slowdown, std::expm1(half_width)) : 0;
}

std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus) {
  const Estimate& estimate = *comparison.estimate();
  const GateResult& gate = *comparison.gate;
  std::string text = absl::StrCat(GateOutcomeName(gate.outcome), " ", name, ": ",
                                  DifferenceText(estimate.interval, SentenceNames(comparison)));
  const std::string withheld = WithheldText(comparison);
  if (withheld.empty()) {
    absl::StrAppend(&text, ", ", PlaceText(gate.spec, gate.outcome, estimate.interval),
                    HasTwoLimits(gate.spec) ? " the limits " : " the limit of ",
                    LimitsText(gate.spec));
    if (gate.spec.kind == GateSpec::Kind::kMinSpeedup) {
      absl::StrAppendFormat(&text, " (%.6g times as fast)", gate.spec.value);
    }
  } else {
    absl::StrAppend(&text, ", ", GateSpecText(gate.spec), ", but ", withheld);
  }
  if (gate.outcome == GateOutcome::kInconclusive && gate.time_spent) {
    absl::StrAppend(&text, " when the time was spent");
  }
  const std::string time = DecisionTimeText(comparison);
  const std::string flag = DecisionFlag(comparison);
  if (!time.empty()) absl::StrAppend(&text, "; ", time);
  if (!flag.empty()) absl::StrAppend(&text, " (", flag, ")");
  absl::StrAppend(&text, ". ", MeasuredText(estimate, cpus),
                  gate.outcome == GateOutcome::kPass ? UnseenText(estimate) : "", ".");
  const double detectable = DetectableSlowdown(comparison);
  if (detectable > 0) {
    absl::StrAppendFormat(&text, " %s could have found a slow-down of %.2g %%.",
                          Plural(estimate.runs, "run"), 100 * detectable);
  }
  return text;
}

std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const CpuPairChoice& cpus) {
  std::vector<std::string> held;
  std::vector<std::string> messages;
  const auto add = [&](GateOutcome outcome, std::string message) {
    (outcome == GateOutcome::kPass ? held : messages).push_back(std::move(message));
  };
  if (comparison.gate.has_value()) {
    add(comparison.gate->outcome, GateMessage(name, comparison, cpus));
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    add(gate.outcome, CounterGateMessage(name, gate));
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    add(gate.outcome, QuantileGateMessage(name, gate));
  }
  messages.insert(messages.end(), held.begin(), held.end());
  return absl::StrJoin(messages, " ");
}

}  // namespace duetbench
