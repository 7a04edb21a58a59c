// Gain of the statistics engine over resampling written down straightforwardly, measured with the
// library itself: old is std::mt19937_64 with std::uniform_int_distribution in a loop, new the
// engine. Both compute the same interval, up to their random numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "duetbench/duetbench.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"
#include "tools/stats/bootstrap_interval.h"
#include "tools/stats/hierarchical_interval.h"

namespace stats = duetbench::stats;

constexpr double kLevel = 0.99;
constexpr std::size_t kReplicates = 10000;
constexpr std::size_t kHierarchicalReplicates = 100;  // of 10,000: an iteration takes milliseconds

static std::vector<double> RunValues(std::size_t runs) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.01);
  std::vector<double> values(runs);
  for (double& value : values) value = normal(random);
  return values;
}

static std::vector<stats::RunPairs> Pairs(std::size_t runs, std::size_t iterations) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.01);
  std::vector<stats::RunPairs> pairs(runs);
  for (stats::RunPairs& run : pairs) {
    for (std::size_t i = 0; i < iterations; ++i) {
      run.push_back({100 * std::exp(normal(random)), 101 * std::exp(normal(random)), 0});
    }
  }
  return pairs;
}

// The interval of sorted replicates at kLevel.
static double UpperEnd(std::vector<double>& replicates) {
  std::sort(replicates.begin(), replicates.end());
  const double rank = (1 + kLevel) / 2 * static_cast<double>(replicates.size() - 1);
  return std::exp(replicates[static_cast<std::size_t>(rank)]);
}

static double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Without the lowest and the highest 10 %, by selection.
static double TrimmedMean(std::vector<double>& values) {
  const auto cut = static_cast<std::ptrdiff_t>(values.size() / 10);
  std::nth_element(values.begin(), values.begin() + cut, values.end());
  std::nth_element(values.begin() + cut, values.end() - cut, values.end());
  return std::accumulate(values.begin() + cut, values.end() - cut, 0.0) /
         static_cast<double>(values.size() - 2 * static_cast<std::size_t>(cut));
}

// --- Percentile bootstrap of the values of `range(0)` runs, 10,000 replicates ---

static void StraightPercentile(duetbench::State& state) {
  const std::vector<double> values = RunValues(static_cast<std::size_t>(state.range(0)));
  std::uint64_t seed = 0;
  for (auto _ : state) {
    std::mt19937_64 random(++seed);
    std::uniform_int_distribution<std::size_t> index(0, values.size() - 1);
    std::vector<double> replicates(kReplicates);
    for (double& replicate : replicates) {
      double sum = 0;
      for (std::size_t k = 0; k < values.size(); ++k) sum += values[index(random)];
      replicate = sum / static_cast<double>(values.size());
    }
    benchmark::DoNotOptimize(UpperEnd(replicates));
  }
}

static void EnginePercentile(duetbench::State& state) {
  const std::vector<double> values = RunValues(static_cast<std::size_t>(state.range(0)));
  std::uint64_t seed = 0;
  for (auto _ : state) {
    const auto interval = stats::BootstrapInterval(values, stats::IntervalKind::kPercentile, kLevel,
                                                   {kReplicates, ++seed});
    if (!interval.ok()) std::abort();
    double hi = interval->hi;
    benchmark::DoNotOptimize(hi);
  }
}
DUET_BENCHMARK(StraightPercentile, EnginePercentile)
    ->Arg(10)
    ->Arg(30)
    ->Unit(benchmark::kMillisecond);

// --- Hierarchical bootstrap of 30 runs of 1000 pairs, 100 replicates ---

template <typename Location>
static void StraightHierarchical(duetbench::State& state, Location location) {
  std::vector<std::vector<double>> log_ratios;
  for (const stats::RunPairs& run : Pairs(30, 1000)) log_ratios.push_back(stats::LogRatios(run));
  std::uint64_t seed = 0;
  for (auto _ : state) {
    std::mt19937_64 random(++seed);
    std::uniform_int_distribution<std::size_t> run_index(0, log_ratios.size() - 1);
    std::vector<double> replicates(kHierarchicalReplicates);
    std::vector<double> resample;
    for (double& replicate : replicates) {
      double sum = 0;
      for (std::size_t r = 0; r < log_ratios.size(); ++r) {
        const std::vector<double>& run = log_ratios[run_index(random)];
        std::uniform_int_distribution<std::size_t> index(0, run.size() - 1);
        resample.clear();
        for (std::size_t i = 0; i < run.size(); ++i) resample.push_back(run[index(random)]);
        sum += location(resample);
      }
      replicate = sum / static_cast<double>(log_ratios.size());
    }
    benchmark::DoNotOptimize(UpperEnd(replicates));
  }
}

static void EngineHierarchical(duetbench::State& state, stats::Estimator estimator) {
  const std::vector<stats::RunPairs> pairs = Pairs(30, 1000);
  std::uint64_t seed = 0;
  for (auto _ : state) {
    const auto interval =
        stats::HierarchicalInterval(pairs, estimator, kLevel, {kHierarchicalReplicates, ++seed});
    if (!interval.ok()) std::abort();
    double hi = interval->hi;
    benchmark::DoNotOptimize(hi);
  }
}

static void StraightMean(duetbench::State& state) { StraightHierarchical(state, Mean); }
static void EngineMean(duetbench::State& state) {
  EngineHierarchical(state, stats::Estimator::kGeomean);
}
DUET_BENCHMARK(StraightMean, EngineMean)->Unit(benchmark::kMillisecond);

static void StraightTrimmed(duetbench::State& state) { StraightHierarchical(state, TrimmedMean); }
static void EngineTrimmed(duetbench::State& state) {
  EngineHierarchical(state, stats::Estimator::kTrimmed);
}
DUET_BENCHMARK(StraightTrimmed, EngineTrimmed)->Unit(benchmark::kMillisecond);

DUET_MAIN();
