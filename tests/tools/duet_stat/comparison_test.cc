#include "tools/duet_stat/comparison.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Options CompareOptions() {
  Options options;
  options.compare = true;
  options.rules = UnpairedRules();
  options.resampling.replicates = 500;
  return options;
}

UnpairedResult Compared(const std::vector<TimesData>& data, const Options& options) {
  return CompareTimes(data, {"old.csv", "new.csv"}, options).value();
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
  const UnpairedResult result = Compared({old_times, new_times}, CompareOptions());
  ASSERT_EQ(result.benchmarks.size(), 2u);
  EXPECT_EQ(result.benchmarks[0].name, "A");
  EXPECT_EQ(result.benchmarks[0].sides[0].runs, 5u);
  EXPECT_EQ(result.benchmarks[0].sides[1].times, 50u);
  for (const AppliedRule& rule : result.benchmarks[0].applied.rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kSlower) << NameOf(stats::kRules, rule.rule);
  }
  for (const AppliedRule& rule : result.benchmarks[1].applied.rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kNone) << NameOf(stats::kRules, rule.rule);
  }
  EXPECT_THAT(result.notices, IsEmpty());
}

TEST(CompareTimes, CountsWhatOnlyOneFileHas) {
  const TimesData old_times{{Times("A", 1), Times("B", 1)}, {"old.csv: 1 blank line"}};
  const TimesData new_times{
      {Times("A", 1), Times("C", 1), Times("D", 1), Times("E", 1), Times("F", 1)}, {}};
  const UnpairedResult result = Compared({old_times, new_times}, CompareOptions());
  EXPECT_THAT(
      result.notices,
      ElementsAre("old.csv: 1 blank line", "1 benchmark is only in old.csv and not compared: 'B'",
                  "4 benchmarks are only in new.csv and not compared: 'C', 'D', 'E', ..."));
}

TEST(CompareTimes, RefusesFilesWithNothingInCommon) {
  const absl::Status status =
      CompareTimes({TimesData{{Times("A", 1)}, {}}, TimesData{{Times("B", 1)}, {}}},
                   {"old.csv", "new.csv"}, CompareOptions())
          .status();
  EXPECT_EQ(status.message(),
            "old.csv and new.csv have no benchmark in common: 'A' there, 'B' here");
}

TEST(CompareTimes, OfRatesTheSmallerOneIsSlowerAndTheMeanHarmonic) {
  Options options = CompareOptions();
  options.rates = true;
  const UnpairedResult result =
      Compared({TimesData{{Times("A", 100)}, {}}, TimesData{{Times("A", 150)}, {}}}, options);
  for (const AppliedRule& rule : result.benchmarks[0].applied.rules) {
    EXPECT_EQ(rule.decision->decision, stats::Change::kFaster) << NameOf(stats::kRules, rule.rule);
  }
  const TimesData two{{{"A", {{{40, 60}}, {}}}}, {}};
  // 2 / (1/40 + 1/60)
  EXPECT_DOUBLE_EQ(Compared({two, two}, options).benchmarks[0].sides[0].mean, 48);
}

TEST(CompareTimes, SummarizesEachSide) {
  const TimesData data{{{"A", {{{1, 2}, {3, 10}}, {}}}}, {}};
  const SideSummary side = Compared({data, data}, CompareOptions()).benchmarks[0].sides[0];
  EXPECT_EQ(side.runs, 2u);
  EXPECT_EQ(side.times, 4u);
  EXPECT_EQ(side.min, 1);
  EXPECT_EQ(side.max, 10);
  EXPECT_EQ(side.mean, 4);
  EXPECT_EQ(side.median, 2.5);
  EXPECT_DOUBLE_EQ(side.deviation, std::sqrt(50 / 3.0));
  EXPECT_DOUBLE_EQ(side.variation, std::sqrt(50 / 3.0) / 4);
}

TEST(ApplyRules, LaabersLeaveOutTheFarOnesAndSaySo) {
  BenchmarkTimes old_side = Times("A", 100);
  BenchmarkTimes new_side = Times("A", 100);
  new_side.sample.runs[0][3] = 100000;
  const AppliedRules applied = ApplyRules({stats::Rule::kOverlap, stats::Rule::kMmtests},
                                          old_side.sample, new_side.sample, CompareOptions());
  ASSERT_EQ(applied.rules.size(), 2u);
  EXPECT_NEAR(*applied.rules[0].decision->effect, 1, 0.01);
  EXPECT_GT(*applied.rules[1].decision->effect, 1.5);
  EXPECT_THAT(applied.notices,
              ElementsAre("wilcoxon and ci-overlap leave out 0 old and 1 new times above ten times "
                          "the median of their variant, as in the paper"));
  EXPECT_THAT(
      ApplyRules({stats::Rule::kWelch}, old_side.sample, new_side.sample, Options()).notices,
      IsEmpty());
}

}  // namespace
}  // namespace duetbench::duet_stat
