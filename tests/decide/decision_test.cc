#include "duetbench/decide/decision.h"

#include <limits>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Runs that know their log-ratio only.
std::vector<RunValue> Runs(const std::vector<double>& log_ratios) {
  std::vector<RunValue> runs;
  for (const double log_ratio : log_ratios) runs.emplace_back().log_ratio = log_ratio;
  return runs;
}

std::vector<RunValue> EqualRuns(std::size_t count, double log_ratio) {
  return Runs(std::vector<double>(count, log_ratio));
}

// A run of pairs of 100 and `new_time`; every `slow`-th sample of new takes 30 times as long.
RunPairs PairsOf(double new_time, int slow = 1000) {
  RunPairs run;
  for (int i = 0; i < 100; ++i) {
    run.push_back({100 + 0.1 * (i % 7), new_time * (i % slow == slow - 1 ? 30 : 1), i / 5 % 2});
  }
  return run;
}

TEST(Decide, NeedsRuns) {
  EXPECT_FALSE(Decide(DecisionInput(), {}).ok());
  EXPECT_FALSE(Decide({{}, Runs({0, NAN})}, {}).ok());
  ExperimentOptions options;
  options.level = 1;
  EXPECT_FALSE(Decide({{}, EqualRuns(5, 0)}, options).ok());
}

TEST(Decide, NoIntervalIsNarrowerThanTheClockCanTell) {
  const Decision decision = *Decide({{}, EqualRuns(100, 0.01)}, {});
  EXPECT_NEAR(std::log(decision.interval.hi / decision.interval.lo), 2e-4, 1e-12);
}

TEST(Decide, FewRunsSpreadByATenthOfAPercentAtLeast) {
  const Decision few = *Decide({{}, EqualRuns(2, 0.0005)}, {});
  EXPECT_EQ(few.verdict, Verdict::kInconclusive) << "however close together they lie";
  EXPECT_NEAR(few.log_error, 0.001 / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(Decide({{}, EqualRuns(18, 0.0005)}, {})->verdict, Verdict::kEqual);
}

TEST(Decide, PausesOfOneVariantWidenEveryInterval) {
  std::vector<RunValue> runs = EqualRuns(18, 0.02);
  const ExperimentOptions options;
  const Decision exact = *Decide({{}, runs}, options);
  EXPECT_EQ(exact.verdict, Verdict::kSlower);
  for (RunValue& run : runs) run.pause_share[1] = 0.03;
  const Decision doubtful = *Decide({{}, runs}, options);
  EXPECT_EQ(doubtful.verdict, Verdict::kInconclusive);
  EXPECT_NEAR(std::log(exact.interval.lo / doubtful.interval.lo), 0.03, 1e-12);
  EXPECT_NEAR(std::log(doubtful.interval.hi / exact.interval.hi), 0.03, 1e-12);
  for (RunValue& run : runs) run.pause_share[0] = 0.03;
  EXPECT_EQ(Decide({{}, runs}, options)->verdict, Verdict::kSlower) << "both have as many";
}

TEST(Decide, AnEarlyAnalysisHasAWiderInterval) {
  const std::vector<RunValue> runs = Runs({0.02, 0.03, 0.04, 0.03, 0.02});
  const Decision only = *Decide({{}, runs}, {});
  const Decision early = *Decide({{}, runs}, {}, 1.0 / 24);
  EXPECT_LT(early.interval.lo, only.interval.lo);
  EXPECT_EQ(early.interval.level, 0.99);
}

// An address does to one run of a pair what it does to the other one, the other way round.
TEST(Decide, AntitheticPairsOfRunsAreOneValue) {
  std::vector<double> log_ratios;
  for (int layout = 0; layout < 9; ++layout) {
    const double address = layout % 3 == 0 ? 0 : layout % 2 == 0 ? 0.65 : -0.65;
    const double noise = 0.002 * (layout % 4 - 1.5);
    log_ratios.push_back(noise + address);
    log_ratios.push_back(noise - address);
  }
  std::vector<RunValue> runs = Runs(log_ratios);
  const Decision by_runs = *Decide({{}, runs}, {});
  for (std::size_t run = 0; run < runs.size(); ++run) {
    runs[run].layout = static_cast<int>(run / 2);
    runs[run].variance = 1e-6;
  }
  const Decision by_layouts = *Decide({{}, runs}, {});
  EXPECT_EQ(by_layouts.run_log_ratios.size(), 9u);
  EXPECT_EQ(by_layouts.typical_log_ratios.size(), 18u);
  EXPECT_EQ(by_layouts.degrees_of_freedom, 8);
  EXPECT_EQ(by_layouts.verdict, Verdict::kEqual);
  EXPECT_GT(by_runs.log_error, 20 * by_layouts.log_error);
  ASSERT_TRUE(by_layouts.by_address.has_value());
  EXPECT_NEAR(by_layouts.by_address->lo, 0.52, 0.01);
  EXPECT_NEAR(by_layouts.by_address->hi, 1.92, 0.01);
  EXPECT_FALSE(by_runs.by_address.has_value()) << "all are of one layout";
}

TEST(Decide, OneRunInTwentyFarOffIsToldAndHardlyWidensTheInterval) {
  std::vector<RunValue> runs =
      Runs({0.001,  -0.002, 0.003,  0.000, -0.001, 0.002,  -0.003, 0.001, 0.000,  0.002,
            -0.002, 0.003,  -0.001, 0.001, 0.000,  -0.003, 0.002,  0.001, -0.002, 0.000});
  const Decision without = *Decide({{}, runs}, {});
  EXPECT_TRUE(without.far_off.empty());
  runs[7].log_ratio = std::log(1.3);
  const Decision with = *Decide({{}, runs}, {});
  EXPECT_LT(with.log_error, 1.2 * without.log_error);
  ASSERT_EQ(with.far_off.size(), 1u);
  EXPECT_NEAR(with.far_off[0], 1.3, 1e-12);
  runs[3].log_ratio = std::log(1.3);
  EXPECT_TRUE(Decide({{}, runs}, {})->far_off.empty()) << "two of twenty are a mode";
  EXPECT_GT(Decide({{}, runs}, {})->log_error, 8 * without.log_error);
}

TEST(Decide, TheTotalDecidesWhereItDiffersUnlessTheUserSaysOtherwise) {
  std::vector<RunValue> runs;
  for (int r = 0; r < 10; ++r) {
    const RunPairs pairs = PairsOf(100 + 0.01 * r, 10);
    runs.push_back(*ReduceRun(pairs, pairs));
  }
  ExperimentOptions options;
  const Decision by_itself = *Decide({{}, runs}, options);
  EXPECT_TRUE(by_itself.total_decides);
  EXPECT_EQ(by_itself.interval.ratio, by_itself.total->interval.ratio);
  EXPECT_EQ(by_itself.verdict, Verdict::kSlower);
  options.estimand = Estimand::kTypical;
  const Decision typical = *Decide({{}, runs}, options);
  EXPECT_FALSE(typical.total_decides);
  EXPECT_EQ(typical.verdict, Verdict::kEqual);
  EXPECT_TRUE(typical.total.has_value()) << "it is reported all the same";
}

TEST(Decide, ASingleRunHasARatioAndDecidesNothing) {
  const RunPairs pairs = PairsOf(103);
  const Decision decision = *Decide({{}, {*ReduceRun(pairs, pairs)}}, {});
  EXPECT_NEAR(decision.interval.ratio, std::exp(*RunLogRatio(pairs)), 1e-12);
  EXPECT_EQ(decision.interval.lo, 0);
  EXPECT_EQ(decision.interval.hi, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(decision.total.has_value());
  EXPECT_EQ(decision.why, Why::kOneRun);
  EXPECT_EQ(JudgeGate(GateSpec::MaxRatio(0.5), decision).outcome, GateStatus::kInconclusive);
}

// FAIL exactly where p is at most 1 - level.
TEST(JudgeGate, TheIntervalAndThePValueAgree) {
  for (const std::size_t runs : {5, 12, 40}) {
    for (const double share : {1.0, 1.0 / 24}) {
      std::vector<RunValue> values = EqualRuns(runs, 0.05);
      values[0].log_ratio += 0.002;
      const Decision decision = *Decide({{}, values}, {}, share);
      for (double limit = 1.03; limit < 1.06; limit += 0.0003) {
        const GateResult gate = JudgeGate(GateSpec::MaxRatio(limit), decision);
        EXPECT_EQ(gate.outcome == GateStatus::kFail, decision.interval.lo > limit);
        EXPECT_EQ(gate.outcome == GateStatus::kFail, gate.p <= 0.01) << limit;
      }
    }
  }
}

TEST(JudgeGate, FewRunsPassEarlyOnlyWithRoomToSpare) {
  const Decision near = *Decide({{}, EqualRuns(12, 0.04)}, {});
  EXPECT_EQ(JudgeGate(GateSpec::MaxRatio(1.05), near).outcome, GateStatus::kPass);
  EXPECT_FALSE(JudgeGate(GateSpec::MaxRatio(1.05), near).ends_measuring);
  EXPECT_TRUE(JudgeGate(GateSpec::MaxRatio(1.06), near).ends_measuring);
  const Decision many = *Decide({{}, EqualRuns(18, 0.04)}, {});
  EXPECT_TRUE(JudgeGate(GateSpec::MaxRatio(1.05), many).ends_measuring);
}

}  // namespace
}  // namespace duetbench::stats
