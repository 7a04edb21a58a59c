// What weights do to the interval of an experiment whose runs differ in how much they were
// disturbed, by simulation with fixed seeds: the shares of intervals that miss the ratio and their
// widths, with weights and without. Prints the figures.

#include "duetbench/stats/run_weights.h"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "duetbench/stats/interval.h"
#include "gtest/gtest.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr int kExperiments = 10'000;
constexpr int kBatches = 16;  // that the variance of a run is known from

// A run as it comes to be.
struct SimulatedRun {
  double error = 0;   // standard error from its pairs
  double effect = 0;  // of the process: what its pairs do not know
};

struct Outcome {
  double missed = 0;  // shares of the intervals
  double missed_without = 0;
  double wider = 0;  // mean width over that without weights
  double bias = 0;   // mean of the estimates less the truth
};

using RunModel = std::function<SimulatedRun(Random&, Normal&)>;

Outcome Simulated(const char* name, int runs, double truth, const RunModel& model) {
  Outcome outcome;
  double width = 0;
  double width_without = 0;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(runs));
    Normal normal(random);
    std::vector<double> values;
    std::vector<double> variances;
    for (int i = 0; i < runs; ++i) {
      const SimulatedRun run = model(random, normal);
      values.push_back(run.effect + run.error * normal.Next());
      double squares = 0;
      for (int k = 1; k < kBatches; ++k) squares += std::pow(normal.Next(), 2);
      variances.push_back(run.error * run.error * squares / (kBatches - 1));
    }
    const RatioInterval plain = *TInterval(values, kLevel);
    const RatioInterval weighted = *TInterval(WeightedRunValues(values, variances), kLevel);
    const auto misses = [truth](const RatioInterval& of) {
      return std::log(of.lo) > truth || std::log(of.hi) < truth;
    };
    outcome.missed += misses(weighted) ? 1.0 / kExperiments : 0;
    outcome.missed_without += misses(plain) ? 1.0 / kExperiments : 0;
    outcome.bias += (std::log(weighted.ratio) - truth) / kExperiments;
    width += std::log(weighted.hi / weighted.lo);
    width_without += std::log(plain.hi / plain.lo);
  }
  outcome.wider = width / width_without;
  std::printf(
      "[ WEIGHTS ] %-42s %2d runs: %4.2f %% miss, %4.2f %% without weights; %.2f times as wide; "
      "bias %+.3f %%\n",
      name, runs, 100 * outcome.missed, 100 * outcome.missed_without, outcome.wider,
      100 * outcome.bias);
  return outcome;
}

// Of the shares of intervals that miss with a probability of `p`; more in one of 2000 such tests.
double Bound(double p) {
  const boost::math::binomial distribution(kExperiments, p);
  return boost::math::quantile(distribution, 0.9995) / kExperiments;
}

// The variances of the runs are estimates, and so are weights: intervals at 99 % may miss 1.5 %.
constexpr double kMostMissed = 0.015;

SimulatedRun DisturbedNowAndThen(Random& random, Normal&) {
  return {random.Uniform() < 0.7 ? 0.001 : 0.03, 0};
}

SimulatedRun DisturbedByDegrees(Random&, Normal& normal) {
  return {0.003 * std::exp(1.5 * normal.Next()), 0};
}

TEST(RunWeights, OfAlikeRunsCostNothing) {
  for (const int runs : {18, 34}) {
    const Outcome outcome = Simulated("all alike", runs, 0, [](Random&, Normal&) {
      return SimulatedRun{0.01, 0};
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
                                        SimulatedRun run = DisturbedByDegrees(random, normal);
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
          return SimulatedRun{0.003, random.Uniform() < 0.1 ? 0.05 : 0};
        });
    EXPECT_NEAR(outcome.missed, outcome.missed_without, 0.01);
    EXPECT_NEAR(outcome.bias, 0, 0.0002);
  }
}

TEST(RunWeights, LeaveAModeThatIsAlsoDisturbedInTheRatio) {
  for (const int runs : {18, 34}) {
    const Outcome outcome = Simulated(
        "the mode of 5 % has three times the error", runs, 0.005, [](Random& random, Normal&) {
          return random.Uniform() < 0.1 ? SimulatedRun{0.009, 0.05} : SimulatedRun{0.003, 0};
        });
    EXPECT_NEAR(outcome.missed, outcome.missed_without, 0.01);
    EXPECT_NEAR(outcome.bias, 0, 0.0002);
  }
}

}  // namespace
}  // namespace duetbench::stats
