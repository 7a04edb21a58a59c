#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_JSON_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_JSON_H_

#include <string>
#include <vector>

#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

// The results as JSON:
//
//   {"context": {"files", "margin", "seed", "resamples", "winsorize", "shuffle"}, "notices": […],
//    "benchmarks": [{
//      "name", "error"?, "runs", "pairs", "dropped", "machines",
//      "estimates": {"trimmed", "geomean", "median"}, "run_log_ratios": […],
//      "intervals": [{"method", "level", "estimator", "ratio", "lo", "hi", "verdict", "warning"?}]
//                   or, of one that cannot be given, {"method", "level", "estimator", "error"},
//      "verdict",
//      "diagnosis": {"pairing_gain", "pairing_gain_all", "correlation", "lag1", "run_to_noise",
//                    "side_bias", "clusters", "drift", "run_drift", "tails_differ",
//                    "significant": […], "cluster_sizes": […], "sentences": […]},
//      "planning": {"s1_2", "t2_2", "best_iterations", "mds", "mds_upper", "run_cost_s",
//                   "iteration_cost_s", "mds_resampled"?, "mds_paper"?,
//                   "mds_false_alarms"?},
//      "difference_of_means"?: {"level", "difference", "lo", "hi", "mean", "width"} or {"error"},
//      "rules": [{"name", "decision", "p"?, "effect"?}] or {"name", "error"}, "notices": […]}]}
//
// Ratios are new/old. side_bias is by how much the times on the two CPUs differ, drift and
// run_drift what the ratio gains from the first to the last third of a run and from the first to
// the last run, all as fractions (0.01: 1 %); `significant` names those of side_bias, drift,
// run_drift and pairing that are beyond chance. `clusters` is the number of groups of runs. What
// the data cannot say is null. JSON has no infinity: an unbounded end is the string "inf" or "0",
// other infinite values are "inf". What is no UTF-8 in a name becomes U+FFFD.
std::string JsonText(const std::vector<BenchmarkResult>& results,
                     const std::vector<std::string>& notices, const Options& options);

// {"context": {"old", "new", "files", "rates", …}, "notices": […], "benchmarks": [{"name",
// "new_file", "old": {"runs", "times", "min", "amean" or "hmean", "median", "max", "stddev", "cv"},
// "new": {…}, "starred", "rules": […], "notices": […], "difference_of_means"?, "mds"?: [{"rule",
// "resamplings", "false_alarms", "mds", "paper_mds"}]}]}: an entry for each file but the first.
std::string JsonText(const UnpairedResult& result, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_JSON_H_
