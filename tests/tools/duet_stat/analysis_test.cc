#include "tools/duet_stat/analysis.h"

#include <cmath>
#include <utility>

#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

using stats::SyntheticRuns;
using ::testing::Contains;
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
    EXPECT_EQ(interval.interval->level, 0.95);
    EXPECT_EQ(interval.interval->ratio, std::exp(stats::Mean(result.run_log_ratios)));
  }
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

TEST(Analyze, TheHierarchyHasMachinesAndLayoutsWhereTheyAreMarked) {
  // Runs on one machine, or of one layout, do not differ.
  for (const bool has_machines : {true, false}) {
    BenchmarkPairs benchmark = PairsOf({});
    for (int run = 0; run < 30; ++run) {
      const int group = run / 10;
      const double ratio = 1 + 0.1 * group;
      benchmark.runs.push_back({{1, ratio, 0}, {1, ratio * 1.001, 0}});
      benchmark.origins.push_back({0, run, has_machines ? group : 0, 2, 0, {}});
      benchmark.origins.back().layout = has_machines ? 0 : group;
    }
    Options options;
    options.kinds = {stats::IntervalKind::kHierarchical};
    const BenchmarkResult by_group = Analyze(benchmark, options);
    EXPECT_EQ(has_machines ? by_group.machines : by_group.layouts, 3u);
    EXPECT_THAT(by_group.notices, IsEmpty());
    EXPECT_THAT(by_group.intervals[0].warning, HasSubstr("with 3 it is too narrow"));
    for (RunOrigin& origin : benchmark.origins) origin.machine = origin.layout = 0;
    const BenchmarkResult one_group = Analyze(benchmark, options);
    EXPECT_EQ(has_machines ? one_group.machines : one_group.layouts, 1u);
    EXPECT_GT(First(by_group).hi, First(one_group).hi + 0.03);
  }
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
