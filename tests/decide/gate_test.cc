#include "duetbench/decide/gate.h"

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "duetbench/decide/interval.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

GateStatus Of(const GateSpec& spec, double lo, double hi) {
  return Judge(spec, {(lo + hi) / 2, lo, hi, 0.99});
}

TEST(Judge, MaxRatio) {
  const GateSpec spec = GateSpec::MaxRatio(1.05);
  EXPECT_EQ(Of(spec, 0.9, 1.05), GateStatus::kPass);
  EXPECT_EQ(Of(spec, 1.0, 1.06), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 1.05, 1.06), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 1.051, 1.06), GateStatus::kFail);
  EXPECT_EQ(Of(spec, 0, HUGE_VAL), GateStatus::kInconclusive);
}

TEST(Judge, MinSpeedup) {
  const GateSpec spec = GateSpec::MinSpeedup(1.25);
  EXPECT_EQ(Of(spec, 0.7, 0.79), GateStatus::kPass);
  EXPECT_EQ(Of(spec, 0.7, 0.81), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 0.81, 0.82), GateStatus::kFail) << "faster, but not enough";
}

TEST(Judge, Equivalent) {
  const GateSpec spec = GateSpec::Equivalent(0.02);
  EXPECT_EQ(Of(spec, 0.99, 1.01), GateStatus::kPass);
  EXPECT_EQ(Of(spec, 0.97, 1.01), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 0.99, 1.03), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 0.9, 1.2), GateStatus::kInconclusive);
  EXPECT_EQ(Of(spec, 1.03, 1.04), GateStatus::kFail);
  EXPECT_EQ(Of(spec, 0.95, 0.97), GateStatus::kFail) << "faster is not equal either";
}

TEST(Judge, NothingFollowsFromNaN) {
  EXPECT_EQ(Of(GateSpec::MaxRatio(1), kNan, kNan), GateStatus::kInconclusive);
  EXPECT_EQ(Of(GateSpec::Equivalent(0.1), kNan, 1), GateStatus::kInconclusive);
}

bool EndsMeasuring(GateStatus outcome, double p, double level) {
  GateResult gate;
  gate.outcome = outcome;
  gate.level = level;
  stats::SetPValue(p, &gate);
  return gate.ends_measuring;
}

TEST(SetPValue, APassEndsTheMeasuringAndAFailThatStandsInALargeSuite) {
  EXPECT_TRUE(EndsMeasuring(GateStatus::kPass, 1, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateStatus::kInconclusive, 1, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateStatus::kFail, 0.009, 0.99));
  EXPECT_TRUE(EndsMeasuring(GateStatus::kFail, 0.9e-5, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateStatus::kFail, 0.9e-5, 0.999));
}

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

// The answer to a gate on a quantile, by the analysis of this share.
GateResult JudgeQuantile(const SelectedPairs& calls, double quantile, double max_ratio,
                         double share = 1) {
  ExperimentOptions options;
  options.gates = {GateSpec::MaxRatio(max_ratio, {"", quantile})};
  stats::Decision decision;
  static_cast<stats::Reservations&>(decision) = calls;
  decision.interval.level = 0.99;
  decision.share = share;
  return JudgeGates(options, {}, calls, decision)[0];
}

TEST(JudgeGates, AQuantileIsDecidedByItsInterval) {
  const SelectedPairs calls = Calls(20, 1000, 25);
  const GateResult typical = JudgeQuantile(calls, 0.5, 1.1);
  EXPECT_EQ(typical.outcome, GateStatus::kPass);
  EXPECT_GT(typical.p, 0.01);
  const GateResult tail = JudgeQuantile(calls, 0.99, 1.1);
  EXPECT_EQ(tail.outcome, GateStatus::kFail);
  EXPECT_LE(tail.p, 1e-5) << "2 / 2^20";
  EXPECT_EQ(JudgeQuantile(calls, 0.99, 20).outcome, GateStatus::kPass);
}

TEST(JudgeGates, AnEarlyAnalysisOfAQuantileNeedsMoreRuns) {
  const SelectedPairs calls = Calls(9, 1000, 2);
  EXPECT_EQ(JudgeQuantile(calls, 0.9, 1.1).outcome, GateStatus::kFail);
  const GateResult early = JudgeQuantile(calls, 0.9, 1.1, 1.0 / 24);
  EXPECT_EQ(early.outcome, GateStatus::kInconclusive);
  EXPECT_EQ(early.calls->runs_needed, 13);
  EXPECT_GT(early.p, 0.01);
}

TEST(JudgeGates, NoQuantileIsDecidedWithoutSingleCallsOrTimes) {
  SelectedPairs calls = Calls(20, 1000, 2);
  calls.is_biased = true;
  EXPECT_EQ(JudgeQuantile(calls, 0.9, 1.1).outcome, GateStatus::kInconclusive);
  EXPECT_EQ(JudgeQuantile(calls, 0.9, 1.1).why, stats::Why::kBiased);
  calls.is_biased = false;
  calls.sample_iterations[1] = 3;
  const GateResult batches = JudgeQuantile(calls, 0.9, 1.1);
  EXPECT_EQ(batches.runs, 0);
  EXPECT_TRUE(batches.ends_measuring) << "more runs are no single calls either";
  EXPECT_EQ(batches.outcome, GateStatus::kInconclusive);
  EXPECT_EQ(batches.p, 1);
}

// A run that counted these allocations in 1000 iterations of each variant.
RunResult Allocating(uint64_t old_count, uint64_t new_count) {
  RunResult run;
  run.usage[0].allocations = old_count;
  run.usage[1].allocations = new_count;
  run.usage[0].allocating_iterations = run.usage[1].allocating_iterations = 1000;
  return run;
}

GateResult JudgeCounter(const char* counter, double max_ratio, const std::vector<RunResult>& runs,
                        double share = 1, std::vector<Event> events = {}) {
  ExperimentOptions options;
  options.gates = {GateSpec::MaxRatio(max_ratio, {counter})};
  options.events = std::move(events);
  stats::Decision decision;
  decision.interval.level = 0.99;
  decision.share = share;
  return JudgeGates(options, runs, SelectedPairs(), decision)[0];
}

GateResult JudgeAllocations(const std::vector<RunResult>& runs, double max_ratio = 1,
                            double share = 1) {
  return JudgeCounter("ALLOCATIONS", max_ratio, runs, share);
}

TEST(JudgeCounter, WhatIsTheSameInEveryRunIsDecidedExactly) {
  const auto outcome = [](uint64_t old_count, uint64_t new_count, double max_ratio) {
    return JudgeAllocations(std::vector<RunResult>(5, Allocating(old_count, new_count)), max_ratio)
        .outcome;
  };
  EXPECT_EQ(outcome(3000, 3000, 1), GateStatus::kPass) << "the limit itself is allowed";
  EXPECT_EQ(outcome(3000, 3001, 1), GateStatus::kFail);
  EXPECT_EQ(outcome(2000, 3000, 1.5), GateStatus::kPass);
  EXPECT_EQ(outcome(7000, 7140, 1.02), GateStatus::kPass);
  EXPECT_EQ(outcome(7000, 7141, 1.02), GateStatus::kFail);
}

TEST(JudgeCounter, AmountsOfRunsHaveGates) {
  std::vector<RunResult> runs(5);
  for (RunResult& run : runs) run.amounts = {{kPeakHeap, true, {1000, 1090}}};
  EXPECT_FALSE(NeedsEvent({kPeakHeap}));
  EXPECT_TRUE(NeedsEvent({"CYCLES"}));
  EXPECT_EQ(JudgeCounter(kPeakHeap, 1.1, runs).outcome, GateStatus::kPass);
  EXPECT_EQ(JudgeCounter(kPeakHeap, 1.08, runs).outcome, GateStatus::kFail);
  EXPECT_EQ(JudgeCounter(kPeakRss, 2, runs).runs, 0);
}

TEST(JudgeCounter, WhatIsAlwaysCountedNeedsNoEvent) {
  std::vector<RunResult> runs(5);
  for (RunResult& run : runs) {
    for (UsageTally& usage : run.usage) usage.iterations = 100;
    run.usage[0].voluntary_switches = 100;
    run.usage[1].voluntary_switches = 120;
  }
  EXPECT_FALSE(NeedsEvent({"VOLUNTARY-SWITCHES"}));
  EXPECT_EQ(JudgeCounter("VOLUNTARY-SWITCHES", 1.3, runs).outcome, GateStatus::kPass);
  EXPECT_EQ(JudgeCounter("VOLUNTARY-SWITCHES", 1.1, runs).outcome, GateStatus::kFail);
}

TEST(JudgeCounter, NoneAtAllIsANumberToo) {
  const auto gate = [](uint64_t old_count, uint64_t new_count) {
    return JudgeAllocations(std::vector<RunResult>(5, Allocating(old_count, new_count)));
  };
  EXPECT_EQ(gate(0, 0).outcome, GateStatus::kPass);
  EXPECT_EQ(gate(1000, 0).outcome, GateStatus::kPass);
  EXPECT_EQ(gate(0, 1000).outcome, GateStatus::kFail);
  EXPECT_EQ(gate(0, 1000).p, 0);
  EXPECT_FALSE(gate(0, 1000).interval.has_value()) << "no ratio stands for it";
  EXPECT_THAT(gate(0, 1000).mean, ElementsAre(0, 1));
}

TEST(JudgeCounter, WhatVariesIsDecidedByItsInterval) {
  std::vector<RunResult> runs;
  for (const uint64_t count : {1020, 1030, 1025, 1035, 1028}) {
    runs.push_back(Allocating(1000, count));
  }
  EXPECT_EQ(JudgeAllocations(runs, 1.05).outcome, GateStatus::kPass);
  EXPECT_EQ(JudgeAllocations(runs, 1.03).outcome, GateStatus::kInconclusive);
  const GateResult failed = JudgeAllocations(runs, 1.01);
  EXPECT_EQ(failed.outcome, GateStatus::kFail);
  EXPECT_GT(failed.p, 0);
  EXPECT_LE(failed.p, 0.01);
  ASSERT_TRUE(failed.interval.has_value());
  EXPECT_GT(failed.interval->lo, 1.01);
  EXPECT_NEAR(failed.interval->ratio, 1.0276, 1e-3);
  // An early analysis demands more.
  EXPECT_NEAR(JudgeAllocations(runs, 1.01, 0.5).p, 2 * failed.p, 1e-12);
}

TEST(JudgeCounter, CountsOfEventsAreThoseOfThePairsThatCounted) {
  const std::vector<Event> events = {{"CYCLES", {}}, {"INSTRUCTIONS", {}}};
  RunResult run;
  run.events.resize(2);
  run.events[1] = {{500, 520}, {10, 10}, 10, 0};
  std::vector<RunResult> runs(4, run);
  runs[2].events[1].pairs = 0;
  const GateResult gate = JudgeCounter("INSTRUCTIONS", 1.02, runs, 1, events);
  EXPECT_EQ(gate.runs, 3);
  EXPECT_THAT(gate.mean, ElementsAre(50, 52));
  EXPECT_EQ(gate.outcome, GateStatus::kFail);
  EXPECT_EQ(JudgeCounter("CYCLES", 1.02, runs, 1, events).runs, 0);
}

TEST(JudgeCounter, OneRunDecidesNothing) {
  EXPECT_EQ(JudgeAllocations({Allocating(1000, 2000)}).outcome, GateStatus::kInconclusive);
  EXPECT_EQ(JudgeAllocations({}).outcome, GateStatus::kInconclusive);
}

// A launcher whose runs count these allocations, in turn.
FakeLauncher WithAllocations(std::vector<uint64_t> new_counts) {
  FakeLauncher launcher;
  launcher.change = [new_counts = std::move(new_counts)](int call, RunOfPairs* launched) {
    const RunResult counted = Allocating(1000, new_counts[call % new_counts.size()]);
    launched->front().usage[0] = counted.usage[0];
    launched->front().usage[1] = counted.usage[1];
  };
  return launcher;
}

Comparison Compare(FakeLauncher& launcher, double max_ratio, std::optional<GateSpec> times = {}) {
  ExperimentOptions options;
  options.schedule = Schedule::kDuet;
  options.gates = {GateSpec::MaxRatio(max_ratio, {"ALLOCATIONS"})};
  if (times.has_value()) options.gates.push_back(*times);
  return RunExperiment(launcher, options);
}

TEST(RunExperiment, AClearGateOnACounterEndsAtTheFirstAnalysis) {
  for (const uint64_t count : {1000, 2000}) {
    FakeLauncher launcher = WithAllocations({count});
    const Comparison comparison = Compare(launcher, 1);
    ASSERT_EQ(comparison.gates.size(), 1u);
    EXPECT_EQ(comparison.gates[0].outcome, count == 1000 ? GateStatus::kPass : GateStatus::kFail);
    EXPECT_EQ(comparison.runs, 6);
  }
}

TEST(RunExperiment, AllGatesMustBeDecided) {
  FakeLauncher launcher = WithAllocations({1000, 1030});  // 1.5 % +- 1.5 %
  const Comparison comparison = Compare(launcher, 1.025, GateSpec::MaxRatio(2));
  EXPECT_EQ(comparison.time_gate()->outcome, GateStatus::kPass);
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kPass);
  EXPECT_GT(comparison.runs, 6) << "the times alone are decided after six runs";
  EXPECT_EQ(comparison.runs, stats::AnalysisRuns(comparison.analyses - 1));
}

SuiteEntry WithCounterGate(SuiteEntry entry, GateStatus outcome, double p) {
  entry.comparison.gates.push_back(
      MakeGate(GateSpec::MaxRatio(1, {"ALLOCATIONS"}), outcome, {}, p));
  return entry;
}

TEST(JudgeSuite, OfSeveralGatesOfADuetTheWorst) {
  const auto status = [](const SuiteEntry& times, GateStatus outcome) {
    return Judge({WithCounterGate(times, outcome, 1e-6)})[0];
  };
  EXPECT_EQ(status(Ungated("a"), GateStatus::kPass), GateStatus::kPass);
  EXPECT_EQ(status(Ungated("a"), GateStatus::kFail), GateStatus::kFail);
  EXPECT_EQ(status(Passing("a"), GateStatus::kFail), GateStatus::kFail);
  EXPECT_EQ(status(Passing("a"), GateStatus::kInconclusive), GateStatus::kInconclusive);
  EXPECT_EQ(status(Failing("a"), GateStatus::kInconclusive), GateStatus::kFail);
  EXPECT_EQ(status(Undecided("a"), GateStatus::kPass), GateStatus::kInconclusive);
}

TEST(JudgeSuite, EachGateOfADuetCounts) {
  const std::vector<SuiteEntry> suite = {
      WithCounterGate(Passing("a"), GateStatus::kPass, 1),
      WithCounterGate(Failing("b"), GateStatus::kInconclusive, 1), Broken("c")};
  EXPECT_THAT(SummarizeSuite(suite).outcomes,
              ElementsAre(ElementsAre(GateStatus::kPass, GateStatus::kPass),
                          ElementsAre(GateStatus::kFail, GateStatus::kInconclusive),
                          ElementsAre(GateStatus::kError)));
}

TEST(JudgeSuite, HolmCorrectsOverTheGatesOfCountersToo) {
  EXPECT_THAT(Judge({WithCounterGate(Passing("a"), GateStatus::kFail, 0.009)}),
              ElementsAre(GateStatus::kUnproven));
  EXPECT_THAT(Judge({WithCounterGate(Ungated("a"), GateStatus::kFail, 0.009)}),
              ElementsAre(GateStatus::kFail));
}

// A ratio between `lo` and `hi` of four runs.
stats::Decision Decided(double lo, double hi) {
  stats::Decision decision;
  const double ratio = std::sqrt(lo * hi);
  decision.interval = {ratio, lo, hi, 0.99};
  decision.run_log_ratios = decision.typical_log_ratios = std::vector<double>(4, std::log(ratio));
  decision.log_error = 0.001;
  decision.degrees_of_freedom = 3;
  decision.margin = 0.01;
  return decision;
}

struct Judged {
  GateStatus outcome;
  stats::Verdict verdict;
  stats::Why why;
};

Judged JudgeBoth(stats::Decision decision) {
  const GateResult gate = JudgeGate(GateSpec::MaxRatio(1.05), decision);
  stats::JudgeVerdict(&decision);
  return {gate.outcome, decision.verdict, gate.why};
}

TEST(JudgeGate, AndVerdictHoldAtBothSpeedsOrAreUndecided) {
  const auto judged = [](double fast, double slow) {
    stats::Decision decision = Decided(0.89, 0.91);
    decision.two_speeds.emplace();
    decision.two_speeds->ratio[0] = fast;
    decision.two_speeds->ratio[1] = slow;
    return JudgeBoth(decision);
  };
  EXPECT_EQ(judged(0.9, 0.74).verdict, stats::Verdict::kFaster);
  EXPECT_EQ(judged(1.02, 0.74).outcome, GateStatus::kPass);
  EXPECT_EQ(judged(1.02, 0.74).verdict, stats::Verdict::kInconclusive);
  for (const auto& [fast, slow] : {std::pair(1.08, 0.74), std::pair(0.74, 1.08)}) {
    EXPECT_EQ(judged(fast, slow).outcome, GateStatus::kInconclusive);
    EXPECT_EQ(judged(fast, slow).why, stats::Why::kTwoSpeeds);
  }
}

TEST(JudgeGate, AndVerdictAgreeWithAnOpenTotalRatioOrAreUndecided) {
  const auto judged = [](double lo, double hi, double total) {
    stats::Decision decision = Decided(lo, hi);
    decision.open_total = total;
    return JudgeBoth(decision);
  };
  EXPECT_EQ(judged(0.9, 0.98, 1.04).outcome, GateStatus::kPass);
  EXPECT_EQ(judged(0.9, 0.98, 1.04).verdict, stats::Verdict::kInconclusive);
  EXPECT_EQ(judged(0.9, 0.98, 1.06).outcome, GateStatus::kInconclusive);
  EXPECT_EQ(judged(0.9, 0.98, 1.06).why, stats::Why::kOpenTotal);
  EXPECT_EQ(judged(1.1, 1.2, 1.06).outcome, GateStatus::kFail);
  EXPECT_EQ(judged(1.1, 1.2, 1.04).outcome, GateStatus::kInconclusive);
  EXPECT_EQ(judged(1, 1.1, 1.2).why, stats::Why::kWide) << "the interval decides nothing either";
}

TEST(JudgeGate, AndVerdictAreUndecidedWhereTheRatioDecidesNothing) {
  using stats::Decision;
  const std::vector<std::pair<stats::Why, std::function<void(Decision*)>>> kReservations = {
      {stats::Why::kBiased, [](Decision* d) { d->is_biased = true; }},
      {stats::Why::kMeasuredTogether, [](Decision* d) { d->measured_together = true; }},
      {stats::Why::kOneRun, [](Decision* d) { d->is_one_run = true; }},
      {stats::Why::kPauses, [](Decision* d) { d->pause_share[1] = 2; }},
      {stats::Why::kPartOfInput, [](Decision* d) { d->position_error = INFINITY; }},
      {stats::Why::kLacksWork, [](Decision* d) { d->lacks_work[0] = true; }},
      {stats::Why::kLacksWork, [](Decision* d) { d->lacks_work[1] = true; }}};
  ASSERT_EQ(JudgeGate(GateSpec::MaxRatio(1.05), Decided(2.7, 3.5)).outcome, GateStatus::kFail);
  for (const auto& [why, reserve] : kReservations) {
    stats::Decision decision = Decided(2.7, 3.5);
    reserve(&decision);
    const GateResult gate = JudgeGate(GateSpec::MaxRatio(1.05), decision);
    EXPECT_EQ(gate.outcome, GateStatus::kInconclusive);
    EXPECT_EQ(gate.why, why);
    EXPECT_EQ(gate.p, 1);
    stats::JudgeVerdict(&decision);
    EXPECT_EQ(gate.ends_measuring, stats::EndsMeasuring(decision));
    EXPECT_EQ(decision.verdict, stats::Verdict::kInconclusive);
    EXPECT_EQ(decision.why, why);
  }
}

}  // namespace
}  // namespace duetbench
