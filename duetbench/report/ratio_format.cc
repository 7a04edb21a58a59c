#include "duetbench/report/ratio_format.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {
namespace {

// Beyond these, digits are of no use to a reader.
constexpr double kThousandTimes = 1e3;
constexpr double kMillionTimes = 1e6;

constexpr int kFewestDigits = 3;

// Two significant digits of the half-width, and four of the ratio or more.
int DigitsFor(const stats::RatioInterval& interval) {
  const double half_width = (interval.hi - interval.lo) / 2;
  if (!(half_width > 0) || !std::isfinite(half_width)) return kFewestDigits;
  int fewest = kFewestDigits;
  for (double lo = interval.lo; lo >= 10 && fewest > 0; lo /= 10) --fewest;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half_width))) + 1, fewest, 5);
}

constexpr int kMostDigits = 6;

// The number reads like the limit, which it is not.
bool HidesItsSide(double number, double limit, int digits) {
  return number != limit &&
         absl::StrFormat("%.*f", digits, number) == absl::StrFormat("%.*f", digits, limit);
}

// Such that a reader sees on which side of `limit` an end lies.
int DigitsForEnds(const stats::RatioInterval& interval, double limit) {
  int digits = DigitsFor(interval);
  while (digits < kMostDigits &&
         (HidesItsSide(interval.lo, limit, digits) || HidesItsSide(interval.hi, limit, digits))) {
    ++digits;
  }
  return digits;
}

// Small ratios with three significant digits, so that none reads like an unbounded end; large ones
// without any after the point.
std::string NumberText(double ratio, int digits) {
  if (std::isinf(ratio)) return "inf";
  if (ratio == 0) return "0";
  if (ratio < 1 / kThousandTimes || ratio >= kMillionTimes) return absl::StrFormat("%.3g", ratio);
  if (ratio >= kThousandTimes) digits = 0;
  return absl::StrFormat("%.*f", digits, ratio);
}

// True if the interval excludes next to nothing.
bool IsWide(const stats::RatioInterval& interval) {
  return interval.lo < 1 / kThousandTimes && interval.hi > kThousandTimes;
}

}  // namespace

std::string RatioText(const stats::RatioInterval& interval) {
  return absl::StrCat(NumberText(interval.ratio, DigitsFor(interval)), " x");
}

std::string IntervalText(const stats::RatioInterval& interval) {
  if (interval.lo == 0 && std::isinf(interval.hi)) return "no interval";
  const int digits = DigitsForEnds(interval, 1);
  return absl::StrCat("[", NumberText(interval.lo, digits), ", ", NumberText(interval.hi, digits),
                      "]");
}

std::string TimesText(const stats::RatioInterval& interval) {
  return absl::StrCat(NumberText(interval.ratio, DigitsFor(interval)), " ×");
}

std::string RangeText(const stats::RatioInterval& interval, double limit) {
  const int digits = DigitsForEnds(interval, limit);
  if (std::isinf(interval.hi)) {
    return interval.lo > 0 ? absl::StrCat(NumberText(interval.lo, digits), " × and more")
                           : "any ratio";
  }
  return absl::StrCat(NumberText(interval.lo, digits), " to ", NumberText(interval.hi, digits),
                      " ×");
}

std::string VerdictSentence(const stats::RatioInterval& interval, stats::Verdict verdict,
                            double margin, const VariantNames& names) {
  const std::string begin = absl::StrCat(stats::VerdictName(verdict), ": ");
  const std::string takes = absl::StrCat(begin, names.new_name, " takes ");
  const std::string the_time = absl::StrCat(" the time of ", names.old_name);
  switch (verdict) {
    case stats::Verdict::kFaster:
    case stats::Verdict::kSlower:
      return absl::StrCat(takes, TimesText(interval), the_time);
    case stats::Verdict::kEqual:
      return absl::StrFormat("%sthe same time as %s, within %g %%", takes, names.old_name,
                             margin * 100);
    case stats::Verdict::kInconclusive:
      break;
  }
  if (interval.lo == 0 && std::isinf(interval.hi)) {
    return absl::StrCat(begin, "too few runs to bound the ratio");
  }
  if (IsWide(interval)) return absl::StrCat(begin, "so few runs that the interval is very wide");
  return absl::StrCat(takes, RangeText(interval), the_time);
}

}  // namespace duetbench
