#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_HTML_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_HTML_H_

#include <string>
#include <vector>

#include "duetbench/stats/pair_digest.h"
#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/input/pairs_data.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

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

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_HTML_H_
