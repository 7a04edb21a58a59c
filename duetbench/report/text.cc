#include "duetbench/report/text.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {

namespace {

// The UTF-8 of characters that end a line, or change what a terminal shows of others: C1 controls,
// U+2028 and U+2029, and those that set the direction of text.
size_t BytesOfControl(absl::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) != 0xe2) return 0;
  const bool is_line_or_direction = byte(1) == 0x80 && ((byte(2) >= 0xa8 && byte(2) <= 0xae) ||
                                                        byte(2) == 0x8e || byte(2) == 0x8f);
  const bool is_isolate = byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
  return is_line_or_direction || is_isolate ? 3 : 0;
}

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

std::string Printable(const std::string& text) {
  using nlohmann::json;
  // There and back: writing JSON is what replaces the bytes that are not UTF-8.
  const std::string valid =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  std::string printable;
  for (absl::string_view rest = valid; !rest.empty();) {
    const size_t bytes = BytesOfControl(rest);
    printable += bytes > 0 ? ' ' : rest.front();
    rest.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return printable;
}

std::string Shortened(const std::string& text) {
  constexpr size_t kMaxBytes = 1000;
  if (text.size() <= kMaxBytes) return text;
  size_t end = kMaxBytes;
  // Not within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return absl::StrCat(text.substr(0, end), "… (", text.size(), " bytes)");
}

size_t Width(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string Wrapped(absl::string_view text, size_t columns, absl::string_view indent) {
  std::string lines;
  size_t column = 0;
  bool at_start = true;
  while (!text.empty()) {
    // The next word with the spaces before it.
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const size_t end = std::min(text.find(' ', begin), text.size());
    const absl::string_view word = text.substr(begin, end - begin);
    if (word.empty()) break;
    if (at_start || column + begin + Width(word) <= columns) {
      absl::StrAppend(&lines, text.substr(0, end));
      column += begin + Width(word);
    } else {
      absl::StrAppend(&lines, "\n", indent, word);
      column = Width(indent) + Width(word);
    }
    at_start = false;
    text.remove_prefix(end);
  }
  return lines;
}

TimeUnit UnitFor(double ns) {
  if (ns < 1e3) return {"ns", 1};
  if (ns < 1e6) return {"µs", 1e3};
  if (ns < 1e9) return {"ms", 1e6};
  return {"s", 1e9};
}

std::string TimeText(double ns) {
  const TimeUnit unit = UnitFor(ns);
  const double value = ns / unit.ns;
  const int digits = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
  return absl::StrFormat("%.*f %s", digits, value, unit.name);
}

std::string ShortTimeText(double ns) {
  const TimeUnit unit = UnitFor(ns);
  return absl::StrFormat("%.3g %s", ns / unit.ns, unit.name);
}

std::string DurationText(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return absl::StrFormat("%.3g s", seconds);
  if (seconds < 2 * kHour) return absl::StrFormat("%.3g min", seconds / kMinute);
  return absl::StrFormat("%.3g h", seconds / kHour);
}

std::string NumberText(double number) { return absl::StrFormat("%.4g", number); }

std::string Grouped(uint64_t number) {
  std::string text = absl::StrCat(number);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string Plural(uint64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

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
