#ifndef DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_NOTICES_H_
#define DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_NOTICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/input/pairs_data.h"

namespace duetbench::duet_stat {

// Adds the sentences about the pairs and runs that the result is of: which were left out or kept
// although they were disturbed, and what they limit.
void AddNotices(const BenchmarkPairs& benchmark, const std::vector<std::string>& files,
                const SelectedPairs& selected, std::uint64_t empty_runs, BenchmarkResult* result);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_NOTICES_H_
