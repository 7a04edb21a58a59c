// Experiments whose program has another mode in one process of ten, by simulation with fixed seeds:
// the shares of intervals that miss the ratio with and without the least spread of few runs, and
// its cost without such a mode. Prints the figures.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "duetbench/decide/decision.h"
#include "duetbench/decide/interim_analysis.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr int kExperiments = 10'000;
constexpr double kModeShare = 0.1;

struct Setting {
  int runs;
  double share;   // of 1 - level
  double spread;  // of the runs in either mode
  double mode;    // logarithm of what the other mode multiplies the ratio with
};

struct Outcome {
  double missed = 0;  // shares of the intervals
  double missed_without = 0;
  double wider = 0;  // mean width over that without
};

Outcome Simulated(const Setting& setting) {
  const double truth = kModeShare * setting.mode;
  Outcome outcome;
  IntervalTally with;
  IntervalTally without;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(setting.runs));
    Normal normal(random);
    std::vector<RunValue> runs(static_cast<std::size_t>(setting.runs));
    std::vector<double> values;
    for (RunValue& run : runs) {
      const double mode = random.Uniform() < kModeShare ? setting.mode : 0;
      run.log_ratio = setting.spread * normal.Next() + mode;
      values.push_back(run.log_ratio);
    }
    DecisionPolicy policy;
    policy.share = setting.share;
    with.Add(Decide({{}, runs}, policy)->interval, truth);
    without.Add(*AnalysisInterval(values, kLevel, setting.share), truth);
  }
  outcome.missed = with.missed();
  outcome.missed_without = without.missed();
  outcome.wider = with.log_widths / without.log_widths;
  std::printf(
      "[ MODES ] %2d runs, share %.3f, spread %.2f %%, mode %4.1f %%: %4.1f %% miss, %4.1f %% "
      "without the least spread; %.2f times as wide\n",
      setting.runs, setting.share, 100 * setting.spread, 100 * setting.mode, 100 * outcome.missed,
      100 * outcome.missed_without, outcome.wider);
  return outcome;
}

double Bound(double p) { return MissedBound(kExperiments, p); }

TEST(RareModes, ModerateModeIsCoveredByFewRuns) {
  for (const double mode : {0.003, 0.005}) {
    const Outcome ten = Simulated({10, 1, 0.0002, mode});
    EXPECT_GT(ten.missed_without, 0.05);
    EXPECT_LE(ten.missed, Bound(1 - kLevel));
  }
  for (const double mode : {0.01, 0.02, 0.03}) {
    const Outcome first = Simulated({5, AnalysisShare(0), 0.0002, mode});
    EXPECT_GT(first.missed_without, 0.3);
    EXPECT_LE(first.missed, Bound((1 - kLevel) * AnalysisShare(0)));
  }
}

// The limit of the least spread: no statistic of ten runs knows of a large mode that none of them
// was in.
TEST(RareModes, LargeModeIsMissedWhereNoRunWasInIt) {
  const Outcome large = Simulated({10, 1, 0.0005, 0.05});
  EXPECT_NEAR(large.missed, std::pow(1 - kModeShare, 10), 0.02);
  // Few sets of 41 runs see none, though a t interval of skewed values misses more often than it
  // says.
  EXPECT_LT(Simulated({41, 1, 0.0005, 0.05}).missed, 0.1);
}

TEST(RareModes, UnimodalRunsKeepTheirWidth) {
  for (const double spread : {0.0005, 0.001, 0.002, 0.005, 0.02}) {
    for (const int runs : {5, 10, 17, 18, 27}) {
      const Outcome outcome = Simulated({runs, 1, spread, 0});
      EXPECT_LE(outcome.missed, Bound(1 - kLevel));
      if (runs >= 18) {
        EXPECT_EQ(outcome.wider, 1);
      }
      if (spread >= 0.005) {
        EXPECT_LT(outcome.wider, 1.05);
      }
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
