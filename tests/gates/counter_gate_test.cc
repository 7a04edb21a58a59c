#include "duetbench/gates/counter_gate.h"

#include <cmath>
#include <vector>

#include "duetbench/gates/comparison.h"
#include "duetbench/stats/interim_analysis.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

// A run that counted these allocations in 1000 iterations of each variant.
RunResult Allocating(uint64_t old_count, uint64_t new_count) {
  RunResult run;
  run.usage[0].allocations = old_count;
  run.usage[1].allocations = new_count;
  run.usage[0].allocating_iterations = run.usage[1].allocating_iterations = 1000;
  return run;
}

CounterGateResult JudgeAllocations(const std::vector<RunResult>& runs, double max_ratio = 1,
                                   double share = 1) {
  return JudgeCounterGate({"ALLOCATIONS", max_ratio}, runs, {}, 0.99, share);
}

TEST(JudgeCounterGate, WhatIsTheSameInEveryRunIsDecidedExactly) {
  const auto outcome = [](uint64_t old_count, uint64_t new_count, double max_ratio) {
    return JudgeAllocations(std::vector<RunResult>(5, Allocating(old_count, new_count)), max_ratio)
        .outcome;
  };
  EXPECT_EQ(outcome(3000, 3000, 1), GateOutcome::kPass) << "the limit itself is allowed";
  EXPECT_EQ(outcome(3000, 3001, 1), GateOutcome::kFail);
  EXPECT_EQ(outcome(2000, 3000, 1.5), GateOutcome::kPass);
  EXPECT_EQ(outcome(7000, 7140, 1.02), GateOutcome::kPass);
  EXPECT_EQ(outcome(7000, 7141, 1.02), GateOutcome::kFail);
}

TEST(JudgeCounterGate, NoneAtAllIsANumberToo) {
  const auto gate = [](uint64_t old_count, uint64_t new_count) {
    return JudgeAllocations(std::vector<RunResult>(5, Allocating(old_count, new_count)));
  };
  EXPECT_EQ(gate(0, 0).outcome, GateOutcome::kPass);
  EXPECT_EQ(gate(1000, 0).outcome, GateOutcome::kPass);
  EXPECT_EQ(gate(0, 1000).outcome, GateOutcome::kFail);
  EXPECT_EQ(gate(0, 1000).p, 0);
  EXPECT_FALSE(gate(0, 1000).interval.has_value()) << "no ratio stands for it";
  EXPECT_THAT(gate(0, 1000).per_iteration, ElementsAre(0, 1));
}

TEST(JudgeCounterGate, WhatVariesIsDecidedByItsInterval) {
  std::vector<RunResult> runs;
  for (const uint64_t count : {1020, 1030, 1025, 1035, 1028}) {
    runs.push_back(Allocating(1000, count));
  }
  EXPECT_EQ(JudgeAllocations(runs, 1.05).outcome, GateOutcome::kPass);
  EXPECT_EQ(JudgeAllocations(runs, 1.03).outcome, GateOutcome::kInconclusive);
  const CounterGateResult failed = JudgeAllocations(runs, 1.01);
  EXPECT_EQ(failed.outcome, GateOutcome::kFail);
  EXPECT_GT(failed.p, 0);
  EXPECT_LE(failed.p, 0.01);
  ASSERT_TRUE(failed.interval.has_value());
  EXPECT_GT(failed.interval->lo, 1.01);
  EXPECT_NEAR(failed.interval->ratio, 1.0276, 1e-3);
  // An early analysis demands more.
  EXPECT_NEAR(JudgeAllocations(runs, 1.01, 0.5).p, 2 * failed.p, 1e-12);
}

TEST(JudgeCounterGate, CountsOfEventsAreThoseOfThePairsThatCounted) {
  const std::vector<Event> events = {{"CYCLES", {}}, {"INSTRUCTIONS", {}}};
  RunResult run;
  run.events.resize(2);
  run.events[1] = {{500, 520}, {10, 10}, 10, 0, {0, 0}, {0, 0}};
  std::vector<RunResult> runs(4, run);
  runs[2].events[1].pairs = 0;
  const CounterGateResult gate = JudgeCounterGate({"INSTRUCTIONS", 1.02}, runs, events, 0.99, 1);
  EXPECT_EQ(gate.runs, 3);
  EXPECT_THAT(gate.per_iteration, ElementsAre(50, 52));
  EXPECT_EQ(gate.outcome, GateOutcome::kFail);
  EXPECT_EQ(JudgeCounterGate({"CYCLES", 1.02}, runs, events, 0.99, 1).runs, 0);
}

TEST(JudgeCounterGate, OneRunDecidesNothing) {
  EXPECT_EQ(JudgeAllocations({Allocating(1000, 2000)}).outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(JudgeAllocations({}).outcome, GateOutcome::kInconclusive);
}

// A launcher whose runs count these allocations, in turn.
FakeLauncher WithAllocations(std::vector<uint64_t> new_counts) {
  FakeLauncher launcher;
  launcher.change = [new_counts = std::move(new_counts)](int call, LaunchedRun* launched) {
    const RunResult counted = Allocating(1000, new_counts[call % new_counts.size()]);
    launched->result.usage[0] = counted.usage[0];
    launched->result.usage[1] = counted.usage[1];
  };
  return launcher;
}

Comparison Compare(FakeLauncher& launcher, double max_ratio, std::optional<GateSpec> times = {}) {
  Machine machine;
  machine.ns_per_tick = 0.5;
  machine.cpus.cpus[0] = 0;
  machine.cpus.cpus[1] = 1;
  machine.cpus.relation = CpuRelation::kSeparateCores;
  ComparisonOptions options;
  options.schedule = Schedule::kDuet;
  options.gate = times;
  options.counter_gates = {{"ALLOCATIONS", max_ratio}};
  return RunComparison(options, machine, launcher.Launcher(), [](int, int, double) {});
}

TEST(RunComparison, AClearGateOnACounterEndsAtTheFirstAnalysis) {
  for (const uint64_t count : {1000, 2000}) {
    FakeLauncher launcher = WithAllocations({count});
    const Comparison comparison = Compare(launcher, 1);
    ASSERT_EQ(comparison.counter_gates.size(), 1u);
    EXPECT_EQ(comparison.counter_gates[0].outcome,
              count == 1000 ? GateOutcome::kPass : GateOutcome::kFail);
    EXPECT_EQ(comparison.estimate()->runs, 5);
    EXPECT_FALSE(comparison.gate.has_value());
  }
}

TEST(RunComparison, AllGatesMustBeDecided) {
  FakeLauncher launcher = WithAllocations({1000, 1030});  // 1.5 % +- 1.5 %
  const Comparison comparison = Compare(launcher, 1.025, GateSpec::MaxRatio(2));
  EXPECT_EQ(comparison.gate->outcome, GateOutcome::kPass);
  EXPECT_EQ(comparison.counter_gates[0].outcome, GateOutcome::kPass);
  EXPECT_GT(comparison.estimate()->runs, 5) << "the times alone are decided after five runs";
  EXPECT_EQ(comparison.estimate()->runs, stats::AnalysisRuns(comparison.gate->analyses - 1));
}

SuiteEntry WithCounterGate(SuiteEntry entry, GateOutcome outcome, double p) {
  CounterGateResult gate;
  gate.spec = {"ALLOCATIONS", 1};
  gate.outcome = outcome;
  gate.p = p;
  gate.runs = 8;
  entry.comparison.counter_gates = {gate};
  return entry;
}

TEST(GateStatuses, OfSeveralGatesOfADuetTheWorst) {
  const auto status = [](const SuiteEntry& times, GateOutcome outcome) {
    return GateStatuses({WithCounterGate(times, outcome, 1e-6)})[0];
  };
  EXPECT_EQ(status(Ungated("a"), GateOutcome::kPass), GateStatus::kPass);
  EXPECT_EQ(status(Ungated("a"), GateOutcome::kFail), GateStatus::kFail);
  EXPECT_EQ(status(Passing("a"), GateOutcome::kFail), GateStatus::kFail);
  EXPECT_EQ(status(Passing("a"), GateOutcome::kInconclusive), GateStatus::kInconclusive);
  EXPECT_EQ(status(Failing("a"), GateOutcome::kInconclusive), GateStatus::kFail);
  EXPECT_EQ(status(Undecided("a"), GateOutcome::kPass), GateStatus::kInconclusive);
}

TEST(GateStatuses, HolmCorrectsOverTheGatesOfCountersToo) {
  EXPECT_THAT(GateStatuses({WithCounterGate(Passing("a"), GateOutcome::kFail, 0.009)}),
              ElementsAre(GateStatus::kUnproven));
  EXPECT_THAT(GateStatuses({WithCounterGate(Ungated("a"), GateOutcome::kFail, 0.009)}),
              ElementsAre(GateStatus::kFail));
}

}  // namespace
}  // namespace duetbench
