#include "tools/duet_stat/input/pairs_data.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/pair_selection.h"

namespace duetbench::duet_stat {
namespace {

stats::RunPairs Merged(const stats::RunPairs& pairs, const std::vector<DisturbedPair>& disturbed) {
  stats::RunPairs merged;
  merged.reserve(pairs.size() + disturbed.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    for (; next < disturbed.size() && disturbed[next].position == i; ++next) {
      merged.push_back(disturbed[next].pair);
    }
    if (i < pairs.size()) merged.push_back(pairs[i]);
  }
  return merged;
}

}  // namespace

SelectedPairs SelectPairs(BenchmarkPairs& benchmark, bool keep_disturbed) {
  std::vector<stats::PairCounts> counts;
  std::uint64_t undisturbed = 0;
  std::uint64_t disturbed = 0;
  std::uint64_t without_time = 0;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const RunOrigin& origin = benchmark.origins[r];
    counts.push_back({benchmark.runs[r].size() + origin.disturbed.size(), origin.disturbed.size()});
    undisturbed += benchmark.runs[r].size();
    disturbed += origin.disturbed.size();
    without_time += origin.without_time;
  }
  const stats::PairSelection selection(counts);
  const bool uses_disturbed = selection.uses_disturbed() || (keep_disturbed && disturbed > 0);
  if (!uses_disturbed) {
    return {undisturbed, disturbed + without_time, false, selection.disturbed_share()};
  }
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    RunOrigin& origin = benchmark.origins[r];
    benchmark.runs[r] = Merged(benchmark.runs[r], origin.disturbed);
    origin.disturbed.clear();
  }
  return {undisturbed + disturbed, without_time, true, selection.disturbed_share()};
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
