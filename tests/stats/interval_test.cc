// What holds for every kind of interval, on random experiments.

#include "duetbench/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "duetbench/stats/compute_interval.h"
#include "duetbench/stats/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr IntervalKind kAllKinds[] = {IntervalKind::kT,
                                      IntervalKind::kPercentile,
                                      IntervalKind::kExpanded,
                                      IntervalKind::kNMinus1,
                                      IntervalKind::kBasic,
                                      IntervalKind::kBca,
                                      IntervalKind::kBootT,
                                      IntervalKind::kHodgesLehmann,
                                      IntervalKind::kHierarchical,
                                      IntervalKind::kAnytime,
                                      IntervalKind::kEwc};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An experiment of a kind drawn at random: few or many runs of few or many pairs, smooth or with
// spikes, with or without equal values, of any unit.
std::vector<RunPairs> RandomExperiment(std::uint64_t seed, bool one_run) {
  Random random(seed);
  const std::size_t runs = one_run ? 1 : 2 + random.Below(12);
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

class EveryKind : public testing::TestWithParam<IntervalKind> {
 protected:
  RatioInterval Compute(const std::vector<RunPairs>& runs, double level = 0.95,
                        Estimator estimator = Estimator::kTrimmed) const {
    IntervalOptions options;
    options.kind = GetParam();
    options.level = level;
    options.estimator = estimator;
    options.resampling.replicates = 500;
    const absl::StatusOr<RatioInterval> interval = ComputeInterval(runs, options);
    EXPECT_TRUE(interval.ok()) << interval.status();
    return interval.value();
  }

  std::vector<RunPairs> Experiment(std::uint64_t seed) const {
    return RandomExperiment(seed, GetParam() == IntervalKind::kEwc);
  }

  // Of two ends that come from different random draws only the order of magnitude is the same.
  bool IsDrawnAnew() const { return GetParam() == IntervalKind::kHierarchical; }
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kAllKinds), [](const auto& info) {
  std::string name(IntervalKindName(info.param));
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

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
    for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean, Estimator::kMedian}) {
      const std::vector<RunPairs> runs = Experiment(seed);
      const RatioInterval interval = Compute(runs, 0.9, estimator);
      EXPECT_GT(interval.ratio, 0);
      EXPECT_GE(interval.lo, 0);
      EXPECT_LE(interval.lo, interval.ratio) << seed;
      EXPECT_GE(interval.hi, interval.ratio) << seed;
      EXPECT_EQ(interval.kind, GetParam());
      EXPECT_EQ(interval.level, 0.9);
    }
  }
}

TEST_P(EveryKind, SwappingOldAndNewGivesTheReciprocal) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::vector<RunPairs> runs = Experiment(seed);
    const RatioInterval interval = Compute(runs);
    for (RunPairs& run : runs) {
      for (Pair& pair : run) std::swap(pair.old_time, pair.new_time);
    }
    const RatioInterval swapped = Compute(runs);
    SCOPED_TRACE(seed);
    ExpectSame(swapped, 1 / interval.ratio, 1 / interval.hi, 1 / interval.lo, IsDrawnAnew());
  }
}

TEST_P(EveryKind, DoesNotDependOnTheUnit) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<RunPairs> runs = Experiment(seed);
    const RatioInterval interval = Compute(runs);
    double unit = 1000;  // even another one for each pair: only the ratio counts
    for (RunPairs& run : runs) {
      for (Pair& pair : run) {
        pair.old_time *= unit;
        pair.new_time *= unit;
        unit *= 0.99;
      }
    }
    SCOPED_TRACE(seed);
    ExpectSame(Compute(runs), interval.ratio, interval.lo, interval.hi, IsDrawnAnew());
  }
}

TEST_P(EveryKind, AFactorOnNewIsAFactorOnTheInterval) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<RunPairs> runs = Experiment(seed);
    const RatioInterval interval = Compute(runs);
    for (RunPairs& run : runs) {
      for (Pair& pair : run) pair.new_time *= 1.25;
    }
    SCOPED_TRACE(seed);
    ExpectSame(Compute(runs), 1.25 * interval.ratio, 1.25 * interval.lo, 1.25 * interval.hi,
               IsDrawnAnew());
  }
}

TEST_P(EveryKind, DoesNotDependOnTheOrderOfTheRuns) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<RunPairs> runs = Experiment(seed);
    const RatioInterval interval = Compute(runs);
    Random random(seed);
    random.Shuffle(runs);
    SCOPED_TRACE(seed);
    ExpectSame(Compute(runs), interval.ratio, interval.lo, interval.hi, IsDrawnAnew());
  }
}

TEST_P(EveryKind, WidensWithTheLevel) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::vector<RunPairs> runs = Experiment(seed);
    RatioInterval narrower = Compute(runs, 0.2);
    for (double level : {0.5, 0.9, 0.95, 0.99, 0.9999}) {
      const RatioInterval wider = Compute(runs, level);
      EXPECT_LE(wider.lo, narrower.lo) << seed << " " << level;
      EXPECT_GE(wider.hi, narrower.hi) << seed << " " << level;
      narrower = wider;
    }
  }
}

TEST_P(EveryKind, EqualRunsGiveAnIntervalWithoutWidth) {
  const std::vector<RunPairs> runs(GetParam() == IntervalKind::kEwc ? 1 : 6,
                                   RunPairs(8, Pair{100, 125, 0}));
  const RatioInterval interval = Compute(runs);
  EXPECT_NEAR(interval.ratio, 1.25, 1e-15);
  EXPECT_NEAR(interval.lo, 1.25, 1e-12);
  EXPECT_NEAR(interval.hi, 1.25, 1e-12);
}

TEST_P(EveryKind, FindsAPlantedSlowdown) {
  Random random(17);
  std::vector<RunPairs> runs(GetParam() == IntervalKind::kEwc ? 1 : 10);
  for (RunPairs& run : runs) {
    const double run_effect = 0.004 * (random.Uniform() - 0.5);
    for (int i = 0; i < 200; ++i) {
      const double noise = 0.04 * (random.Uniform() - 0.5);
      run.push_back({1, 1.03 * std::exp(run_effect + noise), i / 10 % 2});
    }
  }
  const RatioInterval interval = Compute(runs, 0.99);
  EXPECT_GT(interval.lo, 1.02);
  EXPECT_LT(interval.hi, 1.04);
  EXPECT_NEAR(interval.ratio, 1.03, 0.003);
}

TEST_P(EveryKind, RefusesWhatItCannotUse) {
  IntervalOptions options;
  options.kind = GetParam();
  const std::vector<RunPairs> good = Experiment(1);
  std::vector<RunPairs> bad = good;
  bad.back()[2].old_time = std::nan("");
  EXPECT_THAT(std::string(ComputeInterval(bad, options).status().message()), HasSubstr("pair 2"));
  EXPECT_FALSE(ComputeInterval({}, options).ok());
  for (double level : {0.0, 1.0, -0.5, 95.0, std::nan("")}) {
    options.level = level;
    EXPECT_THAT(std::string(ComputeInterval(good, options).status().message()),
                HasSubstr("between 0 and 1"));
  }
  options.level = 0.95;
  std::vector<RunPairs> wrong_number = good;
  if (GetParam() == IntervalKind::kEwc) {
    wrong_number.push_back(good[0]);
    EXPECT_THAT(std::string(ComputeInterval(wrong_number, options).status().message()),
                HasSubstr("use 't'"));
  } else {
    wrong_number.resize(1);
    EXPECT_THAT(std::string(ComputeInterval(wrong_number, options).status().message()),
                HasSubstr("use the kind 'ewc'"));
  }
}

TEST_P(EveryKind, NameRoundTrips) {
  EXPECT_EQ(ParseIntervalKind(IntervalKindName(GetParam())).value(), GetParam());
}

TEST(ParseIntervalKind, ListsTheKinds) {
  EXPECT_THAT(std::string(ParseIntervalKind("students").status().message()),
              AllOf(HasSubstr("'students'"), HasSubstr("percentile"), HasSubstr("ewc")));
}

TEST(TInterval, OfTwoRunsIsValidAndWide) {
  const RatioInterval interval = TInterval({std::log(1.0), std::log(1.1)}, 0.95).value();
  EXPECT_NEAR(interval.ratio, std::sqrt(1.1), 1e-12);
  // t of one degree of freedom is 12.706; s / sqrt(2) is half the difference.
  EXPECT_NEAR(std::log(interval.hi), std::log(1.1) / 2 * (1 + 12.7062047361747), 1e-12);
  EXPECT_THAT(interval.warning, IsEmpty());
}

TEST(TInterval, RefusesValuesThatAreNotFinite) {
  EXPECT_THAT(std::string(TInterval({0, kInfinity}, 0.95).status().message()), HasSubstr("run 1"));
}

TEST(AnytimeInterval, OfFewRunsIsUnboundedAndSaysSo) {
  IntervalOptions options;
  options.kind = IntervalKind::kAnytime;
  options.level = 0.99;
  const RatioInterval unbounded = IntervalOfRuns({0.1, 0.2, 0.3, 0.1, 0.2}, options).value();
  EXPECT_EQ(unbounded.lo, 0);
  EXPECT_EQ(unbounded.hi, kInfinity);
  EXPECT_THAT(unbounded.warning, HasSubstr("5 runs cannot bound"));
  const RatioInterval equal = IntervalOfRuns({0.1, 0.1, 0.1}, options).value();
  EXPECT_EQ(equal.hi, kInfinity);
  const RatioInterval bounded = IntervalOfRuns({0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, options).value();
  EXPECT_GT(bounded.lo, 0);
  EXPECT_LT(bounded.hi, kInfinity);
  EXPECT_THAT(bounded.warning, IsEmpty());
}

// Every look at an experiment that goes on: few false alarms in all, where t has many.
TEST(AnytimeInterval, MayBeLookedAtAfterEveryRun) {
  Random random(5);
  int anytime_alarms = 0;
  int t_alarms = 0;
  const int experiments = 1000;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    std::vector<double> runs;
    bool anytime_alarm = false;
    bool t_alarm = false;
    for (int r = 0; r < 30; ++r) {
      double sum = 0;  // of 12 uniforms: nearly normal
      for (int k = 0; k < 12; ++k) sum += random.Uniform() - 0.5;
      runs.push_back(sum);
      if (r < 2) continue;
      IntervalOptions options;
      options.level = 0.95;
      const RatioInterval t = IntervalOfRuns(runs, options).value();
      options.kind = IntervalKind::kAnytime;
      const RatioInterval anytime = IntervalOfRuns(runs, options).value();
      t_alarm |= t.lo > 1 || t.hi < 1;
      anytime_alarm |= anytime.lo > 1 || anytime.hi < 1;
    }
    anytime_alarms += anytime_alarm ? 1 : 0;
    t_alarms += t_alarm ? 1 : 0;
  }
  EXPECT_LT(anytime_alarms, 0.05 * experiments);
  EXPECT_GT(t_alarms, 0.15 * experiments);
}

TEST(BootstrapInterval, WarnsWhereTheKindIsTooNarrow) {
  const std::vector<double> ten = {0.1, 0.2, 0.3, 0.15, 0.2, 0.12, 0.22, 0.18, 0.25, 0.21};
  IntervalOptions options;
  options.kind = IntervalKind::kPercentile;
  EXPECT_THAT(IntervalOfRuns(ten, options).value().warning,
              HasSubstr("not enough runs for this interval kind: with 10 runs"));
  options.kind = IntervalKind::kExpanded;
  EXPECT_THAT(IntervalOfRuns(ten, options).value().warning, IsEmpty());
  EXPECT_THAT(IntervalOfRuns({0.1, 0.2, 0.3}, options).value().warning, Not(IsEmpty()));
  options.kind = IntervalKind::kT;
  EXPECT_THAT(IntervalOfRuns({0.1, 0.2, 0.3}, options).value().warning, IsEmpty());
}

TEST(BootstrapInterval, DependsOnTheSeedOnly) {
  const std::vector<double> runs = {0.11, 0.2, 0.31, 0.15, 0.27, 0.24, 0.19, 0.22, 0.26};
  IntervalOptions options;
  options.kind = IntervalKind::kBca;
  const RatioInterval first = IntervalOfRuns(runs, options).value();
  const RatioInterval again = IntervalOfRuns(runs, options).value();
  EXPECT_EQ(first.lo, again.lo);
  EXPECT_EQ(first.hi, again.hi);
  options.resampling.seed = 2;
  const RatioInterval other = IntervalOfRuns(runs, options).value();
  EXPECT_TRUE(other.lo != first.lo || other.hi != first.hi);
}

TEST(BootstrapInterval, OrderOfWidths) {
  const std::vector<double> runs = {0.10, 0.20, 0.30, 0.15, 0.27, 0.18, 0.22, 0.12, 0.26, 0.19};
  const auto width = [&](IntervalKind kind) {
    IntervalOptions options;
    options.kind = kind;
    options.level = 0.95;
    const RatioInterval interval = IntervalOfRuns(runs, options).value();
    return std::log(interval.hi / interval.lo);
  };
  EXPECT_LT(width(IntervalKind::kPercentile), width(IntervalKind::kNMinus1));
  EXPECT_LT(width(IntervalKind::kNMinus1), width(IntervalKind::kExpanded));
  EXPECT_NEAR(width(IntervalKind::kExpanded) / width(IntervalKind::kT), 1, 0.1);
  EXPECT_NEAR(width(IntervalKind::kBasic) / width(IntervalKind::kPercentile), 1, 1e-9);
  EXPECT_GT(width(IntervalKind::kAnytime), 1.5 * width(IntervalKind::kT));
}

TEST(BootstrapInterval, RefusesWrongRequests) {
  IntervalOptions options;
  options.kind = IntervalKind::kPercentile;
  options.resampling.replicates = 1;
  EXPECT_THAT(std::string(IntervalOfRuns({0, 1}, options).status().message()),
              HasSubstr("replicates must lie in 2..100000000"));
  options.resampling.replicates = 10;
  options.kind = IntervalKind::kEwc;
  EXPECT_THAT(std::string(IntervalOfRuns({0, 1}, options).status().message()),
              HasSubstr("not a bootstrap of the runs"));
}

}  // namespace
}  // namespace duetbench::stats
