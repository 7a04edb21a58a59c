#include "duetbench/runner/comparison.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PairRecord Pair(double old_ticks, double new_ticks, uint32_t assignment, uint32_t flags = 0) {
  PairRecord pair{};
  pair.ticks[0] = old_ticks;
  pair.ticks[1] = new_ticks;
  pair.operations[0] = pair.operations[1] = 1;
  pair.assignment = assignment;
  pair.flags = flags;
  return pair;
}

// A run of `count` equal pairs, both assignments in turn.
RunResult EqualPairs(double old_ticks, double new_ticks, int count = 20) {
  RunResult run;
  for (int i = 0; i < count; ++i) {
    run.pairs.push_back(Pair(old_ticks, new_ticks, static_cast<uint32_t>(i % 2)));
  }
  return run;
}

TEST(Summarize, EqualRunsGiveTheirRatioExactly) {
  const Comparison comparison = Summarize(
      {EqualPairs(100, 102), EqualPairs(200, 204), EqualPairs(50, 51)}, ExperimentOptions(), 0.5);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_NEAR(comparison.interval.ratio, 1.02, 1e-12);
  EXPECT_NEAR(comparison.interval.lo, 1.02, 1e-12);
  EXPECT_NEAR(comparison.interval.hi, 1.02, 1e-12);
  EXPECT_EQ(comparison.interval.kind, stats::IntervalKind::kT);
  EXPECT_EQ(comparison.interval.level, 0.99);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(comparison.runs, 3);
  EXPECT_EQ(comparison.pairs, 60u);
  EXPECT_EQ(comparison.dropped, 0u);
  EXPECT_FALSE(comparison.kept_disturbed);
  EXPECT_FALSE(comparison.this_process_only);
  // The mean over the runs, in nanoseconds.
  EXPECT_NEAR(comparison.time_ns[0], 0.5 * (100 + 200 + 50) / 3, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1], 0.5 * (102 + 204 + 51) / 3, 1e-9);
  EXPECT_EQ(comparison.operations[0], 60u);
  EXPECT_EQ(comparison.operations[1], 60u);
  EXPECT_THAT(comparison.notices, IsEmpty());
  EXPECT_EQ(comparison.error.cause, "");
}

TEST(Summarize, TheIntervalIsStudentsOverTheRuns) {
  std::vector<RunResult> runs;
  for (const double log_ratio : {0.01, 0.02, 0.03}) {
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
  }
  const Comparison comparison = Summarize(runs, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_estimate);
  // t(0.995, 2) = 9.924843, the standard deviation is 0.01.
  const double half = 9.924843 * 0.01 / std::sqrt(3.0);
  EXPECT_NEAR(comparison.interval.ratio, std::exp(0.02), 1e-9);
  EXPECT_NEAR(comparison.interval.lo, std::exp(0.02 - half), 1e-7);
  EXPECT_NEAR(comparison.interval.hi, std::exp(0.02 + half), 1e-7);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  ASSERT_EQ(comparison.run_log_ratios.size(), 3u);
  EXPECT_NEAR(comparison.run_log_ratios[2], 0.03, 1e-12);
}

TEST(Summarize, LevelMarginAndScheduleAreThoseOfTheOptions) {
  ExperimentOptions options;
  options.level = 0.9;
  options.margin = 0.05;
  options.schedule = Schedule::kInterleaved;
  const Comparison comparison = Summarize({EqualPairs(100, 103), EqualPairs(100, 103)}, options, 1);
  EXPECT_EQ(comparison.interval.level, 0.9);
  EXPECT_EQ(comparison.margin, 0.05);
  EXPECT_EQ(comparison.schedule, Schedule::kInterleaved);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kEqual);
}

TEST(Summarize, FasterIsBelowOne) {
  const Comparison comparison = Summarize(
      {EqualPairs(200, 100), EqualPairs(200, 101), EqualPairs(200, 99)}, ExperimentOptions(), 1);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kFaster);
  EXPECT_NEAR(comparison.interval.ratio, 0.5, 0.001);
}

// One CPU is 10 % slower, and most pairs were measured with old on it.
TEST(Summarize, ASlowCpuFavoursNobody) {
  RunResult run;
  for (int i = 0; i < 30; ++i) run.pairs.push_back(Pair(110, 103, 0));
  for (int i = 0; i < 10; ++i) run.pairs.push_back(Pair(100, 103 * 1.1, 1));
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_estimate);
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
}

TEST(Summarize, FewSpikesOnOneSideDoNotCount) {
  RunResult run = EqualPairs(100, 103, 40);
  run.pairs[4].ticks[1] = 5000;
  run.pairs[17].ticks[1] = 9000;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1], 103, 1e-9);
}

TEST(Summarize, DisturbedPairsAreDroppedAsPairs) {
  RunResult run = EqualPairs(100, 103);
  uint32_t assignment = 0;
  for (const uint32_t flag : {kOldPreempted, kNewPreempted, kOldMigrated, kNewMigrated}) {
    run.pairs.push_back(Pair(7, 1000, assignment, flag));
    assignment ^= 1;
  }
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
  EXPECT_EQ(comparison.pairs, 40u);
  EXPECT_EQ(comparison.dropped, 8u);
  EXPECT_EQ(comparison.operations[0], 40u);
  EXPECT_FALSE(comparison.kept_disturbed);
  EXPECT_NEAR(comparison.time_ns[0], 100, 1e-9);
  ASSERT_EQ(comparison.run_pairs.size(), 2u);
  EXPECT_EQ(comparison.run_pairs[0].size(), 20u);
  EXPECT_EQ(comparison.results[0].pairs.size(), 24u) << "all that was measured";
}

TEST(Summarize, WhereMostPairsAreDisturbedTheyAreKeptAndItSaysSo) {
  RunResult run;
  for (int i = 0; i < 40; ++i) {
    run.pairs.push_back(
        Pair(100, 103, static_cast<uint32_t>(i % 2), i < 24 ? uint32_t{kOldPreempted} : 0));
  }
  run.pairs.push_back(Pair(0, 103, 0, kNoTime));
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  EXPECT_TRUE(comparison.kept_disturbed);
  EXPECT_EQ(comparison.pairs, 80u);
  EXPECT_EQ(comparison.dropped, 2u) << "what has no time cannot be kept";
  ASSERT_FALSE(comparison.notices.empty());
  EXPECT_THAT(comparison.notices, ::testing::Contains(HasSubstr("60 % of the pairs")));
}

TEST(Summarize, DisturbedPairsAreKeptRatherThanThatOneRunIsLeft) {
  RunResult disturbed = EqualPairs(100, 103, 4);
  for (PairRecord& pair : disturbed.pairs) pair.flags = kNewPreempted;
  const RunResult quiet = EqualPairs(100, 103, 40);
  const Comparison two = Summarize({quiet, disturbed}, ExperimentOptions(), 1);
  EXPECT_TRUE(two.has_estimate) << two.error.cause;
  EXPECT_TRUE(two.kept_disturbed);
  EXPECT_EQ(two.runs, 2);
  EXPECT_EQ(two.dropped, 0u);
  const Comparison three = Summarize({quiet, disturbed, quiet}, ExperimentOptions(), 1);
  EXPECT_FALSE(three.kept_disturbed);
  EXPECT_EQ(three.runs, 2);
}

// Pairs without a time say nothing about disturbances.
TEST(Summarize, PairsWithoutATimeAreDroppedHoweverMany) {
  RunResult run;
  for (int i = 0; i < 100; ++i) {
    run.pairs.push_back(Pair(i < 60 ? 0 : 100, 101, static_cast<uint32_t>(i % 2),
                             i < 60   ? uint32_t{kNoTime}
                             : i < 65 ? uint32_t{kNewPreempted}
                                      : 0));
  }
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_FALSE(comparison.kept_disturbed);
  EXPECT_EQ(comparison.pairs, 70u);
  EXPECT_EQ(comparison.dropped, 130u);
  EXPECT_NEAR(comparison.interval.ratio, 1.01, 1e-9);
  EXPECT_THAT(comparison.notices, ElementsAre(HasSubstr("no measurable time")));
}

TEST(Summarize, MissingManualTimesAreTold) {
  ExperimentOptions options;
  options.manual_time = true;
  RunResult run = EqualPairs(100, 101);
  run.pairs[3].flags = kNoTime;
  run.pairs[3].ticks[1] = 0;
  const Comparison comparison = Summarize({run, run}, options, 1);
  EXPECT_TRUE(comparison.has_estimate);
  EXPECT_THAT(comparison.notices, ElementsAre(HasSubstr("SetIterationTime")));
}

TEST(Summarize, WithoutAUsablePairThereIsAnErrorAndNoEstimate) {
  RunResult run;
  for (int i = 0; i < 10; ++i) run.pairs.push_back(Pair(0, 0, i % 2, kNoTime));
  for (const std::vector<RunResult>& runs :
       {std::vector<RunResult>{run, run}, std::vector<RunResult>{RunResult(), RunResult()},
        std::vector<RunResult>{}}) {
    const Comparison comparison = Summarize(runs, ExperimentOptions(), 1);
    EXPECT_FALSE(comparison.has_estimate);
    EXPECT_EQ(comparison.runs, 0);
    EXPECT_THAT(comparison.error.cause, HasSubstr("no pair could be used"));
  }
}

TEST(Summarize, RunsWithoutAUsablePairAreNotCounted) {
  RunResult empty;
  empty.pairs.push_back(Pair(0, 5, 0, kNoTime));
  const Comparison comparison =
      Summarize({EqualPairs(100, 103), empty, EqualPairs(100, 103)}, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_estimate);
  EXPECT_EQ(comparison.runs, 2);
  EXPECT_EQ(comparison.run_log_ratios.size(), 2u);
  EXPECT_EQ(comparison.results.size(), 3u);
  EXPECT_NEAR(comparison.time_ns[0], 100, 1e-9);
}

TEST(Summarize, OneRunInThisProcessHasAnIntervalOfItsOwn) {
  ExperimentOptions options;
  options.runs = 1;
  RunResult run;
  for (int i = 0; i < 100; ++i) {
    run.pairs.push_back(Pair(100, i % 4 < 2 ? 104 : 106, static_cast<uint32_t>(i % 2)));
  }
  const Comparison comparison = Summarize({run}, options, 1);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_TRUE(comparison.this_process_only);
  EXPECT_EQ(comparison.interval.kind, stats::IntervalKind::kEwc);
  EXPECT_GT(comparison.interval.ratio, 1.04);
  EXPECT_LT(comparison.interval.ratio, 1.06);
  EXPECT_LT(comparison.interval.lo, comparison.interval.ratio);
  EXPECT_GT(comparison.interval.hi, comparison.interval.ratio);
  EXPECT_FALSE(comparison.interval.warning.empty());
}

// It was a process of its own, and other processes were meant to stand beside it.
TEST(Summarize, TheOnlyUsableRunOfSeveralIsNotThisProcess) {
  RunResult untimed = EqualPairs(100, 101, 10);
  for (PairRecord& pair : untimed.pairs) pair.flags = kNoTime;
  const Comparison comparison =
      Summarize({EqualPairs(100, 101, 10), untimed, untimed}, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_FALSE(comparison.this_process_only);
  EXPECT_EQ(comparison.runs, 1);
  EXPECT_FALSE(comparison.interval.warning.empty());
}

TEST(Summarize, TooFewPairsForAnIntervalAreAnErrorThatSaysSo) {
  ExperimentOptions options;
  options.runs = 1;
  const Comparison comparison = Summarize({EqualPairs(100, 101, 2)}, options, 1);
  EXPECT_FALSE(comparison.has_estimate);
  EXPECT_THAT(comparison.error.cause, HasSubstr("no interval of the ratio"));
  EXPECT_GT(comparison.time_ns[1], 0) << "the times are known all the same";
}

// KeepRunningBatch rounds up differently on the two sides.
TEST(Summarize, TimesAndRatioArePerOperation) {
  RunResult run = EqualPairs(1000, 3000);
  for (PairRecord& pair : run.pairs) {
    pair.operations[0] = 10;
    pair.operations[1] = 15;
    pair.cpu_ns[0] = 900;
    pair.cpu_ns[1] = 1500;
  }
  run.batch = 10;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 0.5);
  EXPECT_NEAR(comparison.interval.ratio, 2, 1e-12);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1], 100, 1e-9);
  EXPECT_NEAR(comparison.cpu_ns[0], 90, 1e-9);
  EXPECT_NEAR(comparison.cpu_ns[1], 100, 1e-9);
  EXPECT_EQ(comparison.operations[0], 400u);
  EXPECT_EQ(comparison.operations[1], 600u);
  EXPECT_EQ(comparison.batch, 10u);
}

TEST(Summarize, SkewIsAbsoluteAndInNanoseconds) {
  RunResult run = EqualPairs(1000, 1000, 101);
  for (int i = 0; i <= 100; ++i) {
    PairRecord& pair = run.pairs[static_cast<size_t>(i)];
    pair.skew_ticks = i % 2 == 0 ? i : -i;
    pair.overlap = i / 100.0;
  }
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 0.5);
  EXPECT_NEAR(comparison.skew_p50_ns, 25, 0.51);
  EXPECT_NEAR(comparison.skew_p99_ns, 49.5, 0.51);
  EXPECT_NEAR(comparison.overlap_p50, 0.5, 0.011);
}

TEST(Summarize, CountersAreMeansOverTheRunsThatHaveThem) {
  std::vector<RunResult> runs(3, EqualPairs(100, 101));
  runs[0].variants[0].counters = {{"all", 10, 1, 1000}, {"one is infinite", 10, 0, 1000}};
  runs[1].variants[0].counters = {
      {"all", 20, 1, 1000}, {"one is infinite", HUGE_VAL, 0, 1000}, {"once", 7, 0, 1024}};
  runs[2].variants[0].counters = {{"all", 60, 1, 1000}, {"one is infinite", 30, 0, 1000}};
  runs[2].variants[1].counters = {{"never a number", std::nan(""), 0, 1000}};
  const Comparison comparison = Summarize(runs, ExperimentOptions(), 1);
  const std::vector<CounterValue>& counters = comparison.variants[0].counters;
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(counters[0].name, "all");
  EXPECT_EQ(counters[0].value, 30);
  EXPECT_EQ(counters[0].flags, 1u);
  EXPECT_EQ(counters[1].name, "once");
  EXPECT_EQ(counters[1].value, 7);
  EXPECT_EQ(counters[1].one_k, 1024u);
  EXPECT_EQ(counters[2].name, "one is infinite");
  EXPECT_EQ(counters[2].value, 20);
  EXPECT_THAT(comparison.variants[1].counters, IsEmpty());
}

TEST(Summarize, LabelsAndComplexityPass) {
  std::vector<RunResult> runs(2, EqualPairs(100, 101));
  for (RunResult& run : runs) {
    run.variants[0].label = "old label";
    run.variants[1].label = "new label";
    run.variants[1].complexity_n = 64;
  }
  const Comparison comparison = Summarize(runs, ExperimentOptions(), 1);
  EXPECT_EQ(comparison.variants[0].label, "old label");
  EXPECT_EQ(comparison.variants[1].label, "new label");
  EXPECT_EQ(comparison.variants[1].complexity_n, 64);
}

TEST(Summarize, EveryNoticeStandsOnce) {
  std::vector<RunResult> runs(3, EqualPairs(100, 101));
  runs[0].notice = "cannot pin to CPU 3";
  runs[1].notice = "cannot pin to CPU 2";
  runs[2].notice = "cannot pin to CPU 3";
  EXPECT_THAT(Summarize(runs, ExperimentOptions(), 1).notices,
              ElementsAre("cannot pin to CPU 3", "cannot pin to CPU 2"));
}

TEST(Summarize, PairsOfTheEstimateCarryTimesPerOperationAndAssignments) {
  RunResult run = EqualPairs(100, 103, 2);
  run.pairs[0].operations[0] = run.pairs[0].operations[1] = 4;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 2);
  ASSERT_EQ(comparison.run_pairs.size(), 2u);
  ASSERT_EQ(comparison.run_pairs[0].size(), 2u);
  EXPECT_NEAR(comparison.run_pairs[0][0].old_time, 50, 1e-12);
  EXPECT_NEAR(comparison.run_pairs[0][0].new_time, 51.5, 1e-12);
  EXPECT_EQ(comparison.run_pairs[0][0].assignment, 0);
  EXPECT_EQ(comparison.run_pairs[0][1].assignment, 1);
}

// The sign of the logarithm is all that changes.
TEST(Summarize, OldAndNewExchangedGiveTheReciprocal) {
  std::vector<RunResult> runs;
  for (int i = 0; i < 5; ++i) {
    RunResult run;
    for (int k = 0; k < 30; ++k) {
      run.pairs.push_back(
          Pair(100 + (7 * k + i) % 11, 104 + (5 * k + 3 * i) % 13, static_cast<uint32_t>(k % 2)));
    }
    runs.push_back(run);
  }
  std::vector<RunResult> exchanged = runs;
  for (RunResult& run : exchanged) {
    for (PairRecord& pair : run.pairs) {
      std::swap(pair.ticks[0], pair.ticks[1]);
      pair.assignment ^= 1;
    }
  }
  const Comparison a = Summarize(runs, ExperimentOptions(), 1);
  const Comparison b = Summarize(exchanged, ExperimentOptions(), 1);
  EXPECT_NEAR(a.interval.ratio * b.interval.ratio, 1, 1e-12);
  EXPECT_NEAR(a.interval.lo * b.interval.hi, 1, 1e-12);
  EXPECT_NEAR(a.interval.hi * b.interval.lo, 1, 1e-12);
}

TEST(Summarize, AGateIsJudgedByTheIntervalOfTheLook) {
  std::vector<RunResult> runs;
  for (const double log_ratio : {0.059, 0.06, 0.061, 0.0605, 0.0595}) {
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
  }
  ExperimentOptions options;
  EXPECT_FALSE(Summarize(runs, options, 1).gate.has_value()) << "nothing was demanded";
  options.gate = GateDemand::MaxRatio(1.05);
  const Comparison once = Summarize(runs, options, 1);
  ASSERT_TRUE(once.gate.has_value());
  EXPECT_EQ(once.gate->outcome, stats::GateOutcome::kFail);
  EXPECT_EQ(once.gate->demand.value, 1.05);
  EXPECT_GT(once.gate->p, 0);
  EXPECT_LT(once.gate->p, 1e-3);
  EXPECT_TRUE(once.diagnosis.has_value());
  Look look;
  look.number = 3;
  look.share = 0.25;
  look.last = false;
  const Comparison third = Summarize(runs, options, 1, look);
  EXPECT_EQ(third.gate->looks, 3);
  EXPECT_NEAR(third.gate->p, 4 * once.gate->p, 1e-12);
  EXPECT_LT(third.interval.lo, once.interval.lo);
  EXPECT_EQ(third.interval.level, 0.99);
  EXPECT_FALSE(third.diagnosis.has_value()) << "costs time that only the report needs";
}

TEST(Summarize, AGateOnASingleRunHasTheLevelAtWhichItFails) {
  RunResult run;
  for (int i = 0; i < 60; ++i) {
    run.pairs.push_back(Pair(100, 106 + 0.1 * (i * 7 % 11), static_cast<uint32_t>(i % 2)));
  }
  ExperimentOptions options;
  options.runs = 1;
  options.gate = GateDemand::MaxRatio(1.064);
  const Comparison comparison = Summarize({run}, options, 1);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  ASSERT_EQ(comparison.gate->outcome, stats::GateOutcome::kFail);
  const double p = comparison.gate->p;
  EXPECT_LE(p, 0.01);
  for (const auto& [level, outcome] :
       {std::pair(1 - p, stats::GateOutcome::kFail),
        std::pair(1 - p / 1.03, stats::GateOutcome::kInconclusive)}) {
    options.level = level;
    EXPECT_EQ(Summarize({run}, options, 1).gate->outcome, outcome) << p;
  }
  options.level = 0.99;
  options.gate = GateDemand::MaxRatio(1.2);
  EXPECT_EQ(Summarize({run}, options, 1).gate->p, 1);
}

// --- Repetitions ---

Comparison RepetitionOf(const std::vector<double>& run_log_ratios) {
  Comparison comparison;
  comparison.has_estimate = true;
  comparison.runs = comparison.runs_planned = static_cast<int>(run_log_ratios.size());
  comparison.run_log_ratios = run_log_ratios;
  comparison.interval.level = 0.9;
  comparison.margin = 0.01;
  comparison.time_ns[0] = 100 * static_cast<double>(run_log_ratios.size());
  comparison.pairs = 50;
  comparison.dropped = 2;
  comparison.operations[1] = 7;
  return comparison;
}

TEST(PoolRepetitionsTest, TheIntervalIsThatOfAllRuns) {
  const Comparison a = RepetitionOf({0.10, 0.12});
  const Comparison b = RepetitionOf({0.11, 0.13, 0.12, 0.14});
  const Comparison pooled = PoolRepetitions({&a, &b});
  const auto expected = stats::TInterval({0.10, 0.12, 0.11, 0.13, 0.12, 0.14}, 0.9);
  ASSERT_TRUE(expected.ok());
  ASSERT_TRUE(pooled.has_estimate);
  EXPECT_EQ(pooled.interval.ratio, expected->ratio);
  EXPECT_EQ(pooled.interval.lo, expected->lo);
  EXPECT_EQ(pooled.interval.hi, expected->hi);
  EXPECT_EQ(pooled.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(pooled.runs, 6);
  EXPECT_EQ(pooled.pairs, 100u);
  EXPECT_EQ(pooled.dropped, 4u);
  EXPECT_EQ(pooled.operations[1], 14u);
  EXPECT_NEAR(pooled.time_ns[0], 300, 1e-9) << "mean of 200 and 400";
}

TEST(PoolRepetitionsTest, WhatLimitedOneLimitsAll) {
  const Comparison a = RepetitionOf({0.10, 0.12});
  Comparison b = RepetitionOf({0.11, 0.13});
  b.interrupted = b.this_process_only = b.kept_disturbed = true;
  const Comparison pooled = PoolRepetitions({&a, &b});
  EXPECT_TRUE(pooled.interrupted);
  EXPECT_TRUE(pooled.this_process_only);
  EXPECT_TRUE(pooled.kept_disturbed);
}

TEST(PoolRepetitionsTest, ThereIsNoIntervalOfNothing) {
  EXPECT_FALSE(PoolRepetitions({}).has_estimate);
}

}  // namespace
}  // namespace duetbench
