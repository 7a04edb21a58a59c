#include "duetbench/report/self_comparison.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

SuiteEntry Self(const std::string& name, double lo, double hi, double side_bias) {
  SuiteEntry entry = GateEntry(name, lo, hi);
  entry.comparison.gate.reset();
  entry.comparison.estimate()->diagnosis.emplace();
  entry.comparison.estimate()->diagnosis->side_bias =
      stats::Effect{side_bias, 0.5, /*significant=*/side_bias > 0.005};
  return entry;
}

TEST(SummarizeSelfComparisons, CountsWhatExcludesOne) {
  const SelfComparisons all =
      SummarizeSelfComparisons({Self("a", 0.998, 1.002, -0.001), Self("b", 1.001, 1.005, 0.01),
                                Self("c", 1.02, 1.04, 0.002), Broken("d")});
  EXPECT_EQ(all.comparisons, 3);
  EXPECT_EQ(all.errors, 1);
  EXPECT_EQ(all.false_alarms, 2);
  EXPECT_EQ(all.false_verdicts, 1) << "b is within the margin";
  EXPECT_EQ(all.allowed, 1) << "more than that in 0.5 % of cases";
  EXPECT_NEAR(all.median_half_width, 0.002, 1e-9);
  EXPECT_NEAR(all.median_side_bias, 0.001, 1e-5);
  EXPECT_NEAR(all.largest_side_bias, 0.005, 2e-5);
  EXPECT_EQ(all.side_biases, 1);
  EXPECT_NEAR(all.role_bias, 0.011, 1e-3);
}

TEST(SummarizeSelfComparisons, OfNothing) {
  EXPECT_EQ(SummarizeSelfComparisons({}).comparisons, 0);
  EXPECT_EQ(SummarizeSelfComparisons({}).median_half_width, 0);
}

TEST(SelfComparisonLines, OneForEachAndWhatTheyShow) {
  EXPECT_THAT(SelfComparisonLines({Self("a old", 0.998, 1.002, -0.002)}, SeparateCores()),
              ElementsAre("duetbench: A/A: each variant against a copy of itself, on CPUs 0 and 1 "
                          "(separate cores)",
                          "a old   1.0000 x      [0.9980, 1.0020]  includes 1; the two CPUs differ "
                          "by 0.1 %",
                          StartsWith("duetbench: A/A: 0 of 1 intervals at 99 % exclude 1 (up to 1 "
                                     "by chance), 0 of them"),
                          StartsWith("duetbench: A/A: side bias 0.1 % (median), 0.1 % (largest)")));
  const std::vector<std::string> bad = SelfComparisonLines(
      {Self("a old", 1.02, 1.04, 0), Self("a new", 1.02, 1.04, 0), Broken("b")}, SeparateCores());
  ASSERT_EQ(bad.size(), 7u);
  EXPECT_THAT(bad[1], HasSubstr("FALSE ALARM, SLOWER"));
  EXPECT_THAT(bad[3], HasSubstr("b      ERROR: new threw"));
  EXPECT_THAT(bad[6], HasSubstr("too many false alarms"));
}

}  // namespace
}  // namespace duetbench
