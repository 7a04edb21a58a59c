#include "tools/stats/rules/instances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"
#include "tools/stats/bootstrap.h"

namespace duetbench::stats {
namespace {

// Sums from which a coefficient of variation follows; values are taken less `center`, so that their
// squares do not cancel.
struct Moments {
  double center = 0;
  double count = 0;
  double sum = 0;
  double squares = 0;

  void Add(double value) {
    const double deviation = value - center;
    ++count;
    sum += deviation;
    squares += deviation * deviation;
  }
  double Variation() const {
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean)) / (center + mean);
  }
};

// The first `count` of 0 ... n-1 in random order.
std::vector<std::size_t> Choose(std::size_t n, std::size_t count, Random& random) {
  std::vector<std::size_t> deck(n);
  std::iota(deck.begin(), deck.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(deck[i], deck[i + static_cast<std::size_t>(random.Below(n - i))]);
  }
  deck.resize(count);
  return deck;
}

double VariationOf(const std::vector<double>& values) {
  Moments moments;
  moments.center = values.front();
  for (const double value : values) moments.Add(value);
  return moments.Variation();
}

Variability::MeanAndDeviation Describe(const std::vector<double>& values) {
  return {Mean(values), values.size() < 2 ? 0 : StandardDeviation(values)};
}

double ResampledVariation(const Instances& all, double center, Random& random) {
  Moments moments;
  moments.center = center;
  const std::size_t instances = all.times.size();
  for (std::size_t i = 0; i < instances; ++i) {
    const auto& trials = all.times[static_cast<std::size_t>(random.Below(instances))];
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const std::vector<double>& times =
          trials[static_cast<std::size_t>(random.Below(trials.size()))];
      for (std::size_t k = 0; k < times.size(); ++k) moments.Add(times[random.Below(times.size())]);
    }
  }
  return moments.Variation();
}

}  // namespace

std::size_t Instances::Trials() const {
  std::size_t trials = std::numeric_limits<std::size_t>::max();
  for (const auto& instance : times) trials = std::min(trials, instance.size());
  return times.empty() ? 0 : trials;
}

absl::StatusOr<Instances> GroupByInstance(const Sample& sample) {
  if (absl::Status status = CheckSample(sample); !status.ok()) return status;
  std::map<int, std::size_t> place;
  Instances all;
  for (std::size_t r = 0; r < sample.runs.size(); ++r) {
    const int machine = sample.machine.empty() ? 0 : sample.machine[r];
    const auto [it, is_new] = place.emplace(machine, all.times.size());
    if (is_new) all.times.emplace_back();
    all.times[it->second].push_back(sample.runs[r]);
  }
  return all;
}

absl::string_view SamplingName(Sampling sampling) {
  return sampling == Sampling::kInstances ? "instances" : "trials";
}

bool CanSelect(const Instances& all, Sampling sampling, std::size_t instances, std::size_t trials) {
  if (instances == 0 || trials == 0) return false;
  if (sampling == Sampling::kInstances) {
    return 2 * instances <= all.times.size() && trials <= all.Trials();
  }
  return instances <= all.times.size() && 2 * trials <= all.Trials();
}

TestAndControl Select(const Instances& all, Sampling sampling, std::size_t instances,
                      std::size_t trials, Random& random) {
  Require(CanSelect(all, sampling, instances, trials), "there are too few trials to select from");
  TestAndControl groups;
  groups.test.reserve(instances * trials);
  groups.control.reserve(instances * trials);
  const bool same_instances = sampling == Sampling::kTrials;
  const std::vector<std::size_t> chosen =
      Choose(all.times.size(), same_instances ? instances : 2 * instances, random);
  for (std::size_t i = 0; i < instances; ++i) {
    const std::size_t of_test = chosen[i];
    const std::size_t of_control = same_instances ? of_test : chosen[instances + i];
    const std::vector<std::size_t> test_trials =
        Choose(all.times[of_test].size(), same_instances ? 2 * trials : trials, random);
    for (std::size_t t = 0; t < trials; ++t) groups.test.emplace_back(of_test, test_trials[t]);
    if (same_instances) {
      for (std::size_t t = 0; t < trials; ++t) {
        groups.control.emplace_back(of_control, test_trials[trials + t]);
      }
      continue;
    }
    for (const std::size_t t : Choose(all.times[of_control].size(), trials, random)) {
      groups.control.emplace_back(of_control, t);
    }
  }
  return groups;
}

Variability MeasureVariability(const Instances& all, std::size_t replicates, std::uint64_t seed) {
  Require(!all.times.empty() && all.Trials() > 0, "MeasureVariability: there are no trials");
  Require(replicates >= 2, "MeasureVariability: needs two replicates");
  std::vector<double> of_trials;
  std::vector<double> of_instances;
  std::vector<double> everything;
  for (const auto& instance : all.times) {
    std::vector<double> together;
    for (const std::vector<double>& trial : instance) {
      of_trials.push_back(VariationOf(trial));
      together.insert(together.end(), trial.begin(), trial.end());
    }
    of_instances.push_back(VariationOf(together));
    everything.insert(everything.end(), together.begin(), together.end());
  }
  Variability variability{VariationOf(everything), Describe(of_instances), Describe(of_trials), 0};
  Random random(seed);
  const double center = Mean(everything);
  std::vector<double> resampled(replicates);
  for (double& value : resampled) value = ResampledVariation(all, center, random);
  const Ends ends = PercentileEnds(std::move(resampled), 0.95);
  variability.total_interval_width =
      variability.total > 0 ? (ends.hi - ends.lo) / variability.total : 0;
  return variability;
}

}  // namespace duetbench::stats
