#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CONSOLE_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CONSOLE_H_

#include <string>
#include <vector>

#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

// The results as text for a person, in the words of the report of a run. Control characters in
// names are escaped. `colors` are those of a terminal.
//
//   BM_A_vs_BM_B/64    0.797 x  [0.795, 0.799]  FASTER: new takes 20.3 % less time
//       40 runs, 18213 pairs, 12 dropped
//       pairing made the interval 6.1x narrower
std::string ConsoleText(const std::vector<BenchmarkResult>& results,
                        const std::vector<std::string>& notices, const Options& options,
                        bool colors);

// The same for unpaired times.
std::string ConsoleText(const UnpairedResult& result, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CONSOLE_H_
