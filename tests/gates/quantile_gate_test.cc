#include "duetbench/gates/quantile_gate.h"

#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

// Runs of calls of 100 to 199; every `one_in`-th of new takes ten times as long.
SelectedPairs Calls(int runs, int calls, int one_in) {
  SelectedPairs selected;
  selected.sample_iterations[0] = selected.sample_iterations[1] = 1;
  for (int r = 0; r < runs; ++r) {
    stats::RunPairs& run = selected.total_runs.emplace_back();
    for (int i = 0; i < calls; ++i) {
      const double old_time = 100 + (i * 37 + r) % 100;
      const double new_time = 100 + (i * 61 + r) % 100;
      run.push_back({old_time, (i + r) % one_in == 0 ? 10 * new_time : new_time, i % 2});
    }
  }
  return selected;
}

TEST(JudgeQuantileGate, DecidesByTheInterval) {
  const SelectedPairs calls = Calls(20, 1000, 25);
  const QuantileGateResult typical = JudgeQuantileGate({0.5, 1.1}, calls, 0.99, 1);
  EXPECT_EQ(typical.outcome, GateOutcome::kPass);
  EXPECT_GT(typical.p, 0.01);
  const QuantileGateResult tail = JudgeQuantileGate({0.99, 1.1}, calls, 0.99, 1);
  EXPECT_EQ(tail.outcome, GateOutcome::kFail);
  EXPECT_LE(tail.p, 1e-5) << "2 / 2^20";
  EXPECT_EQ(JudgeQuantileGate({0.99, 20}, calls, 0.99, 1).outcome, GateOutcome::kPass);
}

TEST(JudgeQuantileGate, AnEarlyAnalysisNeedsMoreRuns) {
  const SelectedPairs calls = Calls(9, 1000, 2);
  EXPECT_EQ(JudgeQuantileGate({0.9, 1.1}, calls, 0.99, 1).outcome, GateOutcome::kFail);
  const QuantileGateResult early = JudgeQuantileGate({0.9, 1.1}, calls, 0.99, 1.0 / 24);
  EXPECT_EQ(early.outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(early.ratio.runs_needed, 13);
  EXPECT_GT(early.p, 0.01);
}

TEST(JudgeQuantileGate, NothingIsDecidedWithoutSingleCallsOrTimes) {
  SelectedPairs calls = Calls(20, 1000, 2);
  calls.is_biased = true;
  EXPECT_EQ(JudgeQuantileGate({0.9, 1.1}, calls, 0.99, 1).outcome, GateOutcome::kInconclusive);
  calls.is_biased = false;
  calls.sample_iterations[1] = 3;
  const QuantileGateResult batches = JudgeQuantileGate({0.9, 1.1}, calls, 0.99, 1);
  EXPECT_FALSE(batches.has_single_calls);
  EXPECT_EQ(batches.outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(batches.p, 1);
}

TEST(GateStatuses, AGateOnAQuantileCounts) {
  SuiteEntry entry = Passing("a");
  QuantileGateResult gate;
  gate.outcome = GateOutcome::kFail;
  gate.p = 1e-6;
  entry.comparison.quantile_gates = {gate};
  EXPECT_EQ(GateStatuses({entry})[0], GateStatus::kFail);
  entry.comparison.quantile_gates[0].p = 0.009;
  EXPECT_EQ(GateStatuses({entry})[0], GateStatus::kUnproven) << "it is one of two";
}

}  // namespace
}  // namespace duetbench
