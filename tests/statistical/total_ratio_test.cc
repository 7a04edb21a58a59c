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
#include "tests/statistical/normal.h"

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

Outcomes Simulated(const World& world, int experiments) {
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
    const TotalRatio total = ComputeTotalRatio(input, kLevel).value();
    const RatioInterval trimmed = AnalysisInterval(typical, kLevel, 1).value();
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

TEST(TotalRatio, ARareSlowPathIsSeen) {
  const struct {
    const char* name;
    int runs;
    double calls;  // of a sample
    double slow_share;
    double slow_factor;
    int experiments;
    double missed;  // the share, at most
    int decided;    // at least
  } kPaths[] = {
      {"1 in 10^4", 40, 730, 1e-4, 1e4, 200, 0.02, 0},
      {"1 in 10^4, 5 runs", 5, 730, 1e-4, 1e4, 200, 0.02, 0},
      {"1 in 10^3", 40, 730, 1e-3, 1e3, 200, 0.02, 0},
      {"8 % of single calls", 40, 1, 0.08, 10, 200, 0.02, 0},
      // About ten slow calls in all: often too few to be told from interference.
      {"1 in 10^6", 40, 730, 1e-6, 1e6, 100, 0.05, 40},
  };
  for (const auto& path : kPaths) {
    World world{path.name, path.runs};
    world.calls = path.calls;
    if (path.calls == 1) world.call[0] = world.call[1] = 50;
    world.slow_share = path.slow_share;
    world.slow_factor = path.slow_factor;
    const Outcomes outcomes = Simulated(world, path.experiments);
    EXPECT_LE(path.experiments - outcomes.covered, MostOf(path.experiments, path.missed));
    EXPECT_GE(outcomes.decided, path.decided);
    if (path.decided == 0) {
      EXPECT_EQ(outcomes.equal, 0) << path.name;
    }
  }
}

TEST(TotalRatio, InterferenceIsNoReason) {
  const struct {
    const char* name;
    int runs;
    double long_hits_per_ms;
    double new_call;
  } kWorlds[] = {
      {"A/A", 40, 0, 0.0685},
      {"A/A, 5 runs", 5, 0, 0.0685},
      {"A/A, 10 runs, long hits", 10, 0.01, 0.0685},
      {"A/A, 40 runs, long hits", 40, 0.01, 0.0685},
      {"unequal, long hits", 40, 0.01, 0.02},
  };
  constexpr int kExperiments = 300;
  for (const auto& named : kWorlds) {
    World world{named.name, named.runs};
    world.long_hits_per_ms = named.long_hits_per_ms;
    world.call[1] = named.new_call;
    const Outcomes outcomes = Simulated(world, kExperiments);
    EXPECT_LE(kExperiments - outcomes.covered, MostOf(kExperiments, 0.02));
    EXPECT_LE(outcomes.decided, MostOf(kExperiments, kTailAlpha));
    EXPECT_LE(outcomes.equal_typical - outcomes.equal, MostOf(kExperiments, kTailAlpha));
  }
}

}  // namespace
}  // namespace duetbench::stats
