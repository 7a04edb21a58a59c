#include "duetbench/suite_report/ranking_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/text/number_text.h"

namespace duetbench {
namespace {

using Rankings = std::map<double, const Ranking*>;  // by size

// The positive number in a part of a name: "64", or "n:64".
std::optional<double> SizeIn(absl::string_view part) {
  const std::size_t colon = part.rfind(':');
  int64_t size = 0;
  if (colon != absl::string_view::npos) part = part.substr(colon + 1);
  if (!absl::SimpleAtoi(part, &size) || size <= 0) return std::nullopt;
  return static_cast<double>(size);
}

const Ranking::Place* PlaceOf(const Ranking& ranking, const std::string& variant) {
  for (const Ranking::Place& place : ranking.others) {
    if (place.name == variant) return &place;
  }
  return nullptr;
}

bool IsFastestOrTies(const Ranking& ranking, const std::string& variant) {
  if (ranking.fastest == variant) return true;
  const Ranking::Place* const place = PlaceOf(ranking, variant);
  return place != nullptr && place->ties();
}

// The time of `newer` over that of `older`, if one of them is the fastest.
std::optional<stats::RatioInterval> RatioOf(const Ranking& ranking, const std::string& newer,
                                            const std::string& older) {
  const bool is_inverse = ranking.fastest == newer;
  const Ranking::Place* const place = PlaceOf(ranking, is_inverse ? older : newer);
  if (place == nullptr || (!is_inverse && ranking.fastest != older)) return std::nullopt;
  stats::RatioInterval ratio = place->of_fastest;
  if (is_inverse) {
    ratio.ratio = 1 / place->of_fastest.ratio;
    ratio.lo = 1 / place->of_fastest.hi;
    ratio.hi = 1 / place->of_fastest.lo;
  }
  return ratio;
}

std::optional<stats::Crossing> CrossingOf(const Rankings& rankings, const std::string& newer,
                                          const std::string& older) {
  std::vector<stats::CurvePoint> points;
  for (const auto& [size, ranking] : rankings) {
    const std::optional<stats::RatioInterval> ratio = RatioOf(*ranking, newer, older);
    if (ratio.has_value()) points.push_back({size, *ratio});
  }
  const std::vector<stats::Crossing> crossings = stats::FindCrossings(points);
  if (crossings.size() != 1 || !crossings[0].faster_from_here) return std::nullopt;
  return crossings[0];
}

std::vector<stats::FastestStretch> StretchesOf(const Rankings& rankings) {
  std::vector<stats::FastestStretch> stretches;
  for (const auto& [size, ranking] : rankings) {
    if (!stretches.empty() && IsFastestOrTies(*ranking, stretches.back().variant)) {
      stretches.back().to = size;
      stretches.back().has_tie |= ranking->fastest != stretches.back().variant;
      continue;
    }
    stats::FastestStretch next{ranking->fastest, size, size, {}};
    if (!stretches.empty()) {
      next.crossing = CrossingOf(rankings, next.variant, stretches.back().variant);
    }
    stretches.push_back(std::move(next));
  }
  return stretches;
}

// "Find/map_vs_…/4", without the name of the other variant and the argument at `position`.
std::string TitleOf(std::vector<std::string> parts, std::size_t position) {
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(position));
  for (std::string& part : parts) {
    const std::size_t end = part.find("_vs_");
    if (end != std::string::npos) part = absl::StrCat(part.substr(0, end), "_vs_…");
  }
  return absl::StrJoin(parts, "/");
}

}  // namespace

std::vector<stats::FastestRange> RangesOf(absl::Span<const SuiteEntry> suite) {
  std::vector<stats::FastestRange> ranges;
  std::vector<Rankings> rankings;  // of each of `ranges`
  for (const SuiteEntry& entry : suite) {
    const std::optional<Ranking>& ranking = entry.comparison.ranking;
    if (!ranking.has_value() || !ranking->unknown.empty()) continue;
    const std::vector<std::string> parts = absl::StrSplit(entry.name, '/');
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::optional<double> size = SizeIn(parts[i]);
      if (!size.has_value()) continue;
      const std::size_t colon = parts[i].rfind(':');
      stats::FastestRange range;
      range.title = TitleOf(parts, i);
      range.argument = colon == std::string::npos ? "n" : parts[i].substr(0, colon);
      const auto known =
          std::find_if(ranges.begin(), ranges.end(), [&range](const stats::FastestRange& other) {
            return other.title == range.title && other.argument == range.argument;
          });
      const auto index = static_cast<std::size_t>(known - ranges.begin());
      if (known == ranges.end()) {
        ranges.push_back(std::move(range));
        rankings.emplace_back();
      }
      rankings[index].emplace(*size, &*ranking);  // of repetitions the first one
    }
  }
  std::vector<stats::FastestRange> found;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (rankings[i].size() < 2) continue;
    ranges[i].stretches = StretchesOf(rankings[i]);
    found.push_back(std::move(ranges[i]));
  }
  return found;
}

std::string RangeSentence(const stats::FastestRange& range) {
  std::vector<std::string> texts;
  for (const stats::FastestStretch& stretch : range.stretches) {
    const absl::string_view tie = stretch.has_tie ? " or a tie" : "";
    std::string text = stretch.from < stretch.to
                           ? absl::StrFormat("%s%s from %.0f to %.0f", stretch.variant, tie,
                                             stretch.from, stretch.to)
                           : absl::StrFormat("%s at %.0f", stretch.variant, stretch.from);
    if (stretch.crossing.has_value()) {
      const stats::Crossing& crossing = *stretch.crossing;
      absl::StrAppend(&text, ", crossing at ", SizeText(crossing.x, std::round), ", [",
                      SizeText(crossing.lo, std::floor), ", ", SizeText(crossing.hi, std::ceil),
                      "]");
    }
    texts.push_back(std::move(text));
  }
  return absl::StrCat(range.title, " over ", range.argument, ": fastest is ",
                      absl::StrJoin(texts, "; then "));
}

}  // namespace duetbench
