#include "duetbench/stats/ratio_format.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {
namespace {

constexpr double kManyTimes = 1.9;  // below: per cent
// Beyond these, digits are of no use to a reader.
constexpr double kThousandTimes = 1e3;
constexpr double kMillionTimes = 1e6;

// Two significant digits of the half-width, on a ratio near 1.
int DigitsFor(const stats::RatioInterval& interval) {
  const double half_width = (interval.hi - interval.lo) / 2;
  if (!(half_width > 0) || !std::isfinite(half_width)) return 3;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half_width))) + 1, 3, 5);
}

// Small ratios with three digits of their own, so that none reads like an unbounded end; large ones
// without any after the point.
std::string NumberText(double ratio, int digits) {
  if (std::isinf(ratio)) return "inf";
  if (ratio == 0) return "0";
  if (ratio < 1 / kThousandTimes || ratio >= kMillionTimes) return absl::StrFormat("%.3g", ratio);
  if (ratio >= kThousandTimes) digits = 0;
  return absl::StrFormat("%.*f", digits, ratio);
}

// 0.2034 -> "20.3 %", 0.00031 -> "0.03 %": three digits, at most two after the point.
std::string PercentText(double fraction) {
  const double percent = std::abs(fraction) * 100;
  return absl::StrFormat("%.*f %%", percent >= 9.95 ? 1 : 2, percent);
}

// "2.01 times", "1234 times".
std::string TimesText(double ratio) {
  if (ratio >= kMillionTimes) return "more than a million times";
  return absl::StrFormat("%.*f times", ratio >= kThousandTimes ? 0 : 2, ratio);
}

}  // namespace

std::string RatioText(const stats::RatioInterval& interval) {
  return absl::StrCat(NumberText(interval.ratio, DigitsFor(interval)), " x");
}

std::string IntervalText(const stats::RatioInterval& interval) {
  const int digits = DigitsFor(interval);
  return absl::StrCat("[", NumberText(interval.lo, digits), ", ", NumberText(interval.hi, digits),
                      "]");
}

std::string ChangeText(double ratio) {
  if (std::isinf(ratio)) return "any number of times as long";
  if (ratio >= kManyTimes) return absl::StrCat(TimesText(ratio), " as long");
  if (ratio > 1) return absl::StrCat(PercentText(ratio - 1), " more time");
  // Rounded, this would read 100 %.
  if (ratio < 0.0005) return "more than 99.9 % less time";
  return absl::StrCat(PercentText(1 - ratio), " less time");
}

std::string VerdictSentence(const stats::RatioInterval& interval, stats::Verdict verdict,
                            double margin) {
  const std::string name(stats::VerdictName(verdict));
  switch (verdict) {
    case stats::Verdict::kFaster:
      if (interval.ratio <= 1 / kManyTimes) {
        return absl::StrCat(name, ": new is ", TimesText(1 / interval.ratio), " as fast");
      }
      return absl::StrCat(name, ": new takes ", ChangeText(interval.ratio));
    case stats::Verdict::kSlower:
      return absl::StrCat(name, ": new takes ", ChangeText(interval.ratio));
    case stats::Verdict::kEqual:
      return absl::StrFormat("%s: within %g %%", name, margin * 100);
    case stats::Verdict::kInconclusive:
      break;
  }
  if (interval.lo == 0 && std::isinf(interval.hi)) {
    return absl::StrCat(name, ": so few runs do not bound the ratio");
  }
  if (interval.lo < 1 / kThousandTimes && interval.hi > kThousandTimes) {
    return absl::StrCat(name, ": so few runs hardly bound the ratio");
  }
  return absl::StrCat(name, ": from ", ChangeText(interval.lo), " to ", ChangeText(interval.hi));
}

}  // namespace duetbench
