#include "tools/duet_stat/comparison.h"

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
  const UnpairedResult result = CompareTimes(old_times, new_times, CompareOptions()).value();
  ASSERT_EQ(result.benchmarks.size(), 2u);
  EXPECT_EQ(result.benchmarks[0].name, "A");
  EXPECT_EQ(result.benchmarks[0].old_size.runs, 5u);
  EXPECT_EQ(result.benchmarks[0].new_size.times, 50u);
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
  const UnpairedResult result = CompareTimes(old_times, new_times, CompareOptions()).value();
  EXPECT_THAT(
      result.notices,
      ElementsAre("old.csv: 1 blank line", "1 benchmark is only in old.csv and not compared: 'B'",
                  "4 benchmarks are only in new.csv and not compared: 'C', 'D', 'E', ..."));
}

TEST(CompareTimes, RefusesFilesWithNothingInCommon) {
  const absl::Status status =
      CompareTimes({{Times("A", 1)}, {}}, {{Times("B", 1)}, {}}, CompareOptions()).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("old.csv and new.csv have no benchmark in common"));
}

TEST(ApplyRules, LaabersLeaveOutTheFarOnesAndSaySo) {
  BenchmarkTimes old_side = Times("A", 100);
  BenchmarkTimes new_side = Times("A", 100);
  new_side.sample.runs[0][3] = 100000;
  const AppliedRules applied =
      ApplyRules({Rule::kOverlap, Rule::kMmtests}, old_side.sample, new_side.sample, {500, 1});
  ASSERT_EQ(applied.rules.size(), 2u);
  EXPECT_NEAR(*applied.rules[0].decision->effect, 1, 0.01);
  EXPECT_GT(*applied.rules[1].decision->effect, 1.5);
  EXPECT_THAT(applied.notices, Contains(HasSubstr("leave out 0 old and 1 new times")));
  EXPECT_THAT(ApplyRules({Rule::kWelch}, old_side.sample, new_side.sample, {}).notices, IsEmpty());
}

TEST(ApplyRules, SaysWhyARuleSaysNothing) {
  const stats::Sample one{{{1.0}}, {}};
  const AppliedRules applied = ApplyRules({Rule::kWelch}, one, one, {});
  EXPECT_THAT(std::string(applied.rules[0].decision.status().message()),
              HasSubstr("two values of each variant"));
}

}  // namespace
}  // namespace duetbench::duet_stat
