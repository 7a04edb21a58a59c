#include "duetbench/stats/total_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/diagnosis_format.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench::stats {
namespace {

// With one significant digit, and commas: 9,876 -> "10,000". From 1e15 on "1e+15".
std::string AboutText(double number) {
  constexpr double kMaxInFull = 1e15;
  if (number < 9.5) return absl::StrCat(std::round(number));
  if (!(number < kMaxInFull)) return absl::StrFormat("%.0e", number);
  const double unit = std::pow(10, std::floor(std::log10(number)));
  std::string text = absl::StrCat(static_cast<std::uint64_t>(std::round(number / unit) * unit));
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string SlowCallsText(const SlowCalls& slow, const char* variant) {
  if (!(slow.one_in > 0) || slow.factor < 1.5) {
    return absl::StrCat("rare calls of ", variant, " take longer");
  }
  if (slow.one_in < 1.5) return absl::StrCat("the times of calls of ", variant, " differ much");
  return absl::StrCat("one call in about ", AboutText(slow.one_in), " of ", variant, " takes ",
                      AboutText(slow.factor), " times as long");
}

}  // namespace

std::string TotalSentence(const RatioInterval& typical, const TotalRatio& total) {
  const bool new_is_slower = total.interval.ratio > typical.ratio;
  return absl::StrCat(
      "typical ", RatioText(typical), ", total ", RatioText(total.interval), ": ",
      SlowCallsText(total.slow_calls[new_is_slower ? 1 : 0], new_is_slower ? "new" : "old"));
}

std::string UnseenText(double calls) {
  return absl::StrCat("calls rarer than 1 in ", AboutText(std::max(1.0, RarestSeen(calls))),
                      " were not seen");
}

std::vector<std::string> Explain(const Diagnosis& diagnosis, bool interleaved,
                                 const RatioInterval& typical, const TotalRatio* total) {
  if (total == nullptr || !total->differs) return Explain(diagnosis, interleaved);
  Diagnosis others = diagnosis;
  others.tails.reset();
  std::vector<std::string> sentences = Explain(others, interleaved);
  sentences.insert(sentences.begin(), TotalSentence(typical, *total));
  return sentences;
}

}  // namespace duetbench::stats
