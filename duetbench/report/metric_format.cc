#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/record/run_result.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// "10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores)"; where it applies: ";
// interleaved on CPU 0", "; interrupted".
std::string MeasuredText(const Comparison& comparison, const CpuPairChoice& cpus) {
  std::string text = absl::StrCat(RunsText(comparison), ", ", Grouped(comparison.pairs), " pairs, ",
                                  Grouped(comparison.dropped), " dropped; ");
  if (comparison.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, InterleavedText(comparison, absl::StrCat("CPU ", cpus.cpus[0])));
  } else {
    text += cpus.relation == CpuRelation::kOneCpu
                ? DescribeCpuPair(cpus)
                : absl::StrCat("CPUs ", cpus.cpus[0], ",", cpus.cpus[1], " (",
                               DescribeCpuRelation(cpus), ")");
    if (comparison.schedule != Schedule::kDuet)
      absl::StrAppend(&text, "; ", NameOf(comparison.schedule));
  }
  if (comparison.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (comparison.interrupted) absl::StrAppend(&text, "; interrupted");
  if (comparison.total_decides) absl::StrAppend(&text, "; ratio of total times");
  return text;
}

bool HasTwoLimits(const GateSpec& spec) { return spec.lo() > 0 && std::isfinite(spec.hi()); }

// " of 1.05 ×", " 0.9804 to 1.02 ×".
std::string LimitsText(const GateSpec& spec) {
  if (HasTwoLimits(spec)) return absl::StrFormat(" %.4g to %.4g ×", spec.lo(), spec.hi());
  return absl::StrFormat(" of %.4g ×", spec.lo() > 0 ? spec.lo() : spec.hi());
}

// Where the ratio lies: "all above the limit of 1.05 ×", with those of `limits`.
std::string PlaceText(const GateResult& gate, const std::string& limits) {
  const GateSpec& spec = gate.spec;
  const char* place = HasTwoLimits(spec) ? "partly outside" : "on both sides of";
  if (gate.outcome == GateStatus::kFail) {
    place =
        gate.interval.has_value() && gate.interval->ratio < spec.lo() ? "all below" : "all above";
  } else if (gate.outcome == GateStatus::kPass && HasTwoLimits(spec)) {
    place = "all within";
  } else if (gate.outcome == GateStatus::kPass && spec.lo() > 0) {
    place = "all above";
  } else if (gate.outcome == GateStatus::kPass) {
    place = gate.interval.has_value() && gate.interval->hi < spec.hi() ? "all below" : "not above";
  } else if (gate.runs < 2 && !gate.interval.has_value()) {
    return "in fewer than two runs";
  }
  return absl::StrCat(place, HasTwoLimits(spec) ? " the limits" : " the limit", limits);
}

// All runs have the same count.
bool IsExact(const stats::RatioInterval& interval) { return interval.hi - interval.lo < 1e-9; }

std::string BytesText(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; std::abs(bytes) >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return absl::StrFormat("%.4g %s", bytes, kUnits[unit]);
}

// A count, or an amount with its unit: "1.5 MiB", "0.25 s"; large counts with all digits.
std::string ValueText(const std::string& counter, double value) {
  if (counter == kPeakHeap || counter == kPeakRss) return BytesText(value);
  if (IsAmount(counter)) {
    return absl::StrFormat("%.4g%s", value, counter == kExitStatus ? "" : " s");
  }
  return value >= 1e4 && value < 1e15 ? Grouped(static_cast<uint64_t>(std::llround(value)))
                                      : NumberText(value);
}

// The metric, before its ratio: "p99 of calls ".
std::string MetricText(const GateResult& gate) {
  const std::string& counter = gate.spec.metric.counter;
  if (counter.empty()) {
    return gate.spec.metric.is_time() ? ""
                                      : absl::StrCat(MetricName(gate.spec.metric), " of calls ");
  }
  return absl::StrCat(Printable(counter), " ", ValueText(counter, gate.mean[0]), " -> ",
                      ValueText(counter, gate.mean[1]), IsAmount(counter) ? "" : " an iteration",
                      ", ");
}

// "1.061 to 1.085 ×, all above the limit", or why nothing is decided.
std::string Finding(const Comparison& comparison, const GateResult& gate,
                    const std::string& limits) {
  const std::string metric = MetricText(gate);
  const std::string withheld = WithheldText(comparison, gate.why);
  if (!withheld.empty()) return absl::StrCat(metric, withheld);
  if (!gate.interval.has_value()) {
    return absl::StrCat(metric, gate.calls.has_value()
                                    ? absl::StrCat("with ", TooFewText(*gate.calls))
                                    : PlaceText(gate, limits));
  }
  const double near = std::isfinite(gate.spec.hi()) ? gate.spec.hi() : gate.spec.lo();
  return absl::StrCat(
      metric, IsExact(*gate.interval) ? TimesText(*gate.interval) : RangeText(*gate.interval, near),
      ", ", PlaceText(gate, limits));
}

// "new takes 1.073 × the time of old (99 % interval 1.061 to 1.085 ×)".
std::string DifferenceText(const stats::RatioInterval& interval, const VariantNames& names) {
  return absl::StrFormat("%s takes %s the time of %s (%g %% interval %s)", names.new_name,
                         TimesText(interval), names.old_name, interval.level * 100,
                         RangeText(interval));
}

// The message of a gate on times, from what was found on.
std::string TimesMessage(const Comparison& comparison, const GateResult& gate,
                         const CpuPairChoice& cpus) {
  std::string text = DifferenceText(comparison.interval, SentenceNames(comparison));
  const std::string withheld = WithheldText(comparison, gate.why);
  if (withheld.empty()) {
    absl::StrAppend(&text, ", ", PlaceText(gate, LimitsText(gate.spec)));
    if (gate.spec.kind == GateSpec::Kind::kMinSpeedup) {
      absl::StrAppendFormat(&text, " (%.6g times as fast)", gate.spec.value);
    }
    if (gate.outcome == GateStatus::kInconclusive && comparison.time_spent) {
      absl::StrAppend(&text, " when the time was spent");
    }
  } else {
    absl::StrAppend(&text, ", ", GateSpecText(gate.spec), ", but ", withheld);
  }
  text += AndDecisionTime(comparison);
  const std::string flag = DecisionFlag(comparison);
  if (!flag.empty()) absl::StrAppend(&text, " (", flag, ")");
  absl::StrAppend(&text, ". ", MeasuredText(comparison, cpus),
                  gate.outcome == GateStatus::kPass ? UnseenText(comparison) : "", ".");
  return text;
}

std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const GateResult& gate, const CpuPairChoice& cpus) {
  return absl::StrCat(GateStatusName(gate.outcome), " ", name, ": ",
                      gate.spec.metric.is_time()
                          ? TimesMessage(comparison, gate, cpus)
                          : absl::StrCat(Finding(comparison, gate, LimitsText(gate.spec)), ", in ",
                                         Plural(gate.runs, "run"), "."));
}

// Below this share of scaled samples there is nothing to warn of.
constexpr double kMinScaledShare = 0.01;

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

std::string MetricName(const Metric& metric) {
  return metric.is_quantile() ? QuantileName(metric.quantile) : metric.counter;
}

std::string GateSpecText(const GateSpec& spec) {
  if (HasTwoLimits(spec)) return absl::StrFormat("limits %.4g to %.4g ×", spec.lo(), spec.hi());
  return spec.lo() > 0 ? absl::StrFormat("limit %.4g × from below", spec.lo())
                       : absl::StrFormat("limit %.4g ×", spec.hi());
}

std::string GateSentence(const Comparison& comparison, const GateResult& gate) {
  return absl::StrCat(GateStatusName(gate.outcome), " (", GateSpecText(gate.spec),
                      "): ", GateMeaning(comparison, gate));
}

std::string GateMeaning(const Comparison& comparison, const GateResult& gate) {
  const bool needs_time = gate.spec.metric.is_time() && gate.why == stats::Why::kWide;
  return absl::StrCat(Finding(comparison, gate, ""), needs_time ? AndDecisionTime(comparison) : "");
}

std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const CpuPairChoice& cpus) {
  if (!comparison.has_ratio()) return "";
  std::vector<std::string> messages;
  std::vector<std::string> held;
  for (const GateResult& gate : comparison.gates) {
    (gate.outcome == GateStatus::kPass ? held : messages)
        .push_back(GateMessage(name, comparison, gate, cpus));
  }
  messages.insert(messages.end(), held.begin(), held.end());
  return absl::StrJoin(messages, " ");
}

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
