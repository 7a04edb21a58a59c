#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/summarized.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Summarize, EqualRunsGiveTheirRatioExactly) {
  const Comparison comparison = Summarize(
      {EqualPairs(100, 102), EqualPairs(200, 204), EqualPairs(50, 51)}, ExperimentOptions(), 0.5);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_NEAR(comparison.interval.ratio, 1.02, 1e-12);
  // Three runs are taken to spread by 0.1 % at least; t(0.995, 2) = 9.924843.
  const double half = 9.924843 * 0.001 / std::sqrt(3.0);
  EXPECT_NEAR(comparison.interval.lo, 1.02 * std::exp(-half), 1e-7);
  EXPECT_NEAR(comparison.interval.hi, 1.02 * std::exp(half), 1e-7);
  EXPECT_EQ(comparison.interval.level, 0.99);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(comparison.runs, 3);
  EXPECT_EQ(comparison.pairs, 60u);
  EXPECT_EQ(comparison.dropped, 0u);
  EXPECT_FALSE(comparison.kept_disturbed);
  // The mean over the runs, in nanoseconds.
  EXPECT_NEAR(comparison.time_ns[0], 0.5 * (100 + 200 + 50) / 3, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1], 0.5 * (102 + 204 + 51) / 3, 1e-9);
  EXPECT_EQ(comparison.iterations[0], 60u);
  EXPECT_EQ(comparison.iterations[1], 60u);
  EXPECT_THAT(comparison.notices, IsEmpty());
}

TEST(Summarize, TheIntervalIsStudentsOverTheRuns) {
  std::vector<RunResult> runs;
  for (const double log_ratio : {0.01, 0.02, 0.03}) {
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
  }
  const Comparison comparison = Summarized(runs);
  // t(0.995, 2) = 9.924843, the standard deviation is 0.01.
  const double half = 9.924843 * 0.01 / std::sqrt(3.0);
  EXPECT_NEAR(comparison.interval.ratio, std::exp(0.02), 1e-9);
  EXPECT_NEAR(comparison.interval.lo, std::exp(0.02 - half), 1e-7);
  EXPECT_NEAR(comparison.interval.hi, std::exp(0.02 + half), 1e-7);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  ASSERT_EQ(comparison.run_log_ratios.size(), 3u);
  EXPECT_NEAR(comparison.run_log_ratios[2], 0.03, 1e-12);
}

// Two runs of each of three layouts, 0.01 apart from run to run and 0.1 from layout to layout.
TEST(Summarize, OfSeveralLayoutsTheIntervalIsStudentsOverTheLayouts) {
  std::vector<RunResult> runs;
  for (int run = 0; run < 6; ++run) {
    const int layout = run % 3;
    const double log_ratio = 0.1 * layout + (run < 3 ? -0.005 : 0.005);
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
    runs.back().layout = layout;
  }
  const Comparison comparison = Summarized(runs);
  // t(0.995, 2) = 9.924843, the standard deviation of the means is 0.1.
  const double half = 9.924843 * 0.1 / std::sqrt(3.0);
  EXPECT_NEAR(comparison.interval.ratio, std::exp(0.1), 1e-9);
  EXPECT_NEAR(comparison.interval.lo, std::exp(0.1 - half), 1e-6);
  EXPECT_NEAR(comparison.interval.hi, std::exp(0.1 + half), 1e-6);
  EXPECT_EQ(comparison.runs, 6);
  EXPECT_EQ(comparison.run_log_ratios.size(), 3u);
  EXPECT_EQ(comparison.run_pairs.size(), 6u);
  ASSERT_TRUE(comparison.total.has_value());
  EXPECT_EQ(comparison.total->run_values.size(), 3u) << "layouts are the units of the totals, too";
}

TEST(Summarize, LevelMarginAndScheduleAreThoseOfTheOptions) {
  ExperimentOptions options;
  options.level = 0.9;
  options.margin = 0.05;
  options.schedule = Schedule::kInterleaved;
  const Comparison comparison = Summarized({EqualPairs(100, 103), EqualPairs(100, 103)}, options);
  EXPECT_EQ(comparison.interval.level, 0.9);
  EXPECT_EQ(comparison.margin, 0.05);
  EXPECT_EQ(comparison.schedule, Schedule::kInterleaved);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kEqual);
}

TEST(Summarize, FasterIsBelowOne) {
  const Comparison comparison =
      Summarized({EqualPairs(200, 100), EqualPairs(200, 101), EqualPairs(200, 99)});
  EXPECT_EQ(comparison.verdict, stats::Verdict::kFaster);
  EXPECT_NEAR(comparison.interval.ratio, 0.5, 0.001);
}

// One CPU is 10 % slower, and most pairs were measured with old on it.
TEST(Summarize, ASlowCpuFavoursNobody) {
  RunResult run;
  for (int i = 0; i < 30; ++i) run.pairs.push_back(PairOf(110, 103, 0));
  for (int i = 0; i < 10; ++i) run.pairs.push_back(PairOf(100, 103 * 1.1, 1));
  const Comparison comparison = Summarized({run, run});
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
}

TEST(Summarize, WorkThatWasRemovedIsNamedAndHasNoVerdict) {
  ExperimentOptions options;
  const auto of = [&](const EmptyTally& old_empty, const EmptyTally& new_empty) {
    RunResult run = EqualPairs(100, 0.39);
    run.empty[0] = old_empty;
    run.empty[1] = new_empty;
    return Summarize({run, run, run}, options, 1);
  };
  const EmptyTally with_work = {1, 0, 0.4};
  const Comparison removed = of(with_work, {20, 18, 8});
  EXPECT_EQ(removed.verdict, stats::Verdict::kInconclusive);
  EXPECT_FALSE(removed.lacks_work[0]);
  EXPECT_TRUE(removed.lacks_work[1]);
  EXPECT_THAT(removed.notices, ElementsAre(Notice{Notice::Kind::kLacksWork, {1, 0.4}, ""}));
  EXPECT_EQ(of({20, 18, 8}, with_work).verdict, stats::Verdict::kInconclusive);
  EXPECT_EQ(of(with_work, {20, 10, 8}).verdict, stats::Verdict::kInconclusive);
  EXPECT_EQ(of(with_work, {20, 9, 8}).verdict, stats::Verdict::kFaster);
  EXPECT_EQ(of({}, {}).verdict, stats::Verdict::kFaster);
  options.manual_time = true;
  EXPECT_EQ(of(with_work, {20, 18, 8}).verdict, stats::Verdict::kFaster);
}

// A run that found work stopped comparing: the others have more samples.
TEST(Summarize, LostWorkIsJudgedBySamplesOfAllRuns) {
  std::vector<RunResult> runs(5, EqualPairs(100, 0.39));
  for (RunResult& run : runs) run.empty[1] = {1, 0, 0.4};
  EXPECT_FALSE(Summarized(runs).lacks_work[1]);
  for (size_t i = 3; i < 5; ++i) runs[i].empty[1] = {20, 18, 8};
  EXPECT_TRUE(Summarized(runs).lacks_work[1]);
  runs[4].empty[1].empty_ns = 800;  // another process had the CPU
  EXPECT_THAT(Summarize(runs, {}, 1).notices,
              Contains(Notice{Notice::Kind::kLacksWork, {1, 0.4}, ""}));
}

// Old takes 170 or 350 ticks, and new 174 or 259, for a part of each run: FASTER holds at one speed
// only, and the ratio of totals differs from the mean of the logarithms by itself.
TEST(Summarize, TwoSpeedsWithAnotherVerdictAtEachHaveNone) {
  const auto with_ratios = [](double fast_new, double slow_new) {
    std::vector<RunResult> runs;
    for (int r = 0; r < 20; ++r) {
      RunResult run = EqualPairs(170, fast_new, 160);
      for (size_t i = 0; i < run.pairs.size(); ++i) {
        PairRecord& pair = run.pairs[i];
        const size_t turned = r % 2 == 0 ? i : run.pairs.size() - 1 - i;  // it is no drift
        if (turned >= 100) {
          pair.ticks[0] = 350;
          pair.ticks[1] = slow_new;
        }
        pair.ticks[0] *= 1 + 1e-3 * static_cast<double>((i + static_cast<size_t>(r)) % 7);
      }
      runs.push_back(std::move(run));
    }
    return Summarize(std::move(runs), ExperimentOptions(), 1);
  };
  const Comparison contradicting = with_ratios(174, 259);
  ASSERT_TRUE(contradicting.has_ratio());
  EXPECT_FALSE(contradicting.total_decides);
  EXPECT_FALSE(contradicting.open_total.has_value());
  ASSERT_TRUE(contradicting.two_speeds.has_value());
  EXPECT_NEAR(contradicting.two_speeds->ratio[1], 0.74, 0.01);
  EXPECT_EQ(contradicting.verdict, stats::Verdict::kInconclusive);
  const Comparison faster = with_ratios(130, 259);
  EXPECT_TRUE(faster.two_speeds.has_value());
  EXPECT_EQ(faster.verdict, stats::Verdict::kFaster);
}

// It was a separate process, and other processes were meant to stand beside it: 4 of 176 duets of
// identical builds were FASTER or SLOWER, each by the only run that its suite had time for.
TEST(Summarize, TheOnlyUsableRunOfSeveralHasNoVerdict) {
  RunResult untimed = EqualPairs(100, 101, 10);
  for (PairRecord& pair : untimed.pairs) pair.flags = kNoTime;
  const Comparison comparison = Summarized({EqualPairs(100, 104, 10), untimed, untimed});
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  EXPECT_EQ(comparison.why, stats::Why::kOneRun);
  EXPECT_EQ(comparison.runs, 1);
}

TEST(Summarize, CountersAreMeansOverTheRunsThatHaveThem) {
  std::vector<RunResult> runs(3, EqualPairs(100, 101));
  runs[0].variants[0].counters = {{"all", 10, 1, 1000}, {"one is infinite", 10, 0, 1000}};
  runs[1].variants[0].counters = {
      {"all", 20, 1, 1000}, {"one is infinite", HUGE_VAL, 0, 1000}, {"once", 7, 0, 1024}};
  runs[2].variants[0].counters = {{"all", 60, 1, 1000}, {"one is infinite", 30, 0, 1000}};
  runs[2].variants[1].counters = {{"never a number", std::nan(""), 0, 1000}};
  const Comparison comparison = Summarized(runs);
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

TEST(Summarize, LabelsPass) {
  std::vector<RunResult> runs(2, EqualPairs(100, 101));
  for (RunResult& run : runs) {
    run.variants[0].label = "old label";
    run.variants[1].label = "new label";
  }
  const Comparison comparison = Summarized(runs);
  EXPECT_EQ(comparison.variants[0].label, "old label");
  EXPECT_EQ(comparison.variants[1].label, "new label");
}

// The sign of the logarithm is all that changes.
TEST(Summarize, OldAndNewExchangedGiveTheReciprocal) {
  std::vector<RunResult> runs;
  for (int i = 0; i < 5; ++i) {
    RunResult run;
    for (int k = 0; k < 30; ++k) {
      run.pairs.push_back(
          PairOf(100 + (7 * k + i) % 11, 104 + (5 * k + 3 * i) % 13, static_cast<uint32_t>(k % 2)));
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
  const Comparison a = Summarized(runs);
  const Comparison b = Summarized(exchanged);
  EXPECT_NEAR(a.interval.ratio * b.interval.ratio, 1, 1e-12);
  EXPECT_NEAR(a.interval.lo * b.interval.hi, 1, 1e-12);
  EXPECT_NEAR(a.interval.hi * b.interval.lo, 1, 1e-12);
}

TEST(Summarize, AShareOfTheLevelWidensTheInterval) {
  std::vector<RunResult> runs;
  for (const double log_ratio : {0.059, 0.06, 0.061, 0.0605, 0.0595}) {
    runs.push_back(EqualPairs(1000, 1000 * std::exp(log_ratio)));
  }
  const Comparison once = Summarized(runs);
  const Comparison interim = Summarize(runs, ExperimentOptions(), 1, 0.25);
  EXPECT_LT(interim.interval.lo, once.interval.lo);
  EXPECT_EQ(interim.interval.level, 0.99);
}

TEST(SummarizeDryRun, HasTheTimesOfItsPair) {
  RunResult run;
  run.pairs.push_back(PairOf(100, 105, 0));
  run.notice = "cannot pin to CPU 3";
  run.variants[1].label = "arena";
  const Comparison comparison = SummarizeDryRun(run, ExperimentOptions(), 0.5);
  ASSERT_TRUE(comparison.is_dry_run);
  EXPECT_FALSE(comparison.has_ratio());
  EXPECT_EQ(comparison.time_ns[0], 50);
  EXPECT_EQ(comparison.time_ns[1], 52.5);
  EXPECT_EQ(comparison.variants[1].label, "arena");
  EXPECT_THAT(comparison.notices,
              ElementsAre(Notice{Notice::Kind::kRunDegraded, {}, "cannot pin to CPU 3"}));
}

}  // namespace
}  // namespace duetbench
