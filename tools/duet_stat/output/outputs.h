#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_

#include <string>
#include <vector>

#include "duetbench/stats/pair_digest.h"
#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/input/pairs_data.h"
#include "tools/duet_stat/input/report_json.h"
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

// The results as CSV (RFC 4180), a line for each interval and each rule:
//   benchmark,runs,pairs,dropped,kind,method,level,estimator,ratio,lo,hi,verdict,p,effect,message
// kind is 'interval' or 'rule'; of an interval that cannot be given and of a benchmark without
// result ('error') there is only the message, which otherwise is the warning of the interval. An
// unbounded end is 'inf' or '0'. Cells that do not apply are empty. Where the ratio of total times
// decides by itself, it is an interval with the method 'total', and its verdict is that of the
// benchmark.
std::string CsvText(const std::vector<BenchmarkResult>& results);

// Kind 'means' is the standard method: ratio, lo and hi are then differences of the means as
// fractions of the mean, 0 for none. Kind 'mds' (with --mds): effect is the smallest
// slow-down found.
//
// The same columns for unpaired times; runs and pairs are empty. With several files to compare the
// name of the file follows that of the benchmark, in parentheses.
std::string CsvText(const UnpairedResult& result);

// Pairs of a benchmark, digested for pictures, disturbed ones included. Call it before Analyze,
// which uses them up.
stats::PairDigest DigestOfBenchmark(const BenchmarkPairs& benchmark);

// The page of --duet_report (duetbench/page/) for the intervals that decide. `digests` are those of
// the results.
std::string HtmlText(const std::vector<BenchmarkResult>& results,
                     const std::vector<stats::PairDigest>& digests,
                     const std::vector<std::string>& notices, const Options& options);

// The picture of the page that shows the pairs of a run, as an SVG document. Empty where there are
// fewer than two.
std::string SvgText(const BenchmarkResult& result, const stats::PairDigest& digest,
                    const Options& options);

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

struct NamedReport {
  std::string name;  // of its file
  Report report;
};

// The page of --duet_report (duetbench/page/) of what reports say: all ratios, gates, verdicts,
// curves over arguments, times and counters. Reports have no pairs, so there are no pictures of
// them. A gate that fails by itself, but not among all gates of the report by Holm's correction, is
// UNPROVEN, as in the report of the program.
std::string ReportPageHtml(const std::vector<NamedReport>& reports);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUTS_H_
