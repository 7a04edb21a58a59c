// Properties of every kind of interval, on random experiments.

#include <cmath>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "duetbench/decide/interval.h"
#include "duetbench/platform/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/method_names.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;

// An experiment of a kind drawn at random: few or many runs of few or many pairs, smooth or with
// spikes, with or without equal values, of any unit.
std::vector<RunPairs> RandomExperiment(std::uint64_t seed) {
  Random random(seed);
  const std::size_t runs = 2 + random.Below(12);
  const std::size_t pairs = 4 + random.Below(40);
  const double log_ratio = random.Uniform() - 0.5;
  const double unit = std::exp(40 * random.Uniform() - 20);
  const double spikes = random.Below(2) == 0 ? 0.05 : 0;
  const double resolution = random.Below(3) == 0 ? 20 : 1e6;  // coarse clocks give equal values
  std::vector<RunPairs> experiment(runs);
  for (RunPairs& run : experiment) {
    const double level = log_ratio + 0.02 * (random.Uniform() - 0.5);
    for (std::size_t i = 0; i < pairs; ++i) {
      const double old_time = std::ceil(resolution * (1 + random.Uniform()));
      double noise = 0.1 * (random.Uniform() - 0.5);
      if (random.Uniform() < spikes) noise += 2 * random.Uniform();
      const double new_time = std::ceil(old_time * std::exp(level + noise));
      run.push_back({unit * old_time, unit * new_time, static_cast<int>(i % 2)});
    }
  }
  return experiment;
}

absl::StatusOr<RatioInterval> ComputeInterval(const std::vector<RunPairs>& runs,
                                              const IntervalOptions& options,
                                              Estimator estimator = Estimator::kTrimmed) {
  if (options.kind == IntervalKind::kHierarchical) return HierarchicalInterval(runs, options);
  const absl::StatusOr<std::vector<double>> log_ratios = RunLogRatios(runs, estimator);
  return log_ratios.ok() ? IntervalOfRuns(*log_ratios, options) : log_ratios.status();
}

class EveryKind : public testing::TestWithParam<Named<IntervalKind>> {
 protected:
  RatioInterval Compute(const std::vector<RunPairs>& runs, double level = 0.95,
                        Estimator estimator = Estimator::kTrimmed) const {
    IntervalOptions options;
    options.kind = Kind();
    options.level = level;
    options.resampling.replicates = 500;
    const absl::StatusOr<RatioInterval> interval = ComputeInterval(runs, options, estimator);
    EXPECT_TRUE(interval.ok()) << interval.status();
    return interval.value();
  }

  static IntervalKind Kind() { return GetParam().method; }

  // Two ends that come from different random draws agree only in the order of magnitude.
  bool IsDrawnAnew() const { return Kind() != IntervalKind::kT; }
};

// The first kind, "robust", is that of decide/decision.h.
INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::ValuesIn(std::next(std::begin(kIntervalKinds)),
                                           std::end(kIntervalKinds)),
                         [](const auto& info) { return std::string(info.param.name); });

void ExpectSame(const RatioInterval& actual, double ratio, double lo, double hi, bool roughly) {
  EXPECT_NEAR(actual.ratio / ratio, 1, 1e-12);
  const double width = std::log(hi / lo);
  for (const auto& [end, expected] : {std::pair(actual.lo, lo), std::pair(actual.hi, hi)}) {
    if (expected == 0 || std::isinf(expected)) {
      EXPECT_EQ(end, expected);
    } else {
      EXPECT_NEAR(std::log(end / expected), 0, roughly ? 0.25 * width + 1e-9 : 1e-9);
    }
  }
}

TEST_P(EveryKind, ContainsItsEstimate) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean}) {
      const std::vector<RunPairs> runs = RandomExperiment(seed);
      const RatioInterval interval = Compute(runs, 0.9, estimator);
      EXPECT_GT(interval.ratio, 0);
      EXPECT_GE(interval.lo, 0);
      EXPECT_LE(interval.lo, interval.ratio) << seed;
      EXPECT_GE(interval.hi, interval.ratio) << seed;
      EXPECT_EQ(interval.level, 0.9);
    }
  }
}

// Changes of the pairs, and what they do to the interval.
TEST_P(EveryKind, FollowsWhatIsDoneToThePairs) {
  const auto for_each_pair = [](std::vector<RunPairs>* runs, const auto& change) {
    for (RunPairs& run : *runs) {
      for (Pair& pair : run) change(&pair);
    }
  };
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<RunPairs> runs = RandomExperiment(seed);
    const RatioInterval interval = Compute(runs);
    const auto [ratio, lo, hi] = std::tuple(interval.ratio, interval.lo, interval.hi);

    std::vector<RunPairs> swapped = runs;
    for_each_pair(&swapped, [](Pair* pair) { std::swap(pair->old_time, pair->new_time); });
    ExpectSame(Compute(swapped), 1 / ratio, 1 / hi, 1 / lo, IsDrawnAnew());

    std::vector<RunPairs> scaled = runs;
    double unit = 1000;  // even another one for each pair: only the ratio counts
    for_each_pair(&scaled, [&](Pair* pair) {
      pair->old_time *= unit;
      pair->new_time *= unit;
      unit *= 0.99;
    });
    ExpectSame(Compute(scaled), ratio, lo, hi, IsDrawnAnew());

    std::vector<RunPairs> slower = runs;
    for_each_pair(&slower, [](Pair* pair) { pair->new_time *= 1.25; });
    ExpectSame(Compute(slower), 1.25 * ratio, 1.25 * lo, 1.25 * hi, IsDrawnAnew());

    std::vector<RunPairs> shuffled = runs;
    Random random(seed);
    random.Shuffle(shuffled);
    ExpectSame(Compute(shuffled), ratio, lo, hi, IsDrawnAnew());
  }
}

TEST(TInterval, GoldenHalfWidths) {
  const nlohmann::json golden = GoldenJson("t_halfwidths.json");
  for (const nlohmann::json& row : golden["rows"]) {
    // Values of mean 0 and standard deviation 1: half of them -c, half +c, and a 0 if n is odd.
    const auto n = row["n"].get<std::size_t>();
    const double c = std::sqrt(static_cast<double>(n - 1) / static_cast<double>(n - n % 2));
    std::vector<double> values(n, 0.0);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      values[i] = c;
      values[i + 1] = -c;
    }
    const RatioInterval interval = TInterval(values, 1 - row["alpha"].get<double>()).value();
    // The quantiles of t of scipy 1.10 are off by up to 1.3e-9, and what depends on them steeply by
    // 1.6e-8.
    EXPECT_NEAR(std::log(interval.hi) / row["halfwidth"].get<double>(), 1, 3e-8) << row;
  }
}

TEST(HierarchicalInterval, IsAsWideAsThePercentileIntervalWhenRunsDominate) {
  Random random(6);
  std::vector<RunPairs> runs(12);
  for (RunPairs& run : runs) {
    const double level = 0.5 * (random.Uniform() - 0.5);
    for (int i = 0; i < 40; ++i) {
      run.push_back({1, std::exp(level + 0.1 * (random.Uniform() - 0.5)), i / 10 % 2});
    }
  }
  IntervalOptions options{IntervalKind::kPercentile, 0.95, {}};
  const RatioInterval percentile = ComputeInterval(runs, options, Estimator::kGeomean).value();
  options.kind = IntervalKind::kHierarchical;
  const RatioInterval hierarchical = ComputeInterval(runs, options).value();
  EXPECT_EQ(hierarchical.ratio, percentile.ratio);
  EXPECT_NEAR(std::log(hierarchical.hi / hierarchical.lo) / std::log(percentile.hi / percentile.lo),
              1, 0.05);
}

TEST(NarrownessWarning, EndsWithEnoughRuns) {
  EXPECT_EQ(
      NarrownessWarning(IntervalKind::kPercentile, 10),
      "not enough runs for this interval kind: with 10 it is too narrow, about 30 are needed");
  for (IntervalKind kind : {IntervalKind::kPercentile, IntervalKind::kHierarchical}) {
    EXPECT_NE(NarrownessWarning(kind, 5), "");
    EXPECT_EQ(NarrownessWarning(kind, 100), "");
  }
  EXPECT_EQ(NarrownessWarning(IntervalKind::kT, 3), "");
}

TEST(TInterval, RefusesValuesThatAreNotFinite) {
  EXPECT_THAT(std::string(TInterval({0, HUGE_VAL}, 0.95).status().message()), HasSubstr("run 1"));
}

TEST(RunLogRatios, GeomeanWeighsAllPairsAlike) {
  const std::vector<RunPairs> runs = {{{1, 2, 0}, {1, 2, 0}, {1, 2, 0}, {1, 32, 1}}};
  EXPECT_DOUBLE_EQ(RunLogRatios(runs, Estimator::kGeomean).value()[0], 2 * std::log(2));
  EXPECT_DOUBLE_EQ(RunLogRatios(runs, Estimator::kTrimmed).value()[0], 3 * std::log(2));
}

}  // namespace
}  // namespace duetbench::stats
