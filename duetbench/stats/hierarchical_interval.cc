#include "duetbench/stats/hierarchical_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "duetbench/stats/bootstrap.h"
#include "duetbench/stats/compute_interval.h"
#include "duetbench/stats/narrowness.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

// The positions of the runs of each machine, in the order in which the machines first appear.
std::vector<std::vector<std::size_t>> GroupByMachine(absl::Span<const int> machine) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<int, std::size_t> group_of;
  for (std::size_t r = 0; r < machine.size(); ++r) {
    const auto [place, is_new] = group_of.emplace(machine[r], groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(r);
  }
  return groups;
}

}  // namespace

std::vector<double> HierarchicalReplicates(std::vector<ResampledRun> runs,
                                           absl::Span<const int> machine,
                                           const Resampling& resampling) {
  Require(!runs.empty(), "a hierarchical bootstrap needs a run");
  Require(machine.empty() || machine.size() == runs.size(), "each run has one machine");
  const std::vector<std::vector<std::size_t>> groups =
      GroupByMachine(machine.empty() ? std::vector<int>(runs.size(), 0)
                                     : std::vector<int>(machine.begin(), machine.end()));
  Random random(resampling.seed);
  std::vector<double> replicates(resampling.replicates);
  std::vector<std::size_t> picked;
  for (double& replicate : replicates) {
    picked.clear();
    random.VisitIndices(groups.size(), groups.size(), [&](std::size_t g) { picked.push_back(g); });
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t g : picked) {
      const std::vector<std::size_t>& group = groups[g];
      for (std::size_t k = 0; k < group.size(); ++k) {
        sum += runs[group[random.Below(group.size())]].Draw(random);
      }
      count += group.size();
    }
    replicate = sum / static_cast<double>(count);
  }
  return replicates;
}

absl::StatusOr<RatioInterval> HierarchicalInterval(absl::Span<const RunPairs> runs,
                                                   Estimator estimator, double level,
                                                   const Resampling& resampling,
                                                   absl::Span<const int> machine) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckResampling(resampling); !status.ok()) return status;
  const absl::StatusOr<std::vector<double>> log_ratios = RunLogRatios(runs, estimator);
  if (!log_ratios.ok()) return log_ratios.status();
  if (absl::Status status = CheckRunValues(*log_ratios, 2); !status.ok()) return status;
  std::vector<ResampledRun> resampled;
  resampled.reserve(runs.size());
  for (const RunPairs& run : runs) resampled.emplace_back(run, estimator);
  std::vector<double> replicates =
      HierarchicalReplicates(std::move(resampled), machine, resampling);
  std::sort(replicates.begin(), replicates.end());
  const Ends ends = PercentileEnds(replicates, level);
  const double mean = Mean(*log_ratios);
  const std::size_t machines = GroupByMachine(machine).size();
  return RatioInterval{
      std::exp(mean),
      std::exp(std::min(ends.lo, mean)),
      std::exp(std::max(ends.hi, mean)),
      level,
      IntervalKind::kHierarchical,
      NarrownessWarning(IntervalKind::kHierarchical, machines > 1 ? machines : runs.size(), level)};
}

}  // namespace duetbench::stats
