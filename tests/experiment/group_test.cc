#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "duetbench/platform/random.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

const std::vector<std::string> kNames = {"map", "btree", "flat"};

// Runs of three variants with these mean times; those of a run vary by 0.1 %.
RunLauncher Times(std::vector<double> times) {
  return [times = std::move(times)](const RunPlan& plan) -> absl::StatusOr<RunOfPairs> {
    stats::Random random(7, plan.run);
    std::vector<double> of_run;
    for (const double time : times) of_run.push_back(time * (1 + 0.002 * random.Uniform()));
    std::vector<RunResult> results;
    for (const VariantPair& pair : PairsOfGroup(static_cast<int>(times.size()))) {
      RunResult& result = results.emplace_back();
      result.batch = kBatch;
      result.sample_ns = kSampleNs;
      for (uint32_t i = 0; plan.budget_ns > 0 && i < 20; ++i) {
        result.pairs.push_back(PairOf(of_run[static_cast<size_t>(pair.old_variant)],
                                      of_run[static_cast<size_t>(pair.new_variant)], i));
      }
    }
    results.front().process_ns = 3e6;
    return results;
  };
}

ExperimentOptions OptionsOfGroup() {
  ExperimentOptions options;
  options.variants = 3;
  options.runs = 20;
  options.schedule = Schedule::kAlternating;
  return options;
}

std::vector<Comparison> Finish(const RunLauncher& launch, const std::vector<Question>& questions) {
  const Machine machine = TwoCpus();
  Experiment experiment(OptionsOfGroup(), machine, {questions, kNames});
  LaunchAll(launch, NoProgress, &experiment);
  return experiment.Finish();
}

std::vector<Question> WithBase() { return {{{0, 1}, {}}, {{0, 2}, {}}}; }

TEST(GroupExperiment, ComparesEachVariantWithTheBase) {
  const std::vector<Comparison> comparisons = Finish(Times({100, 180, 90}), WithBase());
  ASSERT_EQ(comparisons.size(), 2u);
  ASSERT_TRUE(comparisons[0].has_ratio());
  ASSERT_TRUE(comparisons[1].has_ratio());
  EXPECT_NEAR(comparisons[0].interval.ratio, 1.8, 0.005);
  EXPECT_NEAR(comparisons[1].interval.ratio, 0.9, 0.005);
  EXPECT_EQ(comparisons[0].runs, 20);
  EXPECT_EQ(comparisons[0].verdict, stats::Verdict::kSlower);
  EXPECT_EQ(comparisons[1].verdict, stats::Verdict::kFaster);
}

TEST(GroupExperiment, TheIntervalsHoldTogether) {
  const std::vector<Comparison> comparisons = Finish(Times({100, 180, 90}), WithBase());
  const double share = comparisons[0].share;
  EXPECT_EQ(share, 0.5);
  EXPECT_EQ(comparisons[1].share, share);
  EXPECT_EQ(comparisons[1].interval.level, 0.99);
}

TEST(GroupExperiment, TheLastDuetWithTheBaseHasTheRanking) {
  std::vector<Question> rows = WithBase();
  rows.push_back({{1, 2}, {}});
  const std::vector<Comparison> comparisons = Finish(Times({100, 180, 90}), rows);
  EXPECT_FALSE(comparisons[0].ranking.has_value());
  EXPECT_FALSE(comparisons[2].ranking.has_value());
  ASSERT_TRUE(comparisons[1].ranking.has_value());
  const Ranking& ranking = *comparisons[1].ranking;
  EXPECT_EQ(ranking.fastest, "flat");
  ASSERT_EQ(ranking.others.size(), 2u);
  EXPECT_EQ(ranking.others[0].name, "map");
  EXPECT_NEAR(ranking.others[0].of_fastest.ratio, 1 / 0.9, 0.01);
  EXPECT_FALSE(ranking.others[0].ties());
  EXPECT_EQ(ranking.others[1].name, "btree");
  EXPECT_NEAR(ranking.others[1].of_fastest.ratio, 2, 0.01);
}

TEST(GroupExperiment, VariantsThatAreAlikeTie) {
  const std::vector<Comparison> comparisons = Finish(Times({100, 180, 100}), WithBase());
  ASSERT_TRUE(comparisons[1].ranking.has_value());
  const Ranking& ranking = *comparisons[1].ranking;
  EXPECT_TRUE(ranking.others[0].ties());
  EXPECT_LT(ranking.others[0].of_fastest.hi, 1.01);
  EXPECT_FALSE(ranking.others[1].ties());
}

TEST(GroupExperiment, ARatioThatDecidesNothingLeavesTheFastestUnknown) {
  const auto with_pauses = [](const RunPlan& plan) {
    absl::StatusOr<RunOfPairs> launched = Times({100, 180, 90})(plan);
    (*launched)[2].pause_share[1] = 5;
    return launched;
  };
  const std::vector<Comparison> comparisons = Finish(with_pauses, WithBase());
  ASSERT_TRUE(comparisons[1].ranking.has_value());
  EXPECT_EQ(comparisons[1].ranking->unknown, "the ratio of flat to btree decides nothing");
}

TEST(GroupExperiment, EachDuetHasItsGate) {
  std::vector<Question> rows = WithBase();
  rows[0].gates = {GateSpec::MaxRatio(1.5)};
  rows[1].gates = {GateSpec::MaxRatio(1.5)};
  rows.push_back({{1, 2}, {}});
  rows[2].gates = {GateSpec::MinRatio(0.6)};
  const std::vector<Comparison> comparisons = Finish(Times({100, 180, 90}), rows);
  EXPECT_EQ(comparisons[0].gates[0].outcome, GateStatus::kFail);
  EXPECT_EQ(comparisons[1].gates[0].outcome, GateStatus::kPass);
  EXPECT_EQ(comparisons[2].gates[0].outcome, GateStatus::kFail);
}

TEST(GroupExperiment, AnErrorIsOneOfEachDuet) {
  const auto failing = [](const RunPlan&) -> absl::StatusOr<RunOfPairs> {
    RunOfPairs launched(1);
    launched.resize(3);
    launched.front().error = {1, "threw"};
    return launched;
  };
  const std::vector<Comparison> comparisons = Finish(failing, WithBase());
  ASSERT_EQ(comparisons.size(), 2u);
  for (const Comparison& comparison : comparisons) {
    ASSERT_TRUE(comparison.has_failed());
    EXPECT_EQ(comparison.failure.error.variant, -1);
    EXPECT_EQ(comparison.failure.error.cause, "btree threw");
  }
  EXPECT_FALSE(comparisons[1].ranking.has_value());
}

}  // namespace
}  // namespace duetbench
