// Coverage of the ratio of totals, and how often a rare slow path goes unseen or is seen without
// being there, by simulation with fixed seeds. Prints the figures.

#include "duetbench/decide/total_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "duetbench/decide/interim_analysis.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/verdict.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr double kMargin = 0.01;

// Experiments as a program makes them: each run measures pairs of samples of `calls` calls until
// its time is over. Times in microseconds.
struct World {
  const char* name;
  int runs = 40;
  double run_time = 25'000;
  double call[2] = {0.0685, 0.0685};
  double calls = 730;
  double slow_share = 0;   // of the calls of new
  double slow_factor = 1;  // takes `slow_factor` times as long
  double noise = 0.01;     // of a sample
  double run_noise = 0.002;
  // Interference on either CPU for itself: its rate per millisecond, exponential.
  double hits_per_ms = 0.02;
  double hit = 20;
  double long_hits_per_ms = 0;
  double long_hit = 2000;

  double Truth() const { return call[1] / call[0] * (1 + slow_share * (slow_factor - 1)); }
};

double Exponential(double mean, Random& random) { return -mean * std::log1p(-random.Uniform()); }

// Poisson numbers of small means.
int Poisson(double mean, Random& random) {
  int count = 0;
  for (double left = mean - Exponential(1, random); left > 0; left -= Exponential(1, random)) {
    ++count;
  }
  return count;
}

double Interference(const World& world, double time, Random& random) {
  double sum = 0;
  for (int i = Poisson(world.hits_per_ms * time / 1000, random); i > 0; --i) {
    sum += Exponential(world.hit, random);
  }
  for (int i = Poisson(world.long_hits_per_ms * time / 1000, random); i > 0; --i) {
    sum += Exponential(world.long_hit, random);
  }
  return sum;
}

RunPairs SimulatedRunOf(const World& world, Random& random) {
  Normal normal(random);
  const double run_effect[2] = {world.run_noise * normal.Next(), world.run_noise * normal.Next()};
  RunPairs run;
  double spent = 0;
  int assignment = static_cast<int>(random.Below(2));
  while (spent < world.run_time || run.size() < 4) {
    double times[2];
    for (int v = 0; v < 2; ++v) {
      double units = world.calls;
      if (v == 1 && world.slow_share > 0) {
        const int slow = world.calls == 1 ? (random.Uniform() < world.slow_share ? 1 : 0)
                                          : Poisson(world.calls * world.slow_share, random);
        units += slow * (world.slow_factor - 1);
      }
      times[v] = units * world.call[v] * std::exp(run_effect[v] + world.noise * normal.Next());
      times[v] += Interference(world, times[v], random);
    }
    spent += std::max(times[0], times[1]);
    run.push_back({times[0], times[1], assignment});
    if (random.Below(2) == 0) assignment ^= 1;
  }
  return run;
}

struct Outcomes {
  int experiments = 0;
  int covered = 0;        // by the interval of the totals
  int decided = 0;        // by the totals
  int equal = 0;          // the verdict
  int equal_typical = 0;  // would have been EQUAL
  int wrong = 0;          // the deciding interval excludes the truth
  std::vector<double> widths;
};

Outcomes Simulated(const World& world, int experiments, double share = 1) {
  Outcomes outcomes;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), 77);
    std::vector<RunTotals> runs;
    std::vector<double> typical;
    for (int r = 0; r < world.runs; ++r) {
      const RunPairs run = SimulatedRunOf(world, random);
      runs.push_back(TotalsOf(run));
      typical.push_back(RunLogRatio(run, Estimator::kTrimmed).value());
    }
    TotalInput input{runs, typical, {world.calls, world.calls}, 0.002};
    const TotalRatio total = ComputeTotalRatio(input, kLevel, share).value();
    const RatioInterval trimmed = AnalysisInterval(typical, kLevel, share).value();
    const RatioInterval& deciding = total.differs ? total.interval : trimmed;
    ++outcomes.experiments;
    const auto holds = [&](const RatioInterval& i) {
      return i.lo <= world.Truth() && world.Truth() <= i.hi;
    };
    if (holds(total.interval)) ++outcomes.covered;
    if (!holds(deciding)) ++outcomes.wrong;
    if (total.differs) ++outcomes.decided;
    if (Decide(deciding, kMargin) == Verdict::kEqual) ++outcomes.equal;
    if (Decide(trimmed, kMargin) == Verdict::kEqual) ++outcomes.equal_typical;
    outcomes.widths.push_back(std::log(total.interval.hi / total.interval.lo));
  }
  std::printf(
      "[ TOTAL ] %-28s of %d: covered %d, totals decide %d, EQUAL %d (typical %d), deciding "
      "interval wrong %d, median width %.3f\n",
      world.name, outcomes.experiments, outcomes.covered, outcomes.decided, outcomes.equal,
      outcomes.equal_typical, outcomes.wrong, Median(outcomes.widths));
  return outcomes;
}

void ExpectSeen(const World& world, int experiments = 200, double missed = 0.02) {
  const Outcomes outcomes = Simulated(world, experiments);
  EXPECT_LE(experiments - outcomes.covered, MostOf(experiments, missed));
  EXPECT_EQ(outcomes.equal, 0);
}

void ExpectNoReason(const World& world, int experiments = 300) {
  const Outcomes outcomes = Simulated(world, experiments);
  EXPECT_LE(experiments - outcomes.covered, MostOf(experiments, 0.02));
  EXPECT_LE(outcomes.decided, MostOf(experiments, kTailAlpha));
  EXPECT_LE(outcomes.equal_typical - outcomes.equal, MostOf(experiments, kTailAlpha));
}

TEST(TotalRatio, OneCallInTenThousand) {
  World world{"1 in 10^4"};
  world.slow_share = 1e-4;
  world.slow_factor = 1e4;
  ExpectSeen(world);
  world.name = "1 in 10^4, 5 runs";
  world.runs = 5;
  ExpectSeen(world);
}

TEST(TotalRatio, OneCallInAThousand) {
  World world{"1 in 10^3"};
  world.slow_share = 1e-3;
  world.slow_factor = 1e3;
  ExpectSeen(world);
}

TEST(TotalRatio, OneSingleCallInTwelve) {
  World world{"8 % of single calls"};
  world.calls = 1;
  world.call[0] = world.call[1] = 50;
  world.slow_share = 0.08;
  world.slow_factor = 10;
  ExpectSeen(world);
}

// About ten slow calls in all: often too few to be told from interference.
TEST(TotalRatio, OneCallInAMillion) {
  World world{"1 in 10^6"};
  world.slow_share = 1e-6;
  world.slow_factor = 1e6;
  const Outcomes outcomes = Simulated(world, 100);
  EXPECT_LE(100 - outcomes.covered, MostOf(100, 0.05));
  EXPECT_GE(outcomes.decided, 40);
}

TEST(TotalRatio, InterferenceIsNoReason) {
  World world{"A/A"};
  ExpectNoReason(world);
  world.name = "A/A, 5 runs";
  world.runs = 5;
  ExpectNoReason(world);
  world.name = "A/A, 10 runs, long hits";
  world.runs = 10;
  world.long_hits_per_ms = 0.01;
  ExpectNoReason(world);
  world.name = "A/A, 40 runs, long hits";
  world.runs = 40;
  ExpectNoReason(world);
  world.name = "unequal, long hits";
  world.call[1] = 0.02;
  ExpectNoReason(world);
}

}  // namespace
}  // namespace duetbench::stats
