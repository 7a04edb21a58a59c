#include "tools/duet_stat/input/pairs_data.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decision/core_state.h"
#include "duetbench/decision/pair_selection.h"

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
  const auto state_of = [&](const DisturbedPair& pair) {
    return stats::PairState{true, true, benchmark.cpu_time || pair.corrected};
  };
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const RunOrigin& origin = benchmark.origins[r];
    stats::PairCounts& run = counts.emplace_back();
    for (const stats::Pair& pair : benchmark.runs[r]) run.Add({}, pair.assignment);
    for (const DisturbedPair& pair : origin.disturbed)
      run.Add(state_of(pair), pair.pair.assignment);
    all += benchmark.runs[r].size() + origin.disturbed.size() + origin.without_time;
  }
  const stats::PairSelection selection(counts, keep_disturbed);
  SelectedPairs selected;
  selected.uses_disturbed = selection.uses_disturbed();
  selected.is_biased = selection.is_biased();
  selected.disturbed_share = selection.disturbed_share();
  selected.one_sided_runs = static_cast<std::uint64_t>(selection.one_sided_runs());
  selected.uses_one_sided = selection.uses_one_sided();
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

namespace {

using Times = std::vector<std::pair<double, double>>;

// The first `count` at most.
Times TimesOf(const stats::RunPairs& run, std::size_t count) {
  Times times;
  for (std::size_t i = 0; i < std::min(run.size(), count); ++i) {
    times.emplace_back(run[i].old_time, run[i].new_time);
  }
  return times;
}

bool MayBeEqualByChance(const Times& times) {
  constexpr std::size_t kFewest = 4;
  return times.size() < kFewest || std::all_of(times.begin(), times.end(),
                                               [&](const auto& each) { return each == times[0]; });
}

}  // namespace

absl::Status CheckRunsDiffer(const PairsData& data) {
  if (data.files.size() < 2) return absl::OkStatus();
  for (const BenchmarkPairs& benchmark : data.benchmarks) {
    std::map<Times, std::size_t> known;  // runs by their first times
    for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
      const stats::RunPairs& run = benchmark.runs[r];
      Times begin = TimesOf(run, 16);
      if (MayBeEqualByChance(begin)) continue;
      const auto [first, is_new] = known.emplace(std::move(begin), r);
      const RunOrigin& a = benchmark.origins[first->second];
      const RunOrigin& b = benchmark.origins[r];
      const stats::RunPairs& earlier = benchmark.runs[first->second];
      if (is_new || a.file == b.file || earlier.size() != run.size()) continue;
      if (TimesOf(earlier, run.size()) != TimesOf(run, run.size())) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(data.files[b.file], ":", b.line, ": run ", b.number, " of '", benchmark.name,
                       "' has the times of run ", a.number, " of ", data.files[a.file], ":", a.line,
                       ": a copy of a run is no further run; leave one of the files out"));
    }
  }
  return absl::OkStatus();
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
