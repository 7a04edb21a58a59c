#ifndef DUETBENCH_STATS_MULTIPLICITY_H_
#define DUETBENCH_STATS_MULTIPLICITY_H_

#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// Corrections for testing many benchmarks at once.
enum class Adjustment {
  kBonferroni,          // chance of any false alarm; any dependence
  kHolm,                // the same, uniformly more powerful (Holm 1979); gates use it
  kHochberg,            // the same, for independent or positively dependent tests (1988)
  kBenjaminiHochberg,   // expected share of false ones among the alarms (1995); tables use it
  kBenjaminiYekutieli,  // the same under any dependence (2001)
};

// Adjusted p-values in the order of `p`, each at most 1: reject at level alpha those that are
// <= alpha. As R's p.adjust. Every p must lie in [0, 1], or the program stops; an empty list gives
// an empty list. O(n log n).
//   AdjustPValues({0.01, 0.04, 0.03}, Adjustment::kHolm)  ->  {0.03, 0.06, 0.06}
std::vector<double> AdjustPValues(absl::Span<const double> p, Adjustment adjustment);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_MULTIPLICITY_H_
