#include "duetbench/decide/ranking.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "duetbench/record/variant_pair.h"

namespace duetbench {
namespace {

// Why the ratio of the pair decides nothing; empty: it decides.
std::string WhyUnknown(const absl::StatusOr<stats::Decision>& decision, const std::string& old_name,
                       const std::string& new_name) {
  if (decision.ok() && decision->why == stats::Why::kTwoSpeeds) {
    return absl::StrCat(decision->two_speeds->variant == 0 ? old_name : new_name,
                        " runs at two speeds");
  }
  if (decision.ok() && !decision->is_withheld() && !decision->open_total.has_value()) return "";
  return absl::StrCat("the ratio of ", new_name, " to ", old_name, " decides nothing");
}

stats::RatioInterval Inverse(const stats::RatioInterval& interval) {
  stats::RatioInterval inverse = interval;
  inverse.ratio = 1 / interval.ratio;
  inverse.lo = 1 / interval.hi;
  inverse.hi = 1 / interval.lo;
  return inverse;
}

}  // namespace

Ranking RankVariants(absl::Span<const stats::DecisionInput> pairs,
                     const std::vector<std::string>& names, stats::DecisionPolicy policy) {
  const size_t variants = names.size();
  policy.share /= static_cast<double>(pairs.size());
  Ranking ranking;
  ranking.margin = policy.margin;
  // By old and new variant.
  std::vector<std::vector<stats::RatioInterval>> intervals(
      variants, std::vector<stats::RatioInterval>(variants, stats::PointInterval(1)));
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const VariantPair of = PairsOfGroup(static_cast<int>(variants))[pair];
    const auto i = static_cast<size_t>(of.old_variant);
    const auto j = static_cast<size_t>(of.new_variant);
    const absl::StatusOr<stats::Decision> decision = stats::Decide(pairs[pair], policy);
    ranking.unknown = WhyUnknown(decision, names[i], names[j]);
    if (!ranking.unknown.empty()) return ranking;
    intervals[i][j] = decision->interval;
    intervals[j][i] = Inverse(decision->interval);
  }
  size_t fastest = 0;
  for (size_t v = 1; v < variants; ++v) {
    if (intervals[0][v].ratio < intervals[0][fastest].ratio) fastest = v;
  }
  ranking.fastest = names[fastest];
  for (size_t v = 0; v < variants; ++v) {
    if (v != fastest) ranking.others.push_back({names[v], intervals[fastest][v]});
  }
  std::stable_sort(ranking.others.begin(), ranking.others.end(), [](const auto& a, const auto& b) {
    return a.of_fastest.ratio < b.of_fastest.ratio;
  });
  return ranking;
}

}  // namespace duetbench
