#include "tools/duet_stat/planning.h"

#include <cmath>
#include <string>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"
#include "tests/stats/golden_agreement.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::duet_stat {
namespace {

using stats::GoldenJson;
using stats::GoldenRuns;
using stats::MatchesGolden;

Planning PlanOf(const std::vector<stats::RunPairs>& runs, const Options& options) {
  const BenchmarkPairs pairs = PairsOf(runs);
  const double pair_seconds = pairs.measured_ns / static_cast<double>(pairs.timed_pairs) * 1e-9;
  return Plan(runs, pair_seconds, stats::RunLogRatios(runs, options.estimators[0]).value(),
              options);
}

TEST(Planning, ComponentsAreThoseOfKaliberaAndJones) {
  for (const char* name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(std::string(name) + ".json")["results"]["KJ"];
    const Planning planning = PlanOf(GoldenRuns(std::string(name) + ".csv"), Options());
    EXPECT_THAT(*planning.s1_2, MatchesGolden(golden["T1_2"].get<double>()));
    EXPECT_THAT(*planning.t2_2, MatchesGolden(golden["T2_2"].get<double>()));
  }
}

TEST(Planning, DetectableSlowdownFollowsTheLevel) {
  const std::vector<stats::RunPairs> runs = GoldenRuns("duet_r10.csv");
  Options options;
  options.levels = {0.95};
  const Planning planning = PlanOf(runs, options);
  const double spread =
      stats::StandardDeviation(stats::RunLogRatios(runs, stats::Estimator::kTrimmed).value());
  // (t_{.975,9} + t_{.95,9}) / sqrt(10); R: (qt(.975, 9) + qt(.95, 9)) / sqrt(10)
  EXPECT_NEAR(*planning.mds, std::expm1(1.2950368 * spread), 1e-7);
  EXPECT_GT(*planning.mds_upper, 1.4 * *planning.mds);
  options.levels = {0.99};
  EXPECT_GT(*PlanOf(runs, options).mds, *planning.mds);
}

TEST(Planning, BestIterationsWeighTheCosts) {
  std::vector<stats::RunPairs> runs;
  for (int r = 0; r < 10; ++r) {
    const double ratio = std::exp(0.02 * (r - 4.5));
    runs.push_back({{1e6, 1.01e6 * ratio, 0}, {1e6, 0.99e6 * ratio, 0}, {1e6, 1e6 * ratio, 0}});
  }
  Options options;
  options.run_cost = 0.1;
  const Planning cheap = PlanOf(runs, options);
  EXPECT_NEAR(cheap.pair_cost_s, 1e-3, 1e-4);
  options.run_cost = 0.4;
  const Planning expensive = PlanOf(runs, options);
  EXPECT_NEAR(*expensive.best_pairs, 2 * *cheap.best_pairs, 1e-9);
}

TEST(Planning, SaysNothingOfWhatTheDataDoNotTell) {
  const Planning one_run = PlanOf({{{1, 2, 0}, {1, 2.1, 0}}}, Options());
  EXPECT_FALSE(one_run.s1_2.has_value());
  EXPECT_FALSE(one_run.mds.has_value());
  const Planning single_pairs = PlanOf({{{1, 2, 0}}, {{1, 2.1, 0}}}, Options());
  EXPECT_FALSE(single_pairs.s1_2.has_value());
  EXPECT_TRUE(single_pairs.mds.has_value());
  const Planning tiny_times = PlanOf(
      {{{1e-320, 1e-320, 0}, {1e-320, 2e-320, 0}}, {{1e-320, 1e-320, 0}, {1e-320, 3e-320, 0}}},
      Options());
  EXPECT_TRUE(tiny_times.s1_2.has_value());
  EXPECT_FALSE(tiny_times.best_pairs.has_value());
}

TEST(Planning, ResamplesWhenAsked) {
  Options options;
  EXPECT_FALSE(PlanOf(GoldenRuns("duet_r10.csv"), options).resampled.has_value());
  options.mds = true;
  const Planning planning = PlanOf(GoldenRuns("duet_r10.csv"), options);
  ASSERT_TRUE(planning.resampled.has_value());
  EXPECT_GE(planning.resampled->slowdown, *planning.mds / 3);
}

}  // namespace
}  // namespace duetbench::duet_stat
