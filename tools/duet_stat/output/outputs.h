#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_

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
std::string ConsoleText(const std::vector<BenchmarkResult>& results,
                        const std::vector<std::string>& notices, const Options& options,
                        bool colors);

// A column for each file, as MMTests shows them.
std::string ConsoleText(const UnpairedResult& result, const Options& options);

// For each benchmark a row for each sampling and number of instances and trials and a column for
// each rule: false alarms and, with --mds, slow-downs.
std::string ConsoleText(const GridResult& result, const Options& options);

// The results as JSON by tools/duet_stat.schema.json. What the data cannot say is null; JSON has no
// infinity: an unbounded end is the string "inf" or "0", other infinite values are "inf". What is
// no UTF-8 in a name becomes U+FFFD.
std::string JsonText(const std::vector<BenchmarkResult>& results,
                     const std::vector<std::string>& notices, const Options& options);
std::string JsonText(const UnpairedResult& result, const Options& options);
std::string JsonText(const GridResult& result, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_
