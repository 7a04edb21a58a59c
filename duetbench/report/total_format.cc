#include "duetbench/report/total_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/ratio_format.h"
#include "duetbench/report/text.h"

namespace duetbench::stats {
namespace {

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
bool Explains(const SlowCalls& slow, double log_difference) {
  if (!(slow.one_in >= 1.5) || slow.factor < 1.5) return false;
  const double implied = std::log1p((slow.factor - 1) / slow.one_in);
  return std::fabs(implied - log_difference) < log_difference / 2;
}

std::string SlowCallsText(const SlowCalls& slow, const char* variant) {
  return absl::StrCat("one call in about ", AboutText(slow.one_in), " of ", variant, " takes ",
                      AboutText(slow.factor), " times as long");
}

// The slow calls that a total ratio beside this typical one points to, of the variant that they
// slow down; null: they do not explain the difference.
const SlowCalls* SlowCallsOf(const RatioInterval& typical, const TotalRatio& total) {
  const double difference = std::log(total.interval.ratio / typical.ratio);
  const SlowCalls& slow = total.slow_calls[difference > 0 ? 1 : 0];
  return Explains(slow, std::fabs(difference)) ? &slow : nullptr;
}

bool LieOnTheSameSide(const RatioInterval& a, const RatioInterval& b) {
  return (a.lo > 1) == (b.lo > 1) && (a.hi < 1) == (b.hi < 1);
}

}  // namespace

std::string TotalSentence(const RatioInterval& typical, const TotalRatio& total) {
  const char* const slower = total.interval.ratio > typical.ratio ? "new" : "old";
  const SlowCalls* const slow = SlowCallsOf(typical, total);
  return absl::StrCat("typical ", RatioText(typical), ", total ", RatioText(total.interval), ": ",
                      slow != nullptr
                          ? SlowCallsText(*slow, slower)
                          : absl::StrCat("long samples are a larger part of the time of ", slower));
}

std::string UnseenText(double calls) {
  return absl::StrCat("calls rarer than 1 in ", AboutText(std::max(1.0, RarestSeen(calls))),
                      " were not seen");
}

std::string TotalFinding(const RatioInterval& typical, const TotalRatio& total) {
  const bool is_notable = total.differs && (SlowCallsOf(typical, total) != nullptr ||
                                            !LieOnTheSameSide(typical, total.interval));
  return is_notable ? TotalSentence(typical, total) : "";
}

}  // namespace duetbench::stats
