#include "duetbench/report/comparison_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/stats/diagnosis_format.h"
#include "duetbench/stats/planning.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/total_format.h"

namespace duetbench {
namespace {

constexpr double kManyTimes = 1.9;  // from here on ratios, below per cent

// Digits after the point with which `half_width` has one digit.
int DigitsFor(double half_width, int min, int max) {
  if (!(half_width > 0) || !std::isfinite(half_width)) return min;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half_width))), min, max);
}

int PercentDigits(double half_width) { return DigitsFor(half_width / 10, 1, 3); }
int TimesDigits(double half_width) { return DigitsFor(half_width, 2, 4); }

// Beyond this, digits are of no use to a reader.
constexpr double kMillion = 1e6;

std::string TimesText(double times, int digits) {
  if (std::isfinite(times) && times >= kMillion) return absl::StrFormat("%.3g", times);
  return absl::StrFormat("%.*f", digits, times);
}

std::string Signed(double percent, int digits) {
  if (std::isinf(percent)) return percent > 0 ? "+inf" : "-inf";
  if (percent >= kMillion) return absl::StrFormat("%+.3g", percent);
  return absl::StrFormat("%+.*f", digits, percent);
}

// 18431 -> "18,431".
std::string Grouped(uint64_t number) {
  std::string text = absl::StrCat(number);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

// Empty where that does not limit what the estimate says.
std::string UnseenText(const Estimate& estimate) {
  const uint64_t calls = std::min(estimate.iterations[0], estimate.iterations[1]);
  return calls == 0 ? "" : absl::StrCat("; ", stats::UnseenText(static_cast<double>(calls)));
}

std::string Plural(int number, const char* noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

// " in 8 link layouts", or nothing.
std::string InLayouts(const Estimate& estimate) {
  if (!estimate.layouts.has_value()) return "";
  return absl::StrCat(" in ", Plural(estimate.layouts->layouts, "link layout"));
}

// "10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores, shared L3)"; where it applies: ";
// not a duet: interleaved on CPU 0", "; this process only", "; interrupted".
std::string MeasuredText(const Estimate& estimate, const CpuPairChoice& cpus) {
  std::string text =
      absl::StrCat(Plural(estimate.runs, "run"), InLayouts(estimate), ", ", Grouped(estimate.pairs),
                   " pairs, ", Grouped(estimate.dropped), " dropped; ");
  if (estimate.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "not a duet: interleaved on CPU ", cpus.cpus[0]);
  } else {
    absl::StrAppend(&text, "CPUs ", cpus.cpus[0], ",", cpus.cpus[1], " (",
                    DescribeCpuRelation(cpus), ")");
  }
  if (estimate.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (estimate.this_process_only) absl::StrAppend(&text, "; this process only");
  if (estimate.interrupted) absl::StrAppend(&text, "; interrupted");
  if (estimate.total_decides) absl::StrAppend(&text, "; ratio of total times");
  return text;
}

}  // namespace

std::string VerdictSentence(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return "DRY RUN: one iteration of each, no verdict";
  std::string gate;
  if (comparison.gate.has_value()) {
    gate = absl::StrCat(GateOutcomeName(comparison.gate->outcome), " (",
                        GateSpecText(comparison.gate->spec), "), ");
  }
  if (estimate->is_biased) return gate + "INCONCLUSIVE: too many pairs were disturbed";
  if (estimate->is_withheld()) {
    return absl::StrCat(gate, "INCONCLUSIVE: ", estimate->lacks_work[0] ? "old" : "new",
                        " takes no more time than an empty loop");
  }
  return gate + VerdictSentence(estimate->interval, estimate->verdict, estimate->margin);
}

std::string EffortText(const Estimate& estimate) {
  std::string text = absl::StrCat(Plural(estimate.runs, "run"), InLayouts(estimate), ", ",
                                  estimate.pairs, " pairs, ", estimate.dropped, " dropped");
  if (estimate.cpu_time) absl::StrAppend(&text, "; of CPU times");
  if (estimate.total_decides) absl::StrAppend(&text, "; of total times");
  if (estimate.verdict == stats::Verdict::kEqual) text += UnseenText(estimate);
  if (estimate.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (estimate.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "; not a duet: interleaved on one CPU");
  }
  if (estimate.this_process_only) {
    absl::StrAppend(&text, "; this process only");
  } else if (estimate.runs == 1) {
    absl::StrAppend(&text, "; one process only");
  }
  if (estimate.interrupted) {
    absl::StrAppend(&text, "; interrupted, ", estimate.runs_planned, " runs were planned");
  }
  return text;
}

std::string ErrorText(const Failure& failure) {
  constexpr const char* kNames[] = {"old ", "new "};
  const RunError& error = failure.error;
  std::string text =
      absl::StrCat(error.variant == 0 || error.variant == 1 ? kNames[error.variant] : "",
                   Shortened(error.cause));
  if (failure.run >= 0) absl::StrAppend(&text, " (in run ", failure.run + 1, ")");
  return text;
}

std::string NoticeText(const Notice& notice) {
  switch (notice.kind) {
    case Notice::Kind::kRunDegraded:
      break;
    case Notice::Kind::kThisProcessOnly:
      return absl::StrCat("measured in this process only: ", notice.text);
    case Notice::Kind::kNoManualTime:
      return "pairs without a time were dropped: call SetIterationTime in every iteration";
    case Notice::Kind::kNoMeasurableTime:
      return "pairs in which a variant took no measurable time were dropped";
    case Notice::Kind::kDisturbEachOther:
      return absl::StrFormat(
          "alone %.3g x, together %.3g x: old and new disturb each other, so they were measured "
          "one at a "
          "time",
          notice.value[0], notice.value[1]);
    case Notice::Kind::kMeasuredTogether:
      return absl::StrFormat(
          "alone %.3g x, together %.3g x: old and new disturb each other, and this is their ratio "
          "together "
          "(--duet_schedule=alternating measures one at a time)",
          notice.value[0], notice.value[1]);
    case Notice::Kind::kDisturbedPairsKept:
      return absl::StrFormat(
          "%.0f %% of the pairs were disturbed by other threads, so they were kept, with their CPU "
          "times; expect a wide interval",
          100 * notice.value[0]);
    case Notice::Kind::kBiasedPairsKept:
      return absl::StrFormat(
          "%.0f %% of the pairs were disturbed by other threads, and how long is not known: no "
          "verdict; stop what else is running",
          100 * notice.value[0]);
    case Notice::Kind::kLacksWork:
      return absl::StrFormat(
          "%s takes no more time than an empty loop (%.2g ns): was its work removed? Keep its "
          "result alive with benchmark::DoNotOptimize, and hide its input from the compiler",
          notice.value[0] == 0 ? "old" : "new", notice.value[1]);
    case Notice::Kind::kClockRatesDiffer:
      return absl::StrFormat(
          "old ran at %.3g GHz and new at %.3g GHz (cycles / CPU time): the clock rate (turbo), an "
          "SMT sibling or time in the kernel tells them apart; their cycles may be the fairer "
          "comparison",
          notice.value[0], notice.value[1]);
    case Notice::Kind::kMaybeLayout:
      return absl::StrFormat(
          "%+.2g %% may be the layout of the code alone: copies of one function lie up to %.2g %% "
          "apart on this machine (--duet_layout_noise); duet_target_layouts(TARGET 8) in CMake "
          "tells",
          100 * (notice.value[0] - 1), 100 * notice.value[1]);
    case Notice::Kind::kNotFilled:
      return "not filled: filling executes more iterations than asked for";
  }
  return notice.text;
}

std::vector<std::string> ExplanationLines(const Estimate& estimate) {
  if (!estimate.diagnosis.has_value()) return {};
  return stats::Explain(*estimate.diagnosis, estimate.schedule == Schedule::kInterleaved,
                        estimate.typical, estimate.total.has_value() ? &*estimate.total : nullptr);
}

std::string GateSpecText(const GateSpec& spec) {
  if (spec.kind == GateSpec::Kind::kMinSpeedup) {
    return absl::StrFormat("demanded %.6g times as fast", spec.value);
  }
  if (spec.kind == GateSpec::Kind::kEquivalent) {
    return absl::StrFormat("allowed ±%.6g %%", 100 * spec.value);
  }
  if (spec.value >= kManyTimes || spec.value <= 1 / kManyTimes) {
    return absl::StrFormat("allowed %.6g times the time", spec.value);
  }
  return absl::StrFormat("allowed %+.6g %%", 100 * (spec.value - 1));
}

std::string DifferenceText(const stats::RatioInterval& interval) {
  const std::string level = absl::StrFormat("%g %% interval ", interval.level * 100);
  if (interval.ratio >= kManyTimes) {
    const int digits = TimesDigits((interval.hi - interval.lo) / 2);
    return absl::StrCat("new takes ", TimesText(interval.ratio, digits), " times as long as old (",
                        level, TimesText(interval.lo, digits), " … ",
                        TimesText(interval.hi, digits), " times)");
  }
  if (interval.ratio <= 1 / kManyTimes) {
    const double lo = 1 / interval.hi;
    const double hi = 1 / interval.lo;  // infinite for an unbounded interval
    const int digits = TimesDigits((hi - lo) / 2);
    return absl::StrCat("new is ", TimesText(1 / interval.ratio, digits), " times as fast as old (",
                        level, TimesText(lo, digits), " … ", TimesText(hi, digits), " times)");
  }
  const double percent = 100 * (interval.ratio - 1);
  const int digits = PercentDigits(100 * (interval.hi - interval.lo) / 2);
  const std::string difference = absl::StrFormat("%.*f %%", digits, std::abs(percent));
  return absl::StrCat(percent >= 0 ? absl::StrCat("new is ", difference, " slower than old")
                                   : absl::StrCat("new takes ", difference, " less time than old"),
                      " (", level, Signed(100 * (interval.lo - 1), digits), " … ",
                      Signed(100 * (interval.hi - 1), digits), " %)");
}

double DetectableSlowdown(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr || estimate->run_log_ratios.size() < 2) return 0;
  const double share = comparison.gate.has_value() ? comparison.gate->share : 1;
  const stats::Detection detection{(1 - estimate->interval.level) * share, kDetectionPower};
  const double slowdown = stats::MinimalDetectableSlowdown(
      stats::StandardDeviation(estimate->run_log_ratios),
      static_cast<int>(estimate->run_log_ratios.size()), detection);
  return std::isfinite(slowdown) ? slowdown : 0;
}

std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus) {
  const Estimate& estimate = *comparison.estimate();
  const GateResult& gate = *comparison.gate;
  std::string text = absl::StrCat(GateOutcomeName(gate.outcome), " ", name, ": ",
                                  DifferenceText(estimate.interval), ", ", GateSpecText(gate.spec));
  if (gate.outcome == GateOutcome::kInconclusive && gate.time_spent) {
    absl::StrAppend(&text, ": undecided when the time was spent (--duet_max_time)");
  }
  absl::StrAppend(&text, ". ", MeasuredText(estimate, cpus),
                  gate.outcome == GateOutcome::kPass ? UnseenText(estimate) : "", ".");
  const double detectable = DetectableSlowdown(comparison);
  if (detectable > 0) {
    absl::StrAppendFormat(&text, " A/A on this machine detects ≥ %.2g %%.", 100 * detectable);
  }
  return text;
}

std::string CtestMeasurements(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return "";
  const struct {
    const char* name;
    double value;
  } kMeasurements[] = {{"ratio", estimate->interval.ratio},
                       {"ratio_lo", estimate->interval.lo},
                       {"ratio_hi", estimate->interval.hi}};
  std::string lines;
  for (const auto& [name, value] : kMeasurements) {
    if (!std::isfinite(value)) continue;
    absl::StrAppendFormat(
        &lines, "<CTestMeasurement type=\"numeric/double\" name=\"%s\">%.6g</CTestMeasurement>\n",
        name, value);
  }
  return lines;
}

}  // namespace duetbench
