#include "tools/duet_stat/input/pairs_data.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/pair_selection.h"

namespace duetbench::duet_stat {
namespace {

// With those disturbed pairs that `uses` selects.
template <class Uses>
stats::RunPairs Merged(const stats::RunPairs& pairs, const std::vector<DisturbedPair>& disturbed,
                       const Uses& uses) {
  stats::RunPairs merged;
  merged.reserve(pairs.size() + disturbed.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    for (; next < disturbed.size() && disturbed[next].position == i; ++next) {
      if (uses(disturbed[next])) merged.push_back(disturbed[next].pair);
    }
    if (i < pairs.size()) merged.push_back(pairs[i]);
  }
  return merged;
}

}  // namespace

SelectedPairs SelectPairs(BenchmarkPairs& benchmark, bool keep_disturbed) {
  std::vector<stats::PairCounts> counts;
  std::uint64_t all = 0;
  bool any_disturbed = false;
  const auto corrected = [&](const DisturbedPair& pair) {
    return benchmark.cpu_time || pair.corrected;
  };
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const RunOrigin& origin = benchmark.origins[r];
    stats::PairCounts& run = counts.emplace_back();
    run.timed = benchmark.runs[r].size() + origin.disturbed.size();
    run.disturbed = origin.disturbed.size();
    for (const DisturbedPair& pair : origin.disturbed) run.corrected += corrected(pair) ? 1 : 0;
    any_disturbed = any_disturbed || run.disturbed > 0;
    all += run.timed + origin.without_time;
  }
  const stats::PairSelection selection(counts);
  const bool keep_all = keep_disturbed && any_disturbed;
  SelectedPairs selected{0,
                         0,
                         selection.uses_disturbed() || keep_all,
                         selection.is_biased(),
                         {},
                         selection.disturbed_share()};
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    RunOrigin& origin = benchmark.origins[r];
    stats::RunPairs& run = benchmark.runs[r];
    selected.total_runs.push_back(Merged(run, origin.disturbed, [&](const DisturbedPair& pair) {
      return keep_all || selection.UsesInTotal({true, true, corrected(pair)});
    }));
    run = Merged(run, origin.disturbed, [&](const DisturbedPair& pair) {
      return keep_all || selection.Uses({true, true, corrected(pair)});
    });
    origin.disturbed.clear();
    selected.pairs += run.size();
  }
  selected.dropped = all - selected.pairs;
  return selected;
}

std::uint64_t DropEmptyRuns(BenchmarkPairs& benchmark) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    if (benchmark.runs[r].empty()) continue;
    if (kept != r) {
      benchmark.runs[kept] = std::move(benchmark.runs[r]);
      benchmark.origins[kept] = std::move(benchmark.origins[r]);
    }
    ++kept;
  }
  const std::uint64_t dropped = benchmark.runs.size() - kept;
  benchmark.runs.resize(kept);
  benchmark.origins.resize(kept);
  return dropped;
}

std::string SinglePairNotice(const BenchmarkPairs& benchmark,
                             const std::vector<std::string>& files) {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    if (benchmark.runs[r].size() != 1) continue;
    if (count == 0) first = r;
    ++count;
  }
  if (count == 0) return "";
  const RunOrigin& origin = benchmark.origins[first];
  return absl::StrCat(files[origin.file], ":", origin.line, ": run ", origin.number,
                      " has a single pair",
                      count > 1 ? absl::StrCat(", as ", count, " of the ", benchmark.runs.size(),
                                               " runs of this benchmark have")
                                : "",
                      ": nothing is known of the noise within such a run");
}

}  // namespace duetbench::duet_stat
