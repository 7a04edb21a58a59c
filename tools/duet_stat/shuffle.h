#ifndef DUETBENCH_TOOLS_DUET_STAT_SHUFFLE_H_
#define DUETBENCH_TOOLS_DUET_STAT_SHUFFLE_H_

#include <cstdint>
#include <vector>

#include "duetbench/stats/pairs.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

// Takes the pairing away (Bulej et al., ICPE 2020, section 4.2, RQ2): the new times change places,
// each with another of the same CPU assignment, within its run or over all runs. Every time stays
// where it is in sum, so what differs afterwards is due to the pairing alone. O(n).
void ShufflePairs(Shuffle how, std::uint64_t seed, std::vector<stats::RunPairs>& runs);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_SHUFFLE_H_
