#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"

namespace duetbench {
namespace {

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

}  // namespace

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

}  // namespace duetbench
