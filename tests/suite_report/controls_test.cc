#include "duetbench/suite_report/controls.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/suite_report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace duetbench
