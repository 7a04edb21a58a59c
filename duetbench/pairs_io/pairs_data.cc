#include "duetbench/pairs_io/pairs_data.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

namespace duetbench {
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

DisturbedCount ResolveDisturbedPairs(BenchmarkPairs& benchmark) {
  DisturbedCount count{0, 0, 0, false};
  std::uint64_t without_time = 0;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const RunOrigin& origin = benchmark.origins[r];
    count.pairs += benchmark.runs[r].size();
    count.dropped += origin.disturbed.size() + origin.without_time;
    without_time += origin.without_time;
  }
  count.disturbed = count.dropped;
  const std::uint64_t all = count.pairs + count.dropped;
  if (static_cast<double>(count.dropped) <= kMostDisturbed * static_cast<double>(all)) return count;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    RunOrigin& origin = benchmark.origins[r];
    benchmark.runs[r] = Merged(benchmark.runs[r], origin.disturbed);
    origin.disturbed.clear();
  }
  return {all - without_time, without_time, count.disturbed, true};
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

}  // namespace duetbench
