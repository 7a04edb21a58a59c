#ifndef DUETBENCH_TOOLS_DUET_STAT_SUBSET_H_
#define DUETBENCH_TOOLS_DUET_STAT_SUBSET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/pairs_data.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

// Leaves the part of the pairs that options.sample_runs, first_pairs and skip ask for, as the duet
// paper used parts of its data (Bulej et al., ICPE 2020, section 4): 10 of the runs at random, the
// first 100 pairs, the second half of them. The runs keep their order. Returns a sentence for each
// part that was left out. InvalidArgument if there are fewer runs than asked for. For after
// SelectPairs and DropEmptyRuns: pairs count as they come after these.
absl::StatusOr<std::vector<std::string>> TakeSubset(const Options& options,
                                                    BenchmarkPairs& benchmark);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_SUBSET_H_
