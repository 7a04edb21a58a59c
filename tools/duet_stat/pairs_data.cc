#include "tools/duet_stat/pairs_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/platform/random.h"

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

SelectedPairs SelectPairs(BenchmarkPairs& benchmark, bool keep_disturbed) {
  SelectedPairs selected;
  std::vector<stats::PairCounts> counts;
  std::uint64_t all = 0;
  const auto state_of = [&](const DisturbedPair& pair) {
    return stats::PairState{true, true, benchmark.cpu_time || pair.corrected};
  };
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const RunOrigin& origin = benchmark.origins[r];
    stats::PairCounts& run = counts.emplace_back();
    for (const stats::Pair& pair : benchmark.runs[r]) run.Add({}, pair.assignment);
    for (const DisturbedPair& pair : origin.disturbed) {
      run.Add(state_of(pair), pair.pair.assignment);
    }
    selected.disturbed += origin.disturbed.size();
    all += benchmark.runs[r].size() + origin.disturbed.size() + origin.without_time;
  }
  const stats::PairSelection selection(counts, keep_disturbed);
  selected.uses_disturbed = selection.uses_disturbed;
  selected.is_biased = selection.is_biased;
  selected.disturbed_share = selection.disturbed_share;
  selected.one_sided_runs = static_cast<std::uint64_t>(selection.one_sided_runs);
  selected.uses_one_sided = selection.uses_one_sided;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    RunOrigin& origin = benchmark.origins[r];
    stats::RunPairs& run = benchmark.runs[r];
    stats::RunPairs& total_run = selected.total_runs.emplace_back();
    if (selection.LeavesOut(r)) {
      run.clear();
    } else {
      const auto in_run = [&](const DisturbedPair& pair) { return selection.Uses(state_of(pair)); };
      const auto in_total = [&](const DisturbedPair& pair) {
        return selection.UsesInTotal(state_of(pair));
      };
      const std::vector<DisturbedPair>& disturbed = origin.disturbed;
      const auto used = std::count_if(disturbed.begin(), disturbed.end(), in_run);
      if (used != std::count_if(disturbed.begin(), disturbed.end(), in_total)) {
        total_run = Merged(run, disturbed, in_total);
      }
      if (used > 0) run = Merged(run, disturbed, in_run);
      run = stats::PairsAt(run, stats::QuietPairs(run));
      total_run = stats::PairsAt(total_run, stats::QuietPairs(total_run));
    }
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

absl::StatusOr<std::vector<std::string>> TakeSubset(const Subset& subset, std::uint64_t seed,
                                                    BenchmarkPairs& benchmark) {
  std::vector<std::string> sentences;
  const std::size_t runs = benchmark.runs.size();
  if (subset.sample_runs > runs) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sample_runs=", subset.sample_runs, ": there are ", runs, " runs"));
  }
  if (subset.sample_runs > 0) {
    SampleRuns(subset.sample_runs, seed, benchmark);
    sentences.push_back(
        absl::StrCat("a random sample of ", subset.sample_runs, " of the ", runs, " runs"));
  }
  if (subset.first_pairs > 0) {
    for (stats::RunPairs& run : benchmark.runs) {
      if (run.size() > subset.first_pairs) run.resize(subset.first_pairs);
    }
    sentences.push_back(absl::StrCat("the first ", subset.first_pairs, " pairs of each run"));
  }
  if (subset.skip > 0) {
    for (stats::RunPairs& run : benchmark.runs) {
      // At least the last pair stays.
      const auto skipped = std::min(
          run.size() - 1,
          static_cast<std::size_t>(std::floor(subset.skip * static_cast<double>(run.size()))));
      run.erase(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(skipped));
    }
    sentences.push_back(absl::StrFormat("the first %g %% of the pairs of each run are left out",
                                        subset.skip * 100));
  }
  return sentences;
}

void ShufflePairs(std::uint64_t seed, std::vector<stats::RunPairs>& runs) {
  stats::Random random(seed);
  for (const int assignment : {0, 1}) {
    std::vector<double> deck;
    for (const stats::RunPairs& run : runs) {
      for (const stats::Pair& pair : run) {
        if (pair.assignment == assignment) deck.push_back(pair.new_time);
      }
    }
    random.Shuffle(deck);
    std::size_t next = 0;
    for (stats::RunPairs& run : runs) {
      for (stats::Pair& pair : run) {
        if (pair.assignment == assignment) pair.new_time = deck[next++];
      }
    }
  }
}

}  // namespace duetbench::duet_stat
