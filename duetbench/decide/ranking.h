#ifndef DUETBENCH_DECIDE_RANKING_H_
#define DUETBENCH_DECIDE_RANKING_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/interval.h"

namespace duetbench {

// Which variant of a group is the fastest, and how much longer the others take. The intervals are
// simultaneous over all pairs of variants: the truly fastest one is `fastest` or one of those that
// tie, with the level of the intervals.
struct Ranking {
  struct Place {
    std::string name;
    stats::RatioInterval of_fastest{};  // its time : that of the fastest

    // Nothing proves that it takes longer.
    bool ties() const { return of_fastest.lo <= 1; }
  };
  std::string fastest;
  std::string unknown;        // why there is no fastest: some ratio decides nothing; else empty
  std::vector<Place> others;  // in the order of their ratios
  double margin = 0;          // a tie within it is one of EQUAL variants
};

// `pairs` are those of the variants `names`, as PairsOfGroup has them. Each has an equal part of
// the share that the policy gives.
Ranking RankVariants(absl::Span<const stats::DecisionInput> pairs,
                     const std::vector<std::string>& names, stats::DecisionPolicy policy);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_RANKING_H_
