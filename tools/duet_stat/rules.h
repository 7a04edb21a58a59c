#ifndef DUETBENCH_TOOLS_DUET_STAT_RULES_H_
#define DUETBENCH_TOOLS_DUET_STAT_RULES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/options.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::duet_stat {

// The answer of a rule, or why it gives none.
struct AppliedRule {
  Rule rule;
  absl::StatusOr<stats::RuleDecision> decision;
};

// The answers of several rules about the same times.
struct AppliedRules {
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
};

// Applies `rules` but kDuet, which needs pairs, to the times of the two variants. The rules of
// Laaber et al. (wilcoxon, ci-overlap) first leave out what is above ten times the median, as the
// paper does; a notice counts it.
//
// Uses resampling, rates and Cliff's delta of `options`. With rates, a larger value is faster.
AppliedRules ApplyRules(const std::vector<Rule>& rules, const stats::Sample& old_times,
                        const stats::Sample& new_times, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_RULES_H_
