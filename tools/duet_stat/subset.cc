#include "tools/duet_stat/subset.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/random.h"

namespace duetbench::duet_stat {
namespace {

void SampleRuns(std::size_t count, std::uint64_t seed, BenchmarkPairs& benchmark) {
  std::vector<std::size_t> order(benchmark.runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // A separate stream: the intervals resample with the same seed.
  stats::Random random(seed, 17);
  random.Shuffle(order);
  order.resize(count);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < count; ++i) {
    if (order[i] == i) continue;
    benchmark.runs[i] = std::move(benchmark.runs[order[i]]);
    benchmark.origins[i] = std::move(benchmark.origins[order[i]]);
  }
  benchmark.runs.resize(count);
  benchmark.origins.resize(count);
}

}  // namespace

absl::StatusOr<std::vector<std::string>> TakeSubset(const Options& options,
                                                    BenchmarkPairs& benchmark) {
  std::vector<std::string> sentences;
  const std::size_t runs = benchmark.runs.size();
  if (options.sample_runs > runs) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sample_runs=", options.sample_runs, ": there are ", runs, " runs"));
  }
  if (options.sample_runs > 0) {
    SampleRuns(options.sample_runs, options.resampling.seed, benchmark);
    sentences.push_back(
        absl::StrCat("a random sample of ", options.sample_runs, " of the ", runs, " runs"));
  }
  if (options.first_pairs > 0) {
    for (stats::RunPairs& run : benchmark.runs) {
      if (run.size() > options.first_pairs) run.resize(options.first_pairs);
    }
    sentences.push_back(absl::StrCat("the first ", options.first_pairs, " pairs of each run"));
  }
  if (options.skip > 0) {
    for (stats::RunPairs& run : benchmark.runs) {
      // At least the last pair stays.
      const auto skipped = std::min(
          run.size() - 1,
          static_cast<std::size_t>(std::floor(options.skip * static_cast<double>(run.size()))));
      run.erase(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(skipped));
    }
    sentences.push_back(absl::StrFormat("the first %g %% of the pairs of each run are left out",
                                        options.skip * 100));
  }
  return sentences;
}

}  // namespace duetbench::duet_stat
