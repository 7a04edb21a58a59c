#include <cmath>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/decide/interval.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/record/measuring_policy.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

// --- One analysis ---

// The result of runs with these log-ratios.
Comparison ResultOf(const std::vector<double>& log_ratios, double share = 1) {
  std::vector<RunResult> runs;
  for (const double log_ratio : log_ratios) {
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
  }
  return Summarize(runs, ExperimentOptions(), 1, share);
}

TEST(JudgeGate, ByTheIntervalOfTheAnalysis) {
  const std::vector<double> log_ratios = {0.059, 0.06, 0.061, 0.0605, 0.0595};
  const GateResult once = JudgeGate(GateSpec::MaxRatio(1.05), ResultOf(log_ratios));
  EXPECT_EQ(once.outcome, GateStatus::kFail);
  EXPECT_EQ(once.spec.value, 1.05);
  EXPECT_GT(once.p, 0);
  EXPECT_LT(once.p, 1e-3);
  const GateResult third = JudgeGate(GateSpec::MaxRatio(1.05), ResultOf(log_ratios, 0.25));
  EXPECT_NEAR(third.p, 4 * once.p, 1e-12);
}

// --- Runs until the gate is decided ---

// With the schedule duet, unless another one is demanded.
Comparison Compare(FakeLauncher& launcher, ExperimentOptions options) {
  if (!options.schedule.has_value()) options.schedule = Schedule::kDuet;
  return RunExperiment(options, TwoCpus(), launcher.Launcher());
}

TEST(GatedExperiment, WithoutAGateItIsAnExperiment) {
  FakeLauncher launcher;
  const Comparison comparison = Compare(launcher, ExperimentOptions());
  EXPECT_TRUE(comparison.gates.empty());
  EXPECT_EQ(comparison.runs, kMeasuringPolicy.max_runs);
}

TEST(GatedExperiment, AFailureIsNotJudged) {
  FakeLauncher launcher;
  launcher.unavailable_from = 3;
  ExperimentOptions options;
  options.gates = {GateSpec::MaxRatio(1.05)};
  const Comparison comparison = Compare(launcher, options);
  EXPECT_TRUE(comparison.has_failed());
}

ExperimentOptions Gated(const GateSpec& spec) {
  ExperimentOptions options;
  options.gates = {spec};
  return options;
}

TEST(GatedExperiment, AClearGateEndsAtTheFirstAnalysis) {
  for (const double log_ratio : {0.0, 0.3}) {
    FakeLauncher launcher = WithLogRatios({log_ratio, log_ratio + 1e-5});
    const Comparison comparison = Compare(launcher, Gated(GateSpec::MaxRatio(1.05)));
    EXPECT_EQ(comparison.gates[0].outcome, log_ratio == 0 ? GateStatus::kPass : GateStatus::kFail);
    EXPECT_EQ(comparison.runs, 6);
    EXPECT_EQ(comparison.runs_planned, 6);
    EXPECT_EQ(launcher.plans.size(), 7u) << "with the pilot";
    EXPECT_EQ(comparison.analyses, 1);
    EXPECT_DOUBLE_EQ(comparison.share, stats::AnalysisShare(0));
    EXPECT_FALSE(comparison.time_spent);
    EXPECT_NEAR(comparison.wall_s, 7 * 3e-3, 1e-9);
    FakeLauncher without_gate;
    Compare(without_gate, ExperimentOptions());
    EXPECT_EQ(launcher.plans.back().budget_ns, without_gate.plans.back().budget_ns)
        << "as long as runs without a gate";
  }
}

TEST(GatedExperiment, AGateThatIsNotDecidedMeasuresOnUntilItIs) {
  FakeLauncher launcher = WithLogRatios({0.03, 0.05});  // 4 % +- 1 %
  const Comparison comparison = Compare(launcher, Gated(GateSpec::MaxRatio(1.05)));
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kPass);
  EXPECT_GT(comparison.analyses, 1);
  EXPECT_EQ(comparison.runs, stats::AnalysisRuns(comparison.analyses - 1));
  EXPECT_LT(comparison.runs, 100);
}

TEST(GatedExperiment, AFailIsMeasuredOnUntilItWouldStandInALargeSuite) {
  FakeLauncher launcher = WithLogRatios({0.055, 0.075});
  const Comparison comparison = Compare(launcher, Gated(GateSpec::MaxRatio(1.05)));
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kFail);
  EXPECT_LE(comparison.gates[0].p, 1e-5);
  const std::vector<RunResult> one_analysis_less(
      comparison.results.begin(),
      comparison.results.begin() + stats::AnalysisRuns(comparison.analyses - 2));
  const double share = stats::AnalysisShare(comparison.analyses - 2);
  const Comparison earlier = Summarize(one_analysis_less, ExperimentOptions(), 0.5, share);
  const GateResult gate = JudgeGate(GateSpec::MaxRatio(1.05), earlier);
  EXPECT_EQ(gate.outcome, GateStatus::kFail) << "it would have ended there";
  EXPECT_GT(gate.p, 1e-5);
}

TEST(GatedExperiment, AGateIsGivenUpWhenItsTimeIsSpent) {
  FakeLauncher launcher = WithLogRatios({0.0388, 0.0588});  // 5 %, at the limit
  launcher.wall_ns = 25e6;
  ExperimentOptions options = Gated(GateSpec::MaxRatio(1.05));
  options.max_time = 2;
  const Comparison comparison = Compare(launcher, options);
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kInconclusive);
  EXPECT_TRUE(comparison.time_spent);
  EXPECT_EQ(comparison.runs, 79) << "and a pilot";
  EXPECT_DOUBLE_EQ(comparison.share, stats::kFinalAnalysisShare);
  EXPECT_EQ(comparison.analyses, 8) << "at 6, 8, 12, 18, 28, 42 and 62 runs, and the final one";
}

TEST(GatedExperiment, TheFirstAnalysisIsAtSixRunsWhateverTheyTake) {
  FakeLauncher launcher = WithLogRatios({0.0, 0.1});
  launcher.wall_ns = 60e9;
  const Comparison comparison = Compare(launcher, Gated(GateSpec::MaxRatio(1.05)));
  EXPECT_EQ(comparison.runs, 6);
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kInconclusive);
  EXPECT_TRUE(comparison.time_spent);
}

TEST(GatedExperiment, AGivenNumberOfRunsIsAnalyzedOnce) {
  FakeLauncher launcher = WithLogRatios({0.0, 1e-5});
  ExperimentOptions options = Gated(GateSpec::MaxRatio(1.05));
  options.runs = 12;
  const Comparison comparison = Compare(launcher, options);
  EXPECT_EQ(comparison.runs, 12);
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kPass);
  EXPECT_EQ(comparison.analyses, 1);
  EXPECT_EQ(comparison.share, 1);
}

TEST(GatedExperiment, AnInterruptedGateIsJudgedByTheFinalAnalysis) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) {
    launched->front().interrupted = call > 7;
  };
  const Comparison comparison = Compare(launcher, Gated(GateSpec::MaxRatio(1.0501)));
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_EQ(comparison.runs, 7);
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kInconclusive);
  EXPECT_EQ(comparison.analyses, 2);
  EXPECT_FALSE(comparison.time_spent);
}

}  // namespace
}  // namespace duetbench
