#include "tools/duet_stat/analysis.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

using stats::SyntheticRuns;
using stats::Verdict;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

BenchmarkResult Analyze(const SyntheticRuns& model, const Options& options = {}) {
  return Analyze(PairsOf(model.Make(1)), options);
}

BenchmarkResult Analyze(BenchmarkPairs benchmark) { return Analyze(std::move(benchmark), {}); }

const stats::RatioInterval& First(const BenchmarkResult& result) {
  return result.intervals.front().interval.value();
}

TEST(Analyze, GivesTheVerdictOfTheFirstInterval) {
  SyntheticRuns model;
  EXPECT_EQ(Analyze(model).decision.verdict, Verdict::kEqual);
  model.new_slower = 0.1;
  const BenchmarkResult slower = Analyze(model);
  EXPECT_EQ(slower.decision.verdict, Verdict::kSlower);
  EXPECT_EQ(slower.error, "");
  ASSERT_EQ(slower.intervals.size(), 1u);
  EXPECT_EQ(slower.intervals[0].kind, stats::IntervalKind::kRobust);
  EXPECT_EQ(slower.runs, 10u);
  EXPECT_EQ(slower.pairs, 1000u);
  EXPECT_THAT(First(slower).ratio, DoubleNear(std::exp(0.1), 0.005));
  model.new_slower = -0.1;
  EXPECT_EQ(Analyze(model).decision.verdict, Verdict::kFaster);
}

TEST(Analyze, ComputesEveryKindAskedFor) {
  Options options;
  options.kinds = {stats::IntervalKind::kT, stats::IntervalKind::kPercentile};
  options.level = 0.95;
  options.estimator = stats::Estimator::kGeomean;
  options.resampling.replicates = 200;
  const BenchmarkResult result = Analyze(SyntheticRuns(), options);
  ASSERT_EQ(result.intervals.size(), 2u);
  for (const IntervalResult& interval : result.intervals) {
    ASSERT_TRUE(interval.interval.ok());
    EXPECT_EQ(interval.interval->kind, interval.kind);
    EXPECT_EQ(interval.interval->level, 0.95);
    EXPECT_EQ(interval.interval->ratio, std::exp(stats::Mean(result.run_log_ratios)));
  }
}

TEST(Analyze, ASingleRunHasNoInterval) {
  SyntheticRuns model;
  model.runs = 1;
  const BenchmarkResult result = Analyze(model);
  ASSERT_EQ(result.intervals.size(), 1u);
  EXPECT_EQ(result.intervals[0].interval->lo, 0);
  EXPECT_EQ(result.intervals[0].verdict, stats::Verdict::kInconclusive);

  Options options;
  options.kinds = {stats::IntervalKind::kT};
  EXPECT_THAT(Analyze(model, options).error, HasSubstr("at least 2 runs"));
}

TEST(Analyze, ShufflingTakesThePairingAway) {
  SyntheticRuns model;
  model.common = 0.2;
  const auto width = [](const BenchmarkResult& result) {
    const stats::RatioInterval& interval = First(result);
    return std::log(interval.hi / interval.lo);
  };
  const BenchmarkResult paired = Analyze(model);
  Options options;
  options.shuffle = true;
  const BenchmarkResult shuffled = Analyze(model, options);
  EXPECT_GT(width(shuffled), 3 * width(paired));
}

TEST(Analyze, SaysWhatWasPlanted) {
  SyntheticRuns tails;
  tails.slow_share = 0.05;
  tails.slow_size = 0.7;
  SyntheticRuns clusters;
  clusters.shifted_runs = 3;
  clusters.shift = 0.1;
  SyntheticRuns drift;
  drift.run_drift = 0.1;
  const std::pair<SyntheticRuns, const char*> kPlanted[] = {
      {tails, "long samples are a larger part of the time of new"},
      {clusters, "runs fall into two clusters (3 of 10 are"},
      {drift, "the ratio drifts over the runs"}};
  for (const auto& [model, sentence] : kPlanted) {
    EXPECT_THAT(Analyze(model).sentences, Contains(HasSubstr(sentence)));
  }
}

TEST(Analyze, WinsorizesBeforeAnythingElse) {
  std::vector<stats::RunPairs> runs(3, stats::RunPairs{{1, 1, 0}, {1, 1.01, 0}, {1, 1.02, 0}});
  for (stats::RunPairs& run : runs) run.push_back({1, 5, 0});
  Options options;
  options.estimator = stats::Estimator::kGeomean;
  const double raw = First(Analyze(PairsOf(runs), options)).ratio;
  options.winsorize = true;
  const double winsorized = First(Analyze(PairsOf(runs), options)).ratio;
  EXPECT_NEAR(raw, std::pow(1.01 * 1.02 * 5, 0.25), 1e-12);
  EXPECT_NEAR(winsorized, std::pow(1.01 * 1.02 * 1.02, 0.25), 1e-12);
}

TEST(Analyze, TheHierarchyHasMachinesWhereTheyAreMarked) {
  // Machines differ, runs on one do not.
  BenchmarkPairs benchmark = PairsOf({});
  for (int machine = 0; machine < 3; ++machine) {
    for (int run = 0; run < 10; ++run) {
      const double ratio = 1 + 0.1 * machine;
      benchmark.runs.push_back({{1, ratio, 0}, {1, ratio * 1.001, 0}});
      benchmark.origins.push_back({0, run, machine, 2, 0, {}});
    }
  }
  Options options;
  options.kinds = {stats::IntervalKind::kHierarchical};
  const BenchmarkResult by_machine = Analyze(benchmark, options);
  EXPECT_EQ(by_machine.machines, 3u);
  EXPECT_THAT(by_machine.notices, IsEmpty());
  for (RunOrigin& origin : benchmark.origins) origin.machine = 0;
  const BenchmarkResult one_machine = Analyze(benchmark, options);
  EXPECT_EQ(one_machine.machines, 1u);
  EXPECT_GT(First(by_machine).hi, First(one_machine).hi + 0.03);
}

// Four layouts that differ by 5 %, with five runs each that differ by 0.1 %.
BenchmarkPairs PairsOfLayouts() {
  BenchmarkPairs benchmark = PairsOf({});
  for (int run = 0; run < 20; ++run) {
    const double ratio = (1 + 0.05 * (run % 4)) * (1 + 0.0005 * (run / 4));
    benchmark.runs.push_back({{1, ratio, 0}, {1, ratio * 1.001, 0}});
    benchmark.origins.push_back({0, run, 0, 2, 0, {}, run % 4});
  }
  return benchmark;
}

TEST(Analyze, RunsOfALayoutAreNotIndependent) {
  BenchmarkPairs benchmark = PairsOfLayouts();
  const BenchmarkResult layouts = Analyze(benchmark);
  EXPECT_EQ(layouts.layouts, 4u);
  EXPECT_EQ(layouts.runs, 20u);
  EXPECT_EQ(layouts.decision.verdict, Verdict::kInconclusive);
  // The t interval of four values that are the means of their layouts.
  stats::IntervalOptions t;
  t.kind = stats::IntervalKind::kT;
  t.level = First(layouts).level;
  std::vector<double> means(4, 0.0);
  for (size_t run = 0; run < 20; ++run) means[run % 4] += layouts.run_log_ratios[run] / 5;
  const auto expected = stats::IntervalOfRuns(means, t);
  ASSERT_TRUE(expected.ok());
  EXPECT_NEAR(First(layouts).lo, expected->lo, 1e-12);
  EXPECT_NEAR(First(layouts).hi, expected->hi, 1e-12);

  for (RunOrigin& origin : benchmark.origins) origin.layout = 0;
  const BenchmarkResult one = Analyze(benchmark);
  EXPECT_EQ(one.layouts, 1u);
  EXPECT_EQ(one.decision.verdict, Verdict::kSlower);
  EXPECT_LT(First(one).hi, First(layouts).hi);
}

TEST(Analyze, LayoutsAreALevelOfTheHierarchicalInterval) {
  BenchmarkPairs benchmark = PairsOfLayouts();
  Options options;
  options.kinds = {stats::IntervalKind::kHierarchical};
  const BenchmarkResult layouts = Analyze(benchmark, options);
  for (RunOrigin& origin : benchmark.origins) origin.layout = 0;
  const BenchmarkResult one = Analyze(benchmark, options);
  EXPECT_GT(First(layouts).hi, First(one).hi + 0.01);
}

TEST(Analyze, WarnsWhereMachinesAreNotTakenIntoAccount) {
  BenchmarkPairs benchmark = PairsOf(SyntheticRuns().Make(1));
  benchmark.origins[0].machine = 1;
  EXPECT_THAT(Analyze(benchmark).notices, Contains(HasSubstr("only --ci=hier takes into account")));
}

TEST(Analyze, CountsWhatIsLeftOut) {
  BenchmarkPairs benchmark = PairsOf(SyntheticRuns().Make(1));
  benchmark.origins[2].disturbed = {{5, {1, 9, 0}}};
  benchmark.origins[3].without_time = 2;
  benchmark.runs.emplace_back();
  benchmark.origins.push_back({0, 10, 0, 99, 1, {}});
  const BenchmarkResult result = Analyze(benchmark);
  EXPECT_EQ(result.runs, 10u);
  EXPECT_EQ(result.pairs, 1000u);
  EXPECT_EQ(result.dropped, 4u);
  EXPECT_THAT(result.notices, ElementsAre("1 runs without an undisturbed pair are left out"));
}

TEST(Analyze, SaysWhenNothingCanBeUsed) {
  BenchmarkPairs benchmark = PairsOf(std::vector<stats::RunPairs>(2));
  benchmark.origins[0].without_time = 7;
  const BenchmarkResult result = Analyze(benchmark);
  EXPECT_THAT(result.error, HasSubstr("no pair can be used: all 7"));
  EXPECT_EQ(result.decision.verdict, Verdict::kInconclusive);
}

TEST(Analyze, RulesOfTimesSeeThemAsMeasured) {
  std::vector<stats::RunPairs> runs(4, stats::RunPairs{{1, 1, 0}, {1, 1.01, 0}, {1, 1.02, 0}});
  for (stats::RunPairs& run : runs) run.push_back({1, 5, 0});
  Options options;
  options.rules = {stats::Rule::kWelch};
  const double raw = *Analyze(PairsOf(runs), options).rules[0].decision->effect;
  options.winsorize = true;
  EXPECT_EQ(*Analyze(PairsOf(runs), options).rules[0].decision->effect, raw);
}

}  // namespace
}  // namespace duetbench::duet_stat
