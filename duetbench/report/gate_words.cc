#include "duetbench/report/gate_words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/planning.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr double kManyTimes = 1.9;  // from here on ratios, below per cent
constexpr double kPower = 0.95;

// Digits after the point at which `half_width` is a number of one digit.
int DigitsFor(double half_width, int least, int most) {
  if (!(half_width > 0) || !std::isfinite(half_width)) return least;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half_width))), least, most);
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

std::string Plural(int number, const char* noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

}  // namespace

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

std::string DemandText(const GateDemand& demand) {
  switch (demand.kind) {
    case GateDemand::Kind::kMaxRatio:
      if (demand.value >= kManyTimes || demand.value <= 1 / kManyTimes) {
        return absl::StrFormat("allowed %.6g times the time", demand.value);
      }
      return absl::StrFormat("allowed %+.6g %%", 100 * (demand.value - 1));
    case GateDemand::Kind::kMinSpeedup:
      return absl::StrFormat("demanded %.6g times as fast", demand.value);
    case GateDemand::Kind::kEquivalent:
      return absl::StrFormat("allowed ±%.6g %%", 100 * demand.value);
    case GateDemand::Kind::kNone:
      break;
  }
  return "nothing demanded";
}

std::string MeasuredText(const Comparison& comparison, const CpuPairChoice& cpus) {
  std::string text = absl::StrCat(Plural(comparison.runs, "run"), ", ", Grouped(comparison.pairs),
                                  " pairs, ", Grouped(comparison.dropped), " dropped; ");
  if (comparison.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "not a duet: interleaved on CPU ", cpus.cpus[0]);
  } else {
    absl::StrAppend(&text, "CPUs ", cpus.cpus[0], ",", cpus.cpus[1], " (",
                    DescribeCpuRelation(cpus), ")");
  }
  if (comparison.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (comparison.this_process_only) absl::StrAppend(&text, "; this process only");
  if (comparison.interrupted) absl::StrAppend(&text, "; interrupted");
  return text;
}

double DetectableSlowdown(const Comparison& comparison) {
  if (comparison.run_log_ratios.size() < 2) return 0;
  const double share = comparison.gate.has_value() ? comparison.gate->share : 1;
  const stats::Detection detection{(1 - comparison.interval.level) * share, kPower};
  const double slowdown = stats::MinimalDetectableSlowdown(
      stats::StandardDeviation(comparison.run_log_ratios),
      static_cast<int>(comparison.run_log_ratios.size()), detection);
  return std::isfinite(slowdown) ? slowdown : 0;
}

std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus) {
  const GateResult gate = comparison.gate.value_or(GateResult());
  std::string text =
      absl::StrCat(std::string(stats::GateOutcomeName(gate.outcome)), " ", name, ": ",
                   DifferenceText(comparison.interval), ", ", DemandText(gate.demand));
  if (gate.outcome == stats::GateOutcome::kInconclusive && gate.time_spent) {
    absl::StrAppend(&text, ": undecided when the time was spent (--duet_max_time)");
  }
  absl::StrAppend(&text, ". ", MeasuredText(comparison, cpus), ".");
  const double detectable = DetectableSlowdown(comparison);
  if (detectable > 0) {
    absl::StrAppendFormat(&text, " A/A on this machine detects ≥ %.2g %%.", 100 * detectable);
  }
  return text;
}

}  // namespace duetbench
