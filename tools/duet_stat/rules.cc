#include "tools/duet_stat/rules.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace duetbench::duet_stat {
namespace {

bool IsOfLaaber(Rule rule) { return rule == Rule::kWilcoxon || rule == Rule::kOverlap; }

}  // namespace

AppliedRules ApplyRules(const std::vector<Rule>& rules, const stats::Sample& old_times,
                        const stats::Sample& new_times, const stats::Resampling& resampling) {
  AppliedRules applied;
  stats::Sample trimmed_old;
  stats::Sample trimmed_new;
  if (std::any_of(rules.begin(), rules.end(), IsOfLaaber)) {
    trimmed_old = old_times;
    trimmed_new = new_times;
    const std::size_t dropped_old = stats::DropTenfoldOutliers(trimmed_old);
    const std::size_t dropped_new = stats::DropTenfoldOutliers(trimmed_new);
    if (dropped_old + dropped_new > 0) {
      applied.notices.push_back(
          absl::StrCat("wilcoxon and ci-overlap leave out ", dropped_old, " old and ", dropped_new,
                       " new times above ten times the median of their variant, as in the paper"));
    }
  }
  for (const Rule rule : rules) {
    switch (rule) {
      case Rule::kDuet:
        break;
      case Rule::kWilcoxon:
        applied.rules.push_back({rule, stats::WilcoxonRule(trimmed_old, trimmed_new)});
        break;
      case Rule::kOverlap:
        applied.rules.push_back({rule, stats::OverlapRule(trimmed_old, trimmed_new, resampling)});
        break;
      case Rule::kWelch:
        applied.rules.push_back({rule, stats::WelchRule(old_times, new_times)});
        break;
      case Rule::kMmtests:
        applied.rules.push_back({rule, stats::MmtestsRule(old_times, new_times, resampling.seed)});
        break;
    }
  }
  return applied;
}

}  // namespace duetbench::duet_stat
