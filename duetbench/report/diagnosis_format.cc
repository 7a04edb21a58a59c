#include "duetbench/report/diagnosis_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench::stats {
namespace {

// A smaller effect on ln(new/old) is not worth a sentence, however significant.
constexpr double kNotableEffect = 0.001;

bool IsNotable(double log_ratio) { return std::fabs(log_ratio) >= kNotableEffect; }

bool IsNotable(const std::optional<Effect>& effect) {
  return effect.has_value() && effect->significant && IsNotable(effect->log_ratio);
}

// Two significant digits, without an exponent: 0.13, 1.3, 13, 130.
std::string Digits(double value) {
  char text[32];
  if (std::fabs(value) >= 99.5) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else if (std::fabs(value) < 0.001) {
    return "0";
  } else {
    std::snprintf(text, sizeof text, "%.2g", value);
  }
  return text;
}

std::string Percent(double log_ratio) {
  return absl::StrCat(Digits(100 * std::fabs(std::expm1(log_ratio))), " %");
}

std::string SignedPercent(double log_ratio) {
  return absl::StrCat(log_ratio < 0 ? "-" : "+", Percent(log_ratio));
}

std::string CountInWords(std::size_t count) {
  constexpr const char* kWords[] = {"no", "one", "two", "three", "four", "five"};
  return count < 6 ? kWords[count] : absl::StrCat(count);
}

std::string ClusterSentence(const Diagnosis& diagnosis) {
  const std::vector<Cluster>& clusters = diagnosis.clusters;
  const double distance = clusters.back().center - clusters.front().center;
  if (clusters.size() == 2) {
    // The smaller group is the exception, and named.
    const bool upper = clusters[1].size <= clusters[0].size;
    return absl::StrCat("runs fall into two clusters (", clusters[upper ? 1 : 0].size, " of ",
                        diagnosis.runs, " are ", Percent(upper ? distance : -distance),
                        upper ? " slower" : " faster", "), perhaps by memory layout");
  }
  std::string sizes;
  for (const Cluster& cluster : clusters) {
    absl::StrAppend(&sizes, sizes.empty() ? "" : ", ", cluster.size);
  }
  return absl::StrCat("runs fall into ", CountInWords(clusters.size()), " clusters (of ", sizes,
                      " runs, ", Percent(distance),
                      " from lowest to highest), perhaps by memory layout");
}

// With one significant digit, and commas: 9,876 -> "10,000". From 1e15 on "1e+15".
std::string AboutText(double number) {
  constexpr double kMaxInFull = 1e15;
  if (number < 9.5) return absl::StrCat(std::round(number));
  if (!(number < kMaxInFull)) return absl::StrFormat("%.0e", number);
  const double unit = std::pow(10, std::floor(std::log10(number)));
  std::string text = absl::StrCat(static_cast<std::uint64_t>(std::round(number / unit) * unit));
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
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

std::vector<std::string> Explain(const Diagnosis& diagnosis, const RatioInterval& typical,
                                 const TotalRatio* total) {
  std::vector<std::string> sentences;
  // Without slow calls, it matters only where the two ratios lead to different verdicts.
  if (total != nullptr && total->differs &&
      (SlowCallsOf(typical, *total) != nullptr || !LieOnTheSameSide(typical, total->interval))) {
    sentences.push_back(TotalSentence(typical, *total));
  }
  if (diagnosis.clusters.size() >= 2 &&
      IsNotable(diagnosis.clusters.back().center - diagnosis.clusters.front().center)) {
    sentences.push_back(ClusterSentence(diagnosis));
  }
  if (IsNotable(diagnosis.run_drift)) {
    sentences.push_back(absl::StrCat(
        "the ratio drifts over the runs: ", SignedPercent(diagnosis.run_drift->log_ratio),
        " from the first to the last; measure again when nothing else changes the machine"));
  }
  return sentences;
}

}  // namespace duetbench::stats
