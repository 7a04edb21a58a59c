#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/page/page.h"
#include "duetbench/page/pictures.h"
#include "duetbench/report/printable.h"
#include "duetbench/text/ratio_format.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

// The undisturbed pairs of a run with the disturbed ones where they were measured.
std::vector<stats::ShownPair> ShownRun(const stats::RunPairs& run, const RunOrigin& origin) {
  std::vector<stats::ShownPair> shown;
  size_t next = 0;
  const auto add = [&shown](const stats::Pair& pair, bool disturbed) {
    shown.push_back({{pair.old_time, pair.new_time}, disturbed});
  };
  for (size_t i = 0; i <= run.size(); ++i) {
    for (; next < origin.disturbed.size() && origin.disturbed[next].position <= i; ++next) {
      add(origin.disturbed[next].pair, true);
    }
    if (i < run.size()) add(run[i], false);
  }
  return shown;
}

page::ShownBenchmark ShownResult(const BenchmarkResult& result, const stats::PairDigest& digest,
                                 const Options& options) {
  page::ShownBenchmark shown;
  shown.name = Printable(result.name);
  for (const auto* const notes : {&result.sentences, &result.notices}) {
    for (const std::string& note : *notes) shown.notes.push_back(Printable(note));
  }
  if (!result.error.empty()) {
    shown.error = Printable(result.error);
    return shown;
  }
  const bool by_totals = result.decision.total_decides && result.decision.total.has_value();
  shown.interval = result.decision.interval;
  shown.verdict = result.decision.verdict;
  shown.sentence = VerdictSentence(shown.interval, shown.verdict, options.margin);
  shown.effort = absl::StrFormat("%d runs, %d pairs, %d dropped%s", result.runs, result.pairs,
                                 result.dropped, by_totals ? "; of total times" : "");
  shown.one_at_a_time = result.interleaved;
  shown.run_log_ratios = by_totals ? result.decision.total->run_values : result.run_log_ratios;
  shown.digest = digest;
  return shown;
}

}  // namespace

stats::PairDigest DigestOfBenchmark(const BenchmarkPairs& benchmark) {
  stats::PairDigest digest = stats::DigestOfPairs(benchmark.runs);
  std::vector<std::vector<stats::ShownPair>> runs;
  for (size_t i = 0; i < benchmark.runs.size(); ++i) {
    runs.push_back(ShownRun(benchmark.runs[i], benchmark.origins[i]));
  }
  digest.picture = stats::PictureOfMiddleRun(runs);
  return digest;
}

std::string HtmlText(const std::vector<BenchmarkResult>& results,
                     const std::vector<stats::PairDigest>& digests,
                     const std::vector<std::string>& notices, const Options& options) {
  page::ShownSuite suite;
  suite.title = Printable(absl::StrJoin(options.files, ", "));
  suite.header.push_back(absl::StrFormat("EQUAL within %g %%", 100 * options.margin));
  for (const std::string& notice : notices) {
    suite.header.push_back(absl::StrCat("warning: ", Printable(notice)));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    suite.benchmarks.push_back(ShownResult(results[i], digests[i], options));
  }
  return page::PageHtml(suite);
}

std::string SvgText(const BenchmarkResult& result, const stats::PairDigest& digest,
                    const Options& options) {
  return page::PairsOverTimeSvg(ShownResult(result, digest, options));
}

}  // namespace duetbench::duet_stat
