// Effect of weights on the interval of an experiment whose runs differ in how much they were
// disturbed, by simulation with fixed seeds: the shares of intervals that miss the ratio and their
// widths, with weights and without. Prints the figures.

#include "duetbench/decision/run_weights.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "duetbench/stats/interval.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr int kExperiments = 10'000;
constexpr int kBatches = 16;  // that the variance of a run is known from

// A run as a model makes it.
struct RunOfModel {
  double error = 0;   // standard error from its pairs
  double effect = 0;  // of the process: what its pairs do not know
};

struct Outcome {
  double missed = 0;  // shares of the intervals
  double missed_without = 0;
  double wider = 0;  // mean width over that without weights
  double bias = 0;   // mean of the estimates less the truth
};

using RunModel = std::function<RunOfModel(Random&, Normal&)>;

Outcome Simulated(const char* name, int runs, double truth, const RunModel& model) {
  Outcome outcome;
  IntervalTally with;
  IntervalTally without;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(runs));
    Normal normal(random);
    std::vector<double> values;
    std::vector<double> variances;
    for (int i = 0; i < runs; ++i) {
      const RunOfModel run = model(random, normal);
      values.push_back(run.effect + run.error * normal.Next());
      double squares = 0;
      for (int k = 1; k < kBatches; ++k) squares += std::pow(normal.Next(), 2);
      variances.push_back(run.error * run.error * squares / (kBatches - 1));
    }
    const RatioInterval plain = *TInterval(values, kLevel);
    const RatioInterval weighted = *TInterval(WeightedRunValues(values, variances), kLevel);
    with.Add(weighted, truth);
    without.Add(plain, truth);
  }
  outcome.missed = with.missed();
  outcome.missed_without = without.missed();
  outcome.bias = with.bias();
  outcome.wider = with.log_widths / without.log_widths;
  std::printf(
      "[ WEIGHTS ] %-42s %2d runs: %4.2f %% miss, %4.2f %% without weights; %.2f times as wide; "
      "bias %+.3f %%\n",
      name, runs, 100 * outcome.missed, 100 * outcome.missed_without, outcome.wider,
      100 * outcome.bias);
  return outcome;
}

double Bound(double p) { return MissedBound(kExperiments, p); }

// The variances of the runs are estimates, and so are weights: intervals at 99 % may miss 1.5 %.
constexpr double kMostMissed = 0.015;

RunOfModel DisturbedNowAndThen(Random& random, Normal&) {
  return {random.Uniform() < 0.7 ? 0.001 : 0.03, 0};
}

RunOfModel DisturbedByDegrees(Random&, Normal& normal) {
  return {0.003 * std::exp(1.5 * normal.Next()), 0};
}

TEST(RunWeights, OfAlikeRunsCostNothing) {
  for (const int runs : {18, 34}) {
    const Outcome outcome = Simulated("all alike", runs, 0, [](Random&, Normal&) {
      return RunOfModel{0.01, 0};
    });
    EXPECT_LE(outcome.missed, Bound(kMostMissed));
    EXPECT_LT(outcome.wider, 1.05);
  }
}

TEST(RunWeights, AreWorthMuchWhereRunsAreDisturbed) {
  for (const int runs : {18, 34}) {
    for (const RunModel& model : {RunModel(DisturbedNowAndThen), RunModel(DisturbedByDegrees)}) {
      const Outcome outcome = Simulated("disturbed, 30 times or by degrees", runs, 0, model);
      EXPECT_LE(outcome.missed, Bound(kMostMissed));
      EXPECT_LT(outcome.wider, 0.3);
    }
  }
}

TEST(RunWeights, HoldTheLevelWhereProcessesDiffer) {
  for (const int runs : {18, 34}) {
    const Outcome outcome = Simulated("processes differ, disturbed by degrees", runs, 0,
                                      [](Random& random, Normal& normal) {
                                        RunOfModel run = DisturbedByDegrees(random, normal);
                                        run.effect = 0.005 * normal.Next();
                                        return run;
                                      });
    EXPECT_LE(outcome.missed, Bound(kMostMissed));
    EXPECT_LT(outcome.wider, 0.6);
  }
}

TEST(RunWeights, LeaveAModeOfTheProcessInTheRatio) {
  for (const int runs : {18, 34}) {
    const Outcome outcome =
        Simulated("one process of ten in a mode of 5 %", runs, 0.005, [](Random& random, Normal&) {
          return RunOfModel{0.003, random.Uniform() < 0.1 ? 0.05 : 0};
        });
    EXPECT_NEAR(outcome.missed, outcome.missed_without, 0.01);
    EXPECT_NEAR(outcome.bias, 0, 0.0002);
  }
}

TEST(RunWeights, LeaveAModeThatIsAlsoDisturbedInTheRatio) {
  for (const int runs : {18, 34}) {
    const Outcome outcome = Simulated(
        "the mode of 5 % has three times the error", runs, 0.005, [](Random& random, Normal&) {
          return random.Uniform() < 0.1 ? RunOfModel{0.009, 0.05} : RunOfModel{0.003, 0};
        });
    EXPECT_NEAR(outcome.missed, outcome.missed_without, 0.01);
    EXPECT_NEAR(outcome.bias, 0, 0.0002);
  }
}

}  // namespace
}  // namespace duetbench::stats
