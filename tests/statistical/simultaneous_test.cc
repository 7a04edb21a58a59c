// Intervals of a group of variants hold together: simulated experiments with fixed seeds.
#include "duetbench/decide/simultaneous.h"

#include <cstddef>
#include <cstdio>
#include <vector>

#include "duetbench/decide/decision.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kAlpha = 0.01;
constexpr int kExperiments = 300;
constexpr std::size_t kRuns = 18;

// ln of the time of each variant in each run. The base varies `of_base` times as much as the
// others.
std::vector<std::vector<double>> Simulate(std::size_t variants, double of_base, Random& random) {
  Normal normal(random);
  std::vector<std::vector<double>> times(variants, std::vector<double>(kRuns));
  for (std::size_t v = 0; v < variants; ++v) {
    for (double& time : times[v]) time = 0.005 * (v == 0 ? of_base : 1) * normal.Next();
  }
  return times;
}

std::vector<double> Difference(const std::vector<double>& plus, const std::vector<double>& minus) {
  std::vector<double> difference;
  for (std::size_t run = 0; run < plus.size(); ++run) difference.push_back(plus[run] - minus[run]);
  return difference;
}

RatioInterval IntervalOf(const std::vector<double>& log_ratios, double share) {
  std::vector<RunValue> values;
  for (const double log_ratio : log_ratios) {
    RunValue& value = values.emplace_back();
    value.log_ratio = log_ratio;
    value.start_s = static_cast<double>(values.size());
  }
  DecisionPolicy policy;
  policy.level = 1 - kAlpha;
  policy.share = share;
  return Decide({{}, values}, policy)->interval;
}

struct Outcome {
  int experiments_with_a_miss = 0;
  double mean_share = 0;
};

Outcome SimulateGroups(std::size_t variants, const std::vector<VariantPair>& pairs,
                       double of_base) {
  Random random(17, variants);
  Outcome outcome;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    const std::vector<std::vector<double>> times = Simulate(variants, of_base, random);
    std::vector<std::vector<double>> log_ratios;
    for (std::size_t v = 1; v < variants; ++v) log_ratios.push_back(Difference(times[v], times[0]));
    const double share = SimultaneousShare(log_ratios, pairs, 7, kAlpha);
    outcome.mean_share += share / kExperiments;
    bool misses = false;
    for (const VariantPair& pair : pairs) {
      const std::vector<double>& older = times[static_cast<std::size_t>(pair.old_variant)];
      const std::vector<double>& newer = times[static_cast<std::size_t>(pair.new_variant)];
      const RatioInterval interval = IntervalOf(Difference(newer, older), share);
      misses = misses || interval.lo > 1 || interval.hi < 1;
    }
    outcome.experiments_with_a_miss += misses ? 1 : 0;
  }
  return outcome;
}

// All pairs, or those with the base alone.
std::vector<VariantPair> PairsOf(std::size_t variants, bool all) {
  std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(variants));
  if (!all) pairs.resize(variants - 1);
  return pairs;
}

// Identical variants: an interval that excludes 1 is an alarm, and the set of ties has lost the
// fastest one.
TEST(SimultaneousIntervals, OfIdenticalVariantsHoldTogether) {
  const struct {
    std::size_t variants;
    bool all;
    double of_base;
  } kGroups[] = {{3, false, 3}, {3, true, 1}, {8, false, 1}, {8, true, 1}};
  for (const auto& group : kGroups) {
    const std::vector<VariantPair> pairs = PairsOf(group.variants, group.all);
    const Outcome outcome = SimulateGroups(group.variants, pairs, group.of_base);
    std::printf("%zu variants, %zu comparisons, base x %.1f: %d of %d miss, share %.3f\n",
                group.variants, pairs.size(), group.of_base, outcome.experiments_with_a_miss,
                kExperiments, outcome.mean_share);
    EXPECT_LE(outcome.experiments_with_a_miss, MostOf(kExperiments, kAlpha));
    EXPECT_GT(outcome.mean_share, 1.0 / static_cast<double>(pairs.size()));
  }
}

// The ranking of eight variants, each slower than the one before, by a part of the noise or by
// more: the first one is the fastest in truth, and is found to be, or to tie with the one that is.
TEST(SimultaneousIntervals, TheFastestIsAmongThoseThatTie) {
  constexpr std::size_t kVariants = 8;
  const std::vector<VariantPair> pairs = PairsOf(kVariants, /*all=*/true);
  for (const double step : {0.001, 0.02}) {
    Random random(23);
    int lost = 0;
    int alone = 0;
    for (int experiment = 0; experiment < kExperiments; ++experiment) {
      std::vector<std::vector<double>> times = Simulate(kVariants, 1, random);
      std::size_t fastest = 0;
      std::vector<std::vector<double>> log_ratios;
      for (std::size_t v = 0; v < kVariants; ++v) {
        for (double& time : times[v]) time += step * static_cast<double>(v);
        if (Mean(times[v]) < Mean(times[fastest])) fastest = v;
        if (v > 0) log_ratios.push_back(Difference(times[v], times[0]));
      }
      const double share = SimultaneousShare(log_ratios, pairs, 7, kAlpha);
      int ties = 0;
      for (std::size_t v = 0; v < kVariants; ++v) {
        if (v == fastest) continue;
        const RatioInterval slower = IntervalOf(Difference(times[v], times[fastest]), share);
        ties += slower.lo <= 1 ? 1 : 0;
        lost += v == 0 && slower.lo > 1 ? 1 : 0;
      }
      alone += ties == 0 ? 1 : 0;
    }
    std::printf("steps of %.2f %%: the fastest is lost in %d of %d, alone in %d\n", 100 * step,
                lost, kExperiments, alone);
    EXPECT_LE(lost, MostOf(kExperiments, kAlpha));
    EXPECT_EQ(2 * alone > kExperiments, step > 0.01);
  }
}

}  // namespace
}  // namespace duetbench::stats
