#ifndef DUETBENCH_DECIDE_PAIRS_H_
#define DUETBENCH_DECIDE_PAIRS_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace duetbench::stats {

// Two samples that are compared: the times of the two variants for the same number of iterations,
// in any unit that both share. Only the ratio new/old is ever used: interference that hits both
// variants at the same moment divides out of it (Bulej et al., ICPE 2020, section 3).
struct Pair {
  double old_time;  // of the baseline; positive, finite
  double new_time;  // of the contender; positive, finite, in the unit of old_time
  int assignment;   // 0 or 1: which of the two assignments of variants to CPUs was in force or,
                    // in the interleaved schedule, which of the two orders
  // Time of the speed probe before the sample of old and of new, in ns (core_state.h); 0: not
  // known.
  float probe_ns[2] = {0, 0};
};

// The pairs of one run (one process) in the order in which they were measured.
using RunPairs = std::vector<Pair>;

// OK if `run` has at least one pair, every time is positive and finite, every quotient new/old is
// too, and every assignment is 0 or 1. Otherwise InvalidArgument, naming the first offending pair
// by its 0-based position. O(n).
absl::Status CheckPairs(const RunPairs& run);

// The positions of the pairs of each stratum of `run`, the assignments that it has, in their order.
// `run` must pass CheckPairs. O(n).
std::vector<std::vector<std::size_t>> Strata(const RunPairs& run);

// ln(new/old) of each pair, in their order. `run` must pass CheckPairs. The quotient is formed
// before the logarithm: the difference of two logarithms would lose digits of a small effect.
std::vector<double> LogRatios(const RunPairs& run);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_PAIRS_H_
