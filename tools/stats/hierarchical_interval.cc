#include "tools/stats/hierarchical_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/narrowness.h"
#include "tools/stats/random_indices.h"

namespace duetbench::stats {
namespace {

// The value of the 0-based `rank` among the values drawn.
double DrawnValue(absl::Span<const double> values, absl::Span<const std::uint32_t> drawn,
                  std::size_t rank) {
  std::size_t i = 0;
  for (std::size_t below = drawn[0]; below <= rank; below += drawn[i]) ++i;
  return values[i];
}

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

ResampledRun::ResampledRun(const RunPairs& run, Estimator estimator) : estimator_(estimator) {
  if (estimator == Estimator::kGeomean) {
    AddStratum(LogRatios(run));
    return;
  }
  const std::vector<double> log_ratios = LogRatios(run);
  for (const std::vector<std::size_t>& positions : Strata(run)) {
    std::vector<double> part;
    for (const std::size_t position : positions) part.push_back(log_ratios[position]);
    AddStratum(std::move(part));
  }
}

ResampledRun::ResampledRun(absl::Span<const double> values) : estimator_(Estimator::kGeomean) {
  AddStratum({values.begin(), values.end()});
}

void ResampledRun::AddStratum(std::vector<double> values) {
  Require(!values.empty(), "a resampled run needs a value");
  std::sort(values.begin(), values.end());
  const double center = Mean(values);
  for (double& value : values) value -= center;
  std::vector<std::uint32_t> drawn;
  if (estimator_ != Estimator::kGeomean) drawn.resize(values.size());
  strata_.push_back({center, std::move(values), std::move(drawn)});
}

double ResampledRun::Draw(Random& random) {
  double sum = 0;
  for (Stratum& stratum : strata_) {
    switch (estimator_) {
      case Estimator::kGeomean:
        sum += DrawMean(stratum, random);
        break;
      case Estimator::kTrimmed:
        sum += DrawTrimmed(stratum, random);
        break;
      case Estimator::kMedian:
        sum += DrawMedian(stratum, random);
        break;
    }
  }
  return sum / static_cast<double>(strata_.size());
}

double ResampledRun::DrawMean(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  const double* values = stratum.values.data();
  double sum = 0;
  VisitIndices(random, n, n, [&](std::size_t i) { sum += values[i]; });
  return stratum.center + sum / static_cast<double>(n);
}

double ResampledRun::DrawTrimmed(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  const auto drop = static_cast<std::size_t>(TrimmedCount(n, kTrimFraction));
  if (drop == 0) return DrawMean(stratum, random);
  const double* values = stratum.values.data();
  std::uint32_t* drawn = stratum.drawn.data();
  std::fill(stratum.drawn.begin(), stratum.drawn.end(), 0);
  double sum = 0;
  VisitIndices(random, n, n, [&](std::size_t i) {
    sum += values[i];
    ++drawn[i];
  });
  std::size_t left = drop;
  for (std::size_t i = 0; left > 0; ++i) {
    const std::size_t dropped = std::min<std::size_t>(drawn[i], left);
    sum -= static_cast<double>(dropped) * values[i];
    left -= dropped;
  }
  left = drop;
  for (std::size_t i = n - 1; left > 0; --i) {
    const std::size_t dropped = std::min<std::size_t>(drawn[i], left);
    sum -= static_cast<double>(dropped) * values[i];
    left -= dropped;
  }
  return stratum.center + sum / static_cast<double>(n - 2 * drop);
}

double ResampledRun::DrawMedian(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  std::uint32_t* drawn = stratum.drawn.data();
  std::fill(stratum.drawn.begin(), stratum.drawn.end(), 0);
  VisitIndices(random, n, n, [&](std::size_t i) { ++drawn[i]; });
  double median = DrawnValue(stratum.values, stratum.drawn, n / 2);
  if (n % 2 == 0) {
    median = (median + DrawnValue(stratum.values, stratum.drawn, n / 2 - 1)) / 2;
  }
  return stratum.center + median;
}

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
    VisitIndices(random, groups.size(), groups.size(), [&](std::size_t g) { picked.push_back(g); });
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
