#include "duetbench/report/controls.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

SuiteEntry Control(double lo, double hi) {
  SuiteEntry entry = Ungated("a");
  entry.comparison.estimate()->interval = Interval((lo + hi) / 2, lo, hi);
  return entry;
}

TEST(ControlLines, SayInOneLineWhatAPassIsWorth) {
  EXPECT_THAT(ControlLines({}), IsEmpty());
  const Controls controls = {{Control(0.99, 1.01), Control(0.999, 1)},
                             {Control(1.01, 1.03), Control(1.019, 1.021)}};
  EXPECT_THAT(ControlLines(controls),
              ElementsAre("duetbench: controls: 2 of 2 A/A quiet, 2 of 2 +2 % found"));
}

TEST(ControlLines, WarnOfDifferencesThatThereAreNot) {
  Controls controls;
  controls.same = {Control(1.01, 1.02), Control(0.98, 0.99), Control(1.001, 1.002)};
  EXPECT_THAT(
      ControlLines(controls),
      ElementsAre(HasSubstr("0 of 3 A/A quiet, 0 of 0 +2 % found"), "  a: 1.0100 to 1.0200 ×",
                  "  a: 0.9800 to 0.9900 ×", "  a: 1.00100 to 1.00200 ×",
                  HasSubstr("identical code differs too often")));
}

TEST(ControlLines, WarnOfADifferenceThatIsNotFound) {
  Controls controls;
  controls.slower = {Control(0.99, 1.05), Control(1.01, 1.03), Control(0.98, 0.99)};
  EXPECT_THAT(ControlLines(controls),
              ElementsAre(HasSubstr("1 of 3 +2 % found"), "  a: 0.990 to 1.050 ×",
                          "  a: 0.9800 to 0.9900 ×", HasSubstr("2 % was missed in 2 of 3 cases")));
}

TEST(ControlLines, WhatCouldNotBeMeasuredIsSaid) {
  Controls controls;
  controls.same = {Broken("a"), Control(0.99, 1.01)};
  controls.slower = {NotMeasured("b")};
  EXPECT_THAT(ControlLines(controls),
              ElementsAre("duetbench: controls: 1 of 1 A/A quiet, 0 of 0 +2 % found",
                          "duetbench: warning: 1 control could not be measured"));
}

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
