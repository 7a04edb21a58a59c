#include "tools/duet_stat/comparison.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options CompareOptions() {
  Options options;
  options.compare = {"old.csv", "new.csv"};
  options.rules = {Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch, Rule::kMmtests};
  options.resampling.replicates = 500;
  return options;
}

// Five runs of ten times around `time`.
BenchmarkTimes Times(const std::string& name, double time) {
  BenchmarkTimes times{name, {}};
  for (int r = 0; r < 5; ++r) {
    times.sample.runs.emplace_back();
    for (int i = 0; i < 10; ++i) {
      times.sample.runs.back().push_back(time * (1 + 0.001 * r + 0.002 * (i * 7 % 10)));
    }
  }
  return times;
}

TEST(CompareTimes, AppliesTheRulesToWhatBothFilesHave) {
  const TimesData old_times{{Times("A", 100), Times("B", 100)}, {}};
  const TimesData new_times{{Times("B", 100), Times("A", 150)}, {}};
  const UnpairedResult result = CompareTimes({old_times, new_times}, CompareOptions()).value();
  ASSERT_EQ(result.benchmarks.size(), 2u);
  EXPECT_EQ(result.benchmarks[0].name, "A");
  EXPECT_EQ(result.benchmarks[0].old_side.runs, 5u);
  EXPECT_EQ(result.benchmarks[0].new_side.times, 50u);
  for (const AppliedRule& rule : result.benchmarks[0].rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kSlower) << RuleName(rule.rule);
  }
  for (const AppliedRule& rule : result.benchmarks[1].rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kNone) << RuleName(rule.rule);
  }
  EXPECT_THAT(result.notices, IsEmpty());
}

TEST(CompareTimes, CountsWhatOnlyOneFileHas) {
  const TimesData old_times{{Times("A", 1), Times("B", 1)}, {"old.csv: 1 blank line"}};
  const TimesData new_times{
      {Times("A", 1), Times("C", 1), Times("D", 1), Times("E", 1), Times("F", 1)}, {}};
  const UnpairedResult result = CompareTimes({old_times, new_times}, CompareOptions()).value();
  EXPECT_THAT(
      result.notices,
      ElementsAre("old.csv: 1 blank line", "1 benchmark is only in old.csv and not compared: 'B'",
                  "4 benchmarks are only in new.csv and not compared: 'C', 'D', 'E', ..."));
}

TEST(CompareTimes, RefusesFilesWithNothingInCommon) {
  const absl::Status status =
      CompareTimes({TimesData{{Times("A", 1)}, {}}, TimesData{{Times("B", 1)}, {}}},
                   CompareOptions())
          .status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("old.csv and new.csv have no benchmark in common"));
}

TEST(CompareTimes, SeveralFilesAreEachComparedWithTheFirst) {
  Options options = CompareOptions();
  options.compare = {"base.csv", "same.csv", "slow.csv"};
  const UnpairedResult result =
      CompareTimes({TimesData{{Times("A", 100)}, {}}, TimesData{{Times("A", 100)}, {}},
                    TimesData{{Times("A", 150)}, {}}},
                   options)
          .value();
  ASSERT_EQ(result.benchmarks.size(), 2u);
  EXPECT_EQ(result.benchmarks[0].new_file, "same.csv");
  EXPECT_FALSE(IsStarred(result.benchmarks[0]));
  EXPECT_EQ(result.benchmarks[1].new_file, "slow.csv");
  EXPECT_TRUE(IsStarred(result.benchmarks[1]));
  EXPECT_NEAR(result.benchmarks[1].new_side.mean, 1.5 * result.benchmarks[1].old_side.mean, 1e-9);
}

TEST(CompareTimes, OfRatesTheSmallerOneIsSlowerAndTheMeanHarmonic) {
  Options options = CompareOptions();
  options.rates = true;
  const UnpairedResult result =
      CompareTimes({TimesData{{Times("A", 100)}, {}}, TimesData{{Times("A", 150)}, {}}}, options)
          .value();
  for (const AppliedRule& rule : result.benchmarks[0].rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kFaster) << RuleName(rule.rule);
  }
  const TimesData two{{{"A", {{{40, 60}}, {}}}}, {}};
  // 2 / (1/40 + 1/60)
  EXPECT_DOUBLE_EQ(CompareTimes({two, two}, options).value().benchmarks[0].old_side.mean, 48);
}

TEST(CompareTimes, SummarizesEachSide) {
  const TimesData data{{{"A", {{{1, 2}, {3, 10}}, {}}}}, {}};
  const SideSummary side =
      CompareTimes({data, data}, CompareOptions()).value().benchmarks[0].old_side;
  EXPECT_EQ(side.runs, 2u);
  EXPECT_EQ(side.times, 4u);
  EXPECT_EQ(side.min, 1);
  EXPECT_EQ(side.max, 10);
  EXPECT_EQ(side.mean, 4);
  EXPECT_EQ(side.median, 2.5);
  EXPECT_DOUBLE_EQ(side.deviation, std::sqrt(50 / 3.0));
  EXPECT_DOUBLE_EQ(side.variation, std::sqrt(50 / 3.0) / 4);
}

TEST(CompareTimes, TheStandardMethodAndTheDetectableSlowdownOnRequest) {
  Options options = CompareOptions();
  const TimesData old_times{{Times("A", 100)}, {}};
  const TimesData new_times{{Times("A", 110)}, {}};
  const auto plain = CompareTimes({old_times, new_times}, options).value().benchmarks[0];
  EXPECT_FALSE(plain.means.has_value());
  EXPECT_THAT(plain.mds, IsEmpty());
  options.difference_of_means = true;
  options.mds = true;
  const auto full = CompareTimes({old_times, new_times}, options).value().benchmarks[0];
  ASSERT_TRUE(full.means.has_value() && full.means->ok());
  EXPECT_NEAR((*full.means)->difference, 10 / 105.0, 1e-3);
  EXPECT_GT((*full.means)->lo, 0.08);
  EXPECT_LT((*full.means)->hi, 0.11);
  // Runs differ by 0.1 %: every rule finds 5 %, if it does not raise too many false alarms.
  ASSERT_EQ(full.mds.size(), 5u);
  EXPECT_EQ(full.mds.back().rule, "t");
  for (const RuleMds& mds : full.mds) {
    EXPECT_LE(mds.mds, mds.paper_mds);
    if (!std::isinf(mds.mds)) {
      EXPECT_LE(mds.mds, 0.05) << mds.rule;
    }
  }
}

TEST(ApplyRules, LaabersLeaveOutTheFarOnesAndSaySo) {
  BenchmarkTimes old_side = Times("A", 100);
  BenchmarkTimes new_side = Times("A", 100);
  new_side.sample.runs[0][3] = 100000;
  const AppliedRules applied = ApplyRules({Rule::kOverlap, Rule::kMmtests}, old_side.sample,
                                          new_side.sample, CompareOptions());
  ASSERT_EQ(applied.rules.size(), 2u);
  EXPECT_NEAR(*applied.rules[0].decision->effect, 1, 0.01);
  EXPECT_GT(*applied.rules[1].decision->effect, 1.5);
  EXPECT_THAT(applied.notices, Contains(HasSubstr("leave out 0 old and 1 new times")));
  EXPECT_THAT(ApplyRules({Rule::kWelch}, old_side.sample, new_side.sample, Options()).notices,
              IsEmpty());
}

TEST(ApplyRules, SaysWhyARuleSaysNothing) {
  const stats::Sample one{{{1.0}}, {}};
  const AppliedRules applied = ApplyRules({Rule::kWelch}, one, one, Options());
  EXPECT_THAT(std::string(applied.rules[0].decision.status().message()),
              HasSubstr("two values of each variant"));
}

}  // namespace
}  // namespace duetbench::duet_stat
