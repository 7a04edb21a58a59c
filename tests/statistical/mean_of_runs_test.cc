// The interval of an experiment whose runs are skewed, far off, alike in time or in antithetic
// pairs, by simulation with fixed seeds: the shares of intervals that miss the mean, and their
// widths beside those of the t interval of the runs. Prints the table that the rules of
// robust_mean.h and run_value.h were chosen by.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include "duetbench/decide/decision.h"
#include "duetbench/decide/interval.h"
#include "duetbench/record/robust.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/normal.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr int kExperiments = 5'000;
constexpr double kSpread = 0.01;  // of the runs of most models

// Draws the log-ratio of the next run.
using Runs = std::function<double()>;
using Model = std::function<Runs(Random&, Normal&)>;

// Independent values.
Model Independent(double (*draw)(Random&, Normal&)) {
  return [draw](Random& random, Normal& normal) -> Runs {
    return [draw, &random, &normal] { return draw(random, normal); };
  };
}

double White(Random&, Normal& normal) { return kSpread * normal.Next(); }

// Student's t with 3 degrees of freedom.
double HeavyTails(Random&, Normal& normal) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(normal.Next(), 2);
  return kSpread * normal.Next() / std::sqrt(squares / 3);
}

double Laplace(Random& random, Normal&) {
  const double size = -kSpread * std::log1p(-random.Uniform());
  return random.Uniform() < 0.5 ? size : -size;
}

// One run in twenty takes 30 % longer; the spread of the others is 0.3 %.
double FarOff(Random& random, Normal& normal) {
  return 0.003 * normal.Next() + (random.Uniform() < 0.05 ? std::log(1.3) : 0);
}

// Two builds with common places of the code: most runs agree, the others have tails.
double NarrowPeak(Random& random, Normal& normal) {
  return 0.002 * normal.Next() + (random.Uniform() < 0.3 ? 2 * Laplace(random, normal) : 0);
}

constexpr double kModeShare = 0.4;
constexpr double kMode = 0.05;
double TwoModes(Random& random, Normal& normal) {
  return 0.003 * normal.Next() + (random.Uniform() < kModeShare ? kMode : 0);
}

// One layout in eight is slow by three standard deviations of the others.
double OneInEight(Random& random, Normal& normal) {
  return White(random, normal) + (random.Uniform() < 0.125 ? 3 * kSpread : 0);
}

// Ratios between 0.42 and 0.88, most of them high: 0.88 less the larger, by chance, of two parts.
constexpr double kMeanOfSkewed = -0.3314;  // by 10^8 draws
double Skewed(Random& random, Normal&) {
  return std::log(0.88 - 0.46 * std::min(random.Uniform(), random.Uniform()));
}

// Neighbors are correlated.
Model Correlated(double correlation) {
  return [correlation](Random&, Normal& normal) -> Runs {
    return [correlation, &normal, state = normal.Next()]() mutable {
      const double value = state;
      state = correlation * state + std::sqrt(1 - correlation * correlation) * normal.Next();
      return kSpread * value;
    };
  };
}

// Half of the variance is a state of the machine that lasts for a second. Runs begin at random
// moments, these seconds apart in the mean.
Model StatesOfASecond(double apart) {
  return [apart](Random& random, Normal& normal) -> Runs {
    return [apart, &random, &normal, state = normal.Next()]() mutable {
      const double kept = std::pow(1 - random.Uniform(), apart);
      state = kept * state + std::sqrt(1 - kept * kept) * normal.Next();
      return kSpread * std::sqrt(0.5) * (state + normal.Next());
    };
  };
}

// The two runs of each layout are correlated.
Model Pairs(double correlation) {
  return [correlation](Random&, Normal& normal) -> Runs {
    return [correlation, &normal, first = 0.0, is_second = false]() mutable {
      const double fresh = normal.Next();
      is_second = !is_second;
      if (is_second) return kSpread * (first = fresh);
      return kSpread * (correlation * first + std::sqrt(1 - correlation * correlation) * fresh);
    };
  };
}

struct Outcome {
  double missed = 0;    // share of the intervals
  double missed_t = 0;  // of t intervals of the runs
  double width = 0;     // median half-width, as a logarithm
  double wider = 0;     // than that of the t intervals
};

double HalfWidth(const RatioInterval& interval) { return std::log(interval.hi / interval.lo) / 2; }

Outcome Simulated(const char* name, const Model& model, int runs, double truth = 0) {
  IntervalTally decided;
  IntervalTally plain;
  std::vector<double> widths;
  std::vector<double> widths_t;
  ExperimentOptions options;
  options.level = kLevel;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(runs));
    Normal normal(random);
    const Runs next = model(random, normal);
    std::vector<RunValue> values;
    std::vector<double> log_ratios;
    for (int run = 0; run < runs; ++run) {
      values.emplace_back().log_ratio = next();
      values.back().layout = run / 2;
      log_ratios.push_back(values.back().log_ratio);
    }
    const RatioInterval interval = Decide({{}, values}, options)->interval;
    const RatioInterval t = *TInterval(log_ratios, kLevel, 1);
    decided.Add(interval, truth);
    plain.Add(t, truth);
    widths.push_back(HalfWidth(interval));
    widths_t.push_back(HalfWidth(t));
  }
  Outcome outcome;
  outcome.missed = decided.missed();
  outcome.missed_t = plain.missed();
  outcome.width = Median(widths);
  outcome.wider = outcome.width / Median(widths_t);
  std::printf("[ RUNS ] %-28s %2d runs: %4.2f %% miss (t %4.2f %%), +- %.3f %%, %.2f times that\n",
              name, runs, 100 * outcome.missed, 100 * outcome.missed_t, 100 * outcome.width,
              outcome.wider);
  return outcome;
}

double Bound(double p) { return MissedBound(kExperiments, p); }

constexpr double kAsLevel = 0.015;  // of intervals at 99 %: within half a percent

TEST(MeanOfRuns, OfWellBehavedRunsCostsATenth) {
  for (const int runs : {6, 8, 12, 18, 40}) {
    const Outcome outcome = Simulated("normal", Independent(White), runs);
    EXPECT_LE(outcome.missed, Bound(kAsLevel));
    EXPECT_LT(outcome.wider, 1.2);
  }
}

TEST(MeanOfRuns, HasTheNarrowerOfTwoIntervalsWhereTailsAreHeavy) {
  for (const int runs : {18, 40}) {
    for (const auto& [name, draw] : {std::pair("t of 3", &HeavyTails), {"Laplace", &Laplace}}) {
      const Outcome outcome = Simulated(name, Independent(draw), runs);
      EXPECT_LE(outcome.missed, Bound(kAsLevel));
      EXPECT_LT(outcome.wider, 1.05);
    }
    const Outcome outcome = Simulated("narrow peak", Independent(NarrowPeak), runs);
    EXPECT_LE(outcome.missed, Bound(kAsLevel));
    EXPECT_LT(outcome.wider, 0.5);
  }
}

TEST(MeanOfRuns, IsNoneOfTheRunsFarOff) {
  for (const int runs : {18, 40}) {
    const Outcome outcome = Simulated("one in twenty 30 % off", Independent(FarOff), runs);
    EXPECT_LE(outcome.missed, Bound(kAsLevel));
    EXPECT_LT(outcome.wider, 0.1);
    EXPECT_LT(outcome.width, 2 * 0.003 * TwoSidedT(1 - kLevel, runs - 1.0) / std::sqrt(runs))
        << "not twice as wide as without them";
  }
}

TEST(MeanOfRuns, IsThatOfAllLayoutsWhereTheyAreSkewed) {
  for (const int runs : {18, 40}) {
    EXPECT_LE(
        Simulated("two modes, 60 : 40", Independent(TwoModes), runs, kModeShare * kMode).missed,
        Bound(0.025));
    EXPECT_LE(Simulated("skewed, 0.42 to 0.88", Independent(Skewed), runs, kMeanOfSkewed).missed,
              Bound(0.02));
    EXPECT_LE(Simulated("one in eight slow", Independent(OneInEight), runs, 3 * kSpread / 8).missed,
              Bound(0.025));
  }
}

TEST(MeanOfRuns, KnowsThatNeighborsAreAlike) {
  for (const int runs : {12, 18, 40}) {
    const Outcome weak = Simulated("correlation of 0.2", Correlated(0.2), runs);
    EXPECT_LE(weak.missed, 0.03);
    const Outcome strong = Simulated("correlation of 0.4", Correlated(0.4), runs);
    EXPECT_LE(strong.missed, 0.05);
    EXPECT_LE(strong.missed, 0.6 * strong.missed_t);
  }
}

// States that outlast the experiment cannot be seen in it, by whatever rule.
TEST(MeanOfRuns, IsThatOfTheStatesThatItSees) {
  EXPECT_LE(Simulated("states of 1 s, in 30 s", StatesOfASecond(1.5), 20).missed, 0.04);
  const Outcome unseen = Simulated("states of 1 s, in 1 s", StatesOfASecond(0.05), 20);
  EXPECT_GT(unseen.missed, 0.1);
  EXPECT_LT(unseen.missed, unseen.missed_t);
}

TEST(MeanOfRuns, TakesAntitheticPairsForOneValue) {
  for (const int runs : {6, 8, 12, 18, 40}) {
    const Outcome exact = Simulated("pairs, correlation of -0.99", Pairs(-0.99), runs);
    EXPECT_LE(exact.missed, Bound(kAsLevel));
    EXPECT_LT(exact.wider, runs < 8 ? 0.35 : 0.2);
    const Outcome partly = Simulated("pairs, correlation of -0.7", Pairs(-0.7), runs);
    EXPECT_LE(partly.missed, Bound(kAsLevel));
    EXPECT_LT(partly.wider, runs < 12 ? 1.1 : 0.9);
    EXPECT_LE(Simulated("pairs, correlation of 0", Pairs(0), runs).missed, Bound(kAsLevel));
    EXPECT_LE(Simulated("pairs, correlation of 0.3", Pairs(0.3), runs).missed, Bound(0.02));
  }
}

}  // namespace
}  // namespace duetbench::stats
