#include "duetbench/report/words.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {
namespace {

constexpr double kManyTimes = 1.9;  // below: per cent

// Two significant digits of the half-width, on a ratio near 1.
int DigitsFor(const stats::RatioInterval& interval) {
  const double half_width = (interval.hi - interval.lo) / 2;
  if (!(half_width > 0) || !std::isfinite(half_width)) return 3;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half_width))) + 1, 3, 5);
}

std::string EndText(double end, int digits) {
  if (std::isinf(end)) return "inf";
  if (end == 0) return "0";
  return absl::StrFormat("%.*f", digits, end);
}

// 0.2034 -> "20.3 %", 0.00031 -> "0.03 %": three digits, at most two after the point.
std::string PercentText(double fraction) {
  const double percent = std::abs(fraction) * 100;
  return absl::StrFormat("%.*f %%", percent >= 9.95 ? 1 : 2, percent);
}

// The change that a ratio means, in words: "20.3 % less time", "2.01 times as long".
std::string ChangeText(double ratio) {
  if (std::isinf(ratio)) return "any number of times as long";
  if (ratio >= kManyTimes) return absl::StrFormat("%.2f times as long", ratio);
  if (ratio > 1) return absl::StrCat(PercentText(ratio - 1), " more time");
  return absl::StrCat(PercentText(1 - ratio), " less time");
}

std::string SecondsText(double seconds) { return absl::StrFormat("%g s", seconds); }

}  // namespace

std::string RatioText(const stats::RatioInterval& interval) {
  return absl::StrFormat("%.*f x", DigitsFor(interval), interval.ratio);
}

std::string IntervalText(const stats::RatioInterval& interval) {
  const int digits = DigitsFor(interval);
  return absl::StrCat("[", EndText(interval.lo, digits), ", ", EndText(interval.hi, digits), "]");
}

std::string VerdictSentence(const Comparison& comparison) {
  const stats::RatioInterval& interval = comparison.interval;
  const std::string verdict(stats::VerdictName(comparison.verdict));
  switch (comparison.verdict) {
    case stats::Verdict::kFaster:
      if (interval.ratio <= 1 / kManyTimes) {
        return absl::StrFormat("%s: new is %.2f times as fast", verdict, 1 / interval.ratio);
      }
      return absl::StrCat(verdict, ": new takes ", ChangeText(interval.ratio));
    case stats::Verdict::kSlower:
      return absl::StrCat(verdict, ": new takes ", ChangeText(interval.ratio));
    case stats::Verdict::kEqual:
      return absl::StrFormat("%s: within %g %%", verdict, comparison.margin * 100);
    case stats::Verdict::kInconclusive:
      break;
  }
  return absl::StrCat(verdict, ": from ", ChangeText(interval.lo), " to ", ChangeText(interval.hi));
}

std::string EffortText(const Comparison& comparison) {
  std::string text = absl::StrCat(comparison.runs, comparison.runs == 1 ? " run, " : " runs, ",
                                  comparison.pairs, " pairs, ", comparison.dropped, " dropped");
  if (comparison.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (comparison.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "; not a duet: interleaved on one CPU");
  }
  if (comparison.this_process_only) {
    absl::StrAppend(&text, "; this process only");
  } else if (comparison.runs == 1) {
    absl::StrAppend(&text, "; one process only");
  }
  if (comparison.interrupted) {
    absl::StrAppend(&text, "; interrupted, ", comparison.runs_planned, " runs were planned");
  }
  return text;
}

std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options) {
  constexpr char kPrefix[] = "duetbench: ";
  std::string cpus = DescribeCpuPair(machine.cpus);
  if (options.schedule == Schedule::kInterleaved && machine.cpus.relation != CpuRelation::kOneCpu) {
    cpus = absl::StrCat("CPU ", machine.cpus.cpus[0],
                        " (not a duet: the variants are interleaved on it)");
  } else if (machine.probed) {
    absl::StrAppendFormat(&cpus, ", measured %.2fx together", machine.probe_slow_down);
  }
  std::string runs = "10 to 40 runs";
  if (options.runs == 1) {
    runs = "1 run, in this process";
  } else if (options.runs > 1) {
    runs = absl::StrCat(options.runs, " runs");
  }
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat(kPrefix, cpus, "; clock ", machine.clock));
  lines.push_back(
      absl::StrFormat("%s%s, %s a benchmark, %g %% intervals of new/old, EQUAL within "
                      "%g %%%s, --duet_seed=%d",
                      kPrefix, runs, SecondsText(options.min_time), options.level * 100,
                      options.margin * 100, options.fill ? ", filled" : "", options.seed));
  for (const std::string& warning : machine.warnings) {
    lines.push_back(absl::StrCat(kPrefix, "warning: ", warning));
  }
  return lines;
}

std::string ErrorText(const Comparison& comparison) {
  constexpr const char* kNames[] = {"old ", "new "};
  const RunError& error = comparison.error;
  std::string text = absl::StrCat(
      error.variant == 0 || error.variant == 1 ? kNames[error.variant] : "", error.cause);
  if (comparison.error_run >= 0) {
    absl::StrAppend(&text, " (in run ", comparison.error_run + 1, ")");
  }
  return text;
}

}  // namespace duetbench
