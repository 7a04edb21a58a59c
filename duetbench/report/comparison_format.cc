#include "duetbench/report/comparison_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/report/text.h"

namespace duetbench {

VariantNames SentenceNames(const Comparison& comparison) {
  // Longer names leave no room for what is said about them.
  constexpr size_t kMaxLength = 60;
  const VariantNames& names = comparison.names;
  const size_t length = names.old_name.size() + names.new_name.size();
  if (names.old_name.empty() || names.new_name.empty()) return {};
  if (names.old_name == names.new_name || length > kMaxLength) return {};
  return {Printable(names.old_name), Printable(names.new_name)};
}

namespace {

bool Contains(const stats::RatioInterval& interval, double ratio) {
  return interval.lo <= ratio && ratio <= interval.hi;
}

// The ratio at one of the speeds is another one than that of all pairs.
bool Disagree(const stats::TwoSpeeds& speeds, const Comparison& comparison) {
  const stats::RatioInterval& interval = comparison.interval;
  return !Contains(interval, speeds.ratio[0]) || !Contains(interval, speeds.ratio[1]) ||
         comparison.why == stats::Why::kTwoSpeeds;
}

// "old runs at two speeds: the ratio is 1.02 x where it takes 170 ns (60 % of the measurement) and
// 0.74 x where it takes 352 ns".
std::string TwoSpeedsText(const stats::TwoSpeeds& speeds) {
  return absl::StrFormat(
      "%s runs at two speeds: the ratio is %.3g x where it takes %s (%.0f %% of the "
      "measurement) and %.3g x where it takes %s",
      speeds.variant == 0 ? "old" : "new", speeds.ratio[0], ShortTimeText(speeds.time[0]),
      100 * speeds.share[0], speeds.ratio[1], ShortTimeText(speeds.time[1]));
}

// With one significant digit, and commas: 9,876 -> "10,000". From 1e15 on "1e+15".
std::string AboutText(double number) {
  constexpr double kMaxInFull = 1e15;
  if (number < 9.5) return absl::StrCat(std::round(number));
  if (!(number < kMaxInFull)) return absl::StrFormat("%.0e", number);
  const double unit = std::pow(10, std::floor(std::log10(number)));
  return Grouped(static_cast<std::uint64_t>(std::round(number / unit) * unit));
}

// True if such calls account for most of the difference between the logarithms of the total and the
// typical ratio, and for no other.
bool Explains(const stats::SlowCalls& slow, double log_difference) {
  if (!(slow.one_in >= 1.5) || slow.factor < 1.5) return false;
  const double implied = std::log1p((slow.factor - 1) / slow.one_in);
  return std::fabs(implied - log_difference) < log_difference / 2;
}

std::string SlowCallsText(const stats::SlowCalls& slow, const char* variant) {
  return absl::StrCat("one call in about ", AboutText(slow.one_in), " of ", variant, " takes ",
                      AboutText(slow.factor), " times as long");
}

// The slow calls that a total ratio beside this typical one points to, of the variant that they
// slow down; null: they do not explain the difference.
const stats::SlowCalls* SlowCallsOf(const stats::RatioInterval& typical,
                                    const stats::TotalRatio& total) {
  const double difference = std::log(total.interval.ratio / typical.ratio);
  const stats::SlowCalls& slow = total.slow_calls[difference > 0 ? 1 : 0];
  return Explains(slow, std::fabs(difference)) ? &slow : nullptr;
}

bool LieOnTheSameSide(const stats::RatioInterval& a, const stats::RatioInterval& b) {
  return (a.lo > 1) == (b.lo > 1) && (a.hi < 1) == (b.hi < 1);
}

// A shorter experiment does not see the states of the machine that last for seconds. Simulated
// (tests/statistical/mean_of_runs_test.cc): of 20 runs and states of one second, 3 % of the 99 %
// intervals miss in 30 s, and a third in one second.
constexpr double kSecondsOfStates = 10;

// " within 1.1 s": from the begin of the first run to that of the last, where that is too short to
// see states of the machine that last for seconds. Nothing where it is not known.
std::string WithinText(absl::Span<const stats::RunValue> runs) {
  if (runs.size() < 2) return "";
  double first = runs[0].start_s;
  double last = first;
  for (const stats::RunValue& run : runs) {
    if (run.start_s < 0 || run.machine != runs[0].machine) return "";
    first = std::min(first, run.start_s);
    last = std::max(last, run.start_s);
  }
  if (last - first >= kSecondsOfStates) return "";
  return absl::StrFormat(" within %.2g s", last - first);
}

// Runs that are not part of the ratio, where they differ by more than the margin.
std::string FarOffText(const Comparison& comparison) {
  std::vector<std::string> ratios;
  for (const double ratio : comparison.far_off) {
    if (std::abs(std::log(ratio / comparison.typical.ratio)) > std::log1p(comparison.margin)) {
      ratios.push_back(absl::StrFormat("%.3g", ratio));
    }
  }
  if (ratios.empty()) return "";
  return absl::StrCat(", ", ratios.size(), " far off (", absl::StrJoin(ratios, ", "), " ×)");
}

// Where another verdict would be right at some of the addresses than at others.
std::string ByAddressText(const Comparison& comparison) {
  constexpr double kNotable = 1.1;  // chosen
  if (!comparison.by_address.has_value()) return "";
  const auto [lo, hi] = *comparison.by_address;
  const bool is_one_verdict = stats::Decide(stats::PointInterval(lo), comparison.margin) ==
                              stats::Decide(stats::PointInterval(hi), comparison.margin);
  const bool is_open = comparison.verdict == stats::Verdict::kInconclusive;
  if (is_one_verdict || (!is_open && hi / lo < kNotable)) return "";
  return absl::StrFormat("; by address %.2g to %.2g ×", lo, hi);
}

// By how much the times of a tie may differ, at most.
double TieWidth(const stats::RatioInterval& interval) {
  return std::max(interval.hi, 1 / interval.lo) - 1;
}

std::string PlaceText(const Ranking::Place& place, double margin) {
  const stats::RatioInterval& interval = place.of_fastest;
  const double width = TieWidth(interval);
  if (width <= margin) return absl::StrCat(place.name, " ties within ", PercentAtMost(width));
  if (!place.ties()) {
    const bool is_close = interval.ratio < 1.1;
    return absl::StrFormat("%s takes %.*g x", place.name, is_close ? 4 : 3, interval.ratio);
  }
  return absl::StrFormat("%s is between %.3g and %.3g x", place.name, interval.lo, interval.hi);
}

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
  const double within = stats::PartWithinRuns(comparison.run_values).value_or(0);
  const double left_within = 1 / factor - (1 - within);
  if (!(left_within > 0) || !(comparison.measuring_s > 0)) return factor;
  const double measuring = std::min(1.0, comparison.measuring_s / comparison.wall_s);
  return std::min(factor, 1 - measuring + measuring * within / left_within);
}

}  // namespace

std::string TotalSentence(const stats::RatioInterval& typical, const stats::TotalRatio& total) {
  const char* const slower = total.interval.ratio > typical.ratio ? "new" : "old";
  const stats::SlowCalls* const slow = SlowCallsOf(typical, total);
  return absl::StrCat("typical ", RatioText(typical), ", total ", RatioText(total.interval), ": ",
                      slow != nullptr
                          ? SlowCallsText(*slow, slower)
                          : absl::StrCat("long samples are a larger part of the time of ", slower));
}

std::string UnseenText(double calls) {
  return absl::StrCat("calls rarer than 1 in ", AboutText(std::max(1.0, stats::RarestSeen(calls))),
                      " were not seen");
}

std::string TotalFinding(const stats::RatioInterval& typical, const stats::TotalRatio& total) {
  const bool is_notable = total.differs && (SlowCallsOf(typical, total) != nullptr ||
                                            !LieOnTheSameSide(typical, total.interval));
  return is_notable ? TotalSentence(typical, total) : "";
}

std::string WithheldText(const Comparison& comparison, stats::Why why) {
  using stats::Why;
  const VariantNames names = SentenceNames(comparison);
  const std::string* const name[] = {&names.old_name, &names.new_name};
  switch (why) {
    case Why::kDecided:
    case Why::kWide:
      break;
    case Why::kBiased:
      return "too many pairs were disturbed";
    case Why::kMeasuredTogether:
      return "old and new disturb each other";
    case Why::kOneRun:
      return "one run does not show how much runs differ";
    case Why::kPauses:
      return absl::StrCat("the pauses of ", *name[comparison.pause_share[0] > 0 ? 0 : 1],
                          " take longer than its work");
    case Why::kPartOfInput:
      return "the ratio depends on the input, of which the runs see a part";
    case Why::kLacksWork:
      if (comparison.lacks_work[0] && comparison.lacks_work[1]) {
        return absl::StrCat(names.old_name, " and ", names.new_name,
                            " take no more time than empty loops");
      }
      return absl::StrCat(*name[comparison.lacks_work[0] ? 0 : 1],
                          " takes no more time than an empty loop");
    case Why::kTwoSpeeds: {
      const stats::TwoSpeeds& speeds = *comparison.two_speeds;
      return absl::StrFormat(
          "%s runs at two speeds, the ratio is %.3g × at one and %.3g × at the other",
          *name[speeds.variant], speeds.ratio[0], speeds.ratio[1]);
    }
    case Why::kOpenTotal:
      return absl::StrFormat(
          "typical %s, total %.3g ×: too few slow calls to tell whose they are; measure longer",
          TimesText(comparison.typical), *comparison.open_total);
  }
  return "";
}

std::string UnseenText(const Comparison& comparison) {
  const uint64_t calls =
      std::min(comparison.distinct_iterations[0], comparison.distinct_iterations[1]);
  return calls == 0 ? "" : absl::StrCat("; ", UnseenText(static_cast<double>(calls)));
}

std::string VerdictSentence(const Comparison& comparison) {
  const std::string withheld = WithheldText(comparison, comparison.why);
  if (!withheld.empty()) return absl::StrCat("INCONCLUSIVE: ", withheld);
  return absl::StrCat(VerdictSentence(comparison.interval, comparison.verdict, comparison.margin,
                                      SentenceNames(comparison)),
                      AndDecisionTime(comparison));
}

std::string RunsText(const Comparison& comparison) {
  return absl::StrCat(comparison.runs, comparison.runs == 1 ? " run" : " runs",
                      WithinText(comparison.run_values));
}

std::string InterleavedText(const Comparison& comparison, const std::string& cpu) {
  if (comparison.cpus_per_variant == kAllCpus) return "interleaved on all CPUs";
  if (comparison.cpus_per_variant > 1) {
    return absl::StrCat("interleaved on ", comparison.cpus_per_variant, " CPUs");
  }
  return absl::StrCat("interleaved on ", cpu);
}

std::string EffortText(const Comparison& comparison) {
  std::string text = RunsText(comparison);
  // Fewer are no reason to worry.
  if (comparison.dropped > comparison.pairs) {
    absl::StrAppend(&text, ", ", comparison.dropped, " of ", comparison.dropped + comparison.pairs,
                    " pairs dropped");
  }
  if (comparison.slow_core_runs > 0) {
    absl::StrAppend(&text, ", ", comparison.slow_core_runs, " left out beside others on the core");
  }
  text += FarOffText(comparison);
  text += ByAddressText(comparison);
  if (comparison.cpu_time) absl::StrAppend(&text, "; of CPU times");
  if (comparison.total_decides) absl::StrAppend(&text, "; of total times");
  if (comparison.verdict == stats::Verdict::kEqual) text += UnseenText(comparison);
  if (comparison.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (comparison.threads > 1) {
    absl::StrAppend(&text, "; not a duet: ", comparison.threads,
                    " threads, one program after the other");
  } else if (comparison.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "; ", InterleavedText(comparison, "one CPU"));
  } else if (comparison.schedule != Schedule::kDuet) {
    absl::StrAppend(&text, "; ", NameOf(comparison.schedule));
  }
  if (comparison.interrupted) {
    absl::StrAppend(&text, "; interrupted, ", comparison.runs_planned, " runs were planned");
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

std::vector<std::string> ExplanationLines(const Comparison& comparison) {
  std::vector<std::string> lines;
  if (comparison.two_speeds.has_value() && Disagree(*comparison.two_speeds, comparison)) {
    lines.push_back(TwoSpeedsText(*comparison.two_speeds));
  }
  if (comparison.total_decides) {
    std::string finding = TotalFinding(comparison.typical, *comparison.total);
    if (!finding.empty()) lines.push_back(std::move(finding));
  }
  return lines;
}

std::string QuantileName(double quantile) { return absl::StrFormat("p%.6g", 100 * quantile); }

std::string TooFewText(const stats::QuantileRatio& ratio, size_t together) {
  const std::string purpose =
      together > 1 ? absl::StrCat(" for ", together, " quantiles at once") : "";
  if (ratio.runs < ratio.runs_needed) {
    return absl::StrCat("too few runs", purpose, ", ", ratio.runs, " of ", ratio.runs_needed,
                        " needed");
  }
  return absl::StrCat("too few calls", purpose, ", ", ratio.calls, " of ", ratio.calls_needed,
                      " needed");
}

std::string QuantileLine(const Facts::Quantile& quantile) {
  if (!quantile.interval.has_value()) return absl::StrCat(quantile.name, ": ", quantile.gap);
  return absl::StrCat(
      quantile.name, ": ", RatioText(*quantile.interval), " ", IntervalText(*quantile.interval),
      ", a call ", ShortTimeText(quantile.time_ns[0]), " -> ", ShortTimeText(quantile.time_ns[1]));
}

std::string PercentAtMost(double fraction) {
  const double percent = 100 * fraction;
  const double unit = std::pow(10, std::floor(std::log10(std::max(percent, 0.01))) - 1);
  return absl::StrFormat("%.6g %%", std::ceil(percent / unit - 1e-6) * unit);
}

std::string RankingSentence(const Ranking& ranking) {
  if (!ranking.unknown.empty()) return absl::StrCat("fastest: not known: ", ranking.unknown);
  std::string text = absl::StrCat("fastest: ", ranking.fastest);
  for (const Ranking::Place& place : ranking.others) {
    absl::StrAppend(&text, "; ", PlaceText(place, ranking.margin));
  }
  return text;
}

std::optional<double> SecondsToDecide(const Comparison& comparison) {
  if (!comparison.has_ratio() || comparison.runs < 2) return std::nullopt;
  if (comparison.why_undecided() != stats::Why::kWide) return std::nullopt;
  if (comparison.open_total.has_value()) return std::nullopt;
  const stats::RatioInterval& interval = comparison.interval;
  const double reached = std::log(interval.hi / interval.lo) / 2 - comparison.systematic;
  if (!(reached > 0) || !std::isfinite(reached) || !(comparison.wall_s > 0)) return std::nullopt;
  const GateResult* const gate = comparison.time_gate();
  const double factor = std::max(
      1.0, stats::NarrowingToDecide(comparison, gate != nullptr ? &gate->spec : nullptr, reached));
  // No time makes a systematic error smaller.
  if (std::isinf(factor) && comparison.systematic > 0) return std::nullopt;
  if (std::isinf(factor)) return factor;
  return comparison.wall_s * LengthFactor(comparison, factor * factor);
}

// Where the typical ratio decides nothing either. How much longer to measure is not known.
bool HasTooFewSlowCalls(const Comparison& comparison) {
  return comparison.has_ratio() && comparison.why_undecided() == stats::Why::kWide &&
         comparison.open_total.has_value();
}

std::string AndDecisionTime(const Comparison& comparison) {
  if (HasTooFewSlowCalls(comparison)) {
    return absl::StrFormat("; measure longer: total %.3g ×, of too few slow calls",
                           *comparison.open_total);
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
  const bool until_decided = comparison.time_gate() != nullptr && comparison.share < 1;
  return absl::StrFormat("%s=%.0f", until_decided ? "--duet_max_time" : "--benchmark_min_time",
                         RoundedUp(*seconds));
}

}  // namespace duetbench
