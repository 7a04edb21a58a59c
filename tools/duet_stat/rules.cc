#include "tools/duet_stat/rules.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace duetbench::duet_stat {
namespace {

bool IsOfLaaber(Rule rule) { return rule == Rule::kWilcoxon || rule == Rule::kOverlap; }

// The decision of a rule that takes larger values as slower.
absl::StatusOr<stats::RuleDecision> Directed(absl::StatusOr<stats::RuleDecision> decision,
                                             const Options& options) {
  if (!options.rates || !decision.ok()) return decision;
  if (decision->decision == stats::Change::kSlower) {
    decision->decision = stats::Change::kFaster;
  } else if (decision->decision == stats::Change::kFaster) {
    decision->decision = stats::Change::kSlower;
  }
  return decision;
}

}  // namespace

AppliedRules ApplyRules(const std::vector<Rule>& rules, const stats::Sample& old_times,
                        const stats::Sample& new_times, const Options& options) {
  const stats::Resampling& resampling = options.resampling;
  const stats::Average average =
      options.rates ? stats::Average::kHarmonic : stats::Average::kArithmetic;
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
        applied.rules.push_back({rule, Directed(stats::WilcoxonRule(trimmed_old, trimmed_new,
                                                                    options.grid_options.min_delta),
                                                options)});
        break;
      case Rule::kOverlap:
        applied.rules.push_back(
            {rule, Directed(stats::OverlapRule(trimmed_old, trimmed_new, resampling), options)});
        break;
      case Rule::kWelch:
        applied.rules.push_back({rule, stats::WelchRule(old_times, new_times, average)});
        break;
      case Rule::kMmtests:
        applied.rules.push_back(
            {rule, stats::MmtestsRule(old_times, new_times, resampling.seed, average)});
        break;
    }
  }
  return applied;
}

}  // namespace duetbench::duet_stat
