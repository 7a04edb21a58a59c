#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/gate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JudgeSuite, EveryKind) {
  EXPECT_THAT(
      Judge({Ungated("a"), Passing("b"), Failing("c"), Undecided("d"), Broken("e")}).statuses,
      ElementsAre(GateStatus::kNoGate, GateStatus::kPass, GateStatus::kFail,
                  GateStatus::kInconclusive, GateStatus::kError));
  EXPECT_THAT(Judge({}).statuses, IsEmpty());
}

TEST(JudgeSuite, GatesOfUnchangedCodeHold) {
  const std::vector<SuiteEntry> suite = {Unchanged("a", /*has_gate=*/true), Unchanged("b")};
  const SuiteGates judged = Judge(suite);
  EXPECT_THAT(judged.statuses, ElementsAre(GateStatus::kPass, GateStatus::kNoGate));
  EXPECT_EQ(judged.gates, 1);
  EXPECT_EQ(judged.passed, 1);
}

TEST(JudgeSuite, AGateAloneFailsByItsOwnLevel) {
  EXPECT_THAT(Judge({Failing("a", 0.01)}).statuses, ElementsAre(GateStatus::kFail));
  EXPECT_THAT(Judge({Failing("a", 0.01), Ungated("b"), Broken("c")}).statuses,
              ElementsAre(GateStatus::kFail, GateStatus::kNoGate, GateStatus::kError))
      << "what has no gate does not count";
}

TEST(JudgeSuite, AmongManyGatesAFailMustBeMoreCertain) {
  for (const double p : {0.9e-3, 1.1e-3}) {
    std::vector<SuiteEntry> suite = {Failing("bad", p)};
    for (int i = 0; i < 9; ++i) suite.push_back(Passing(absl::StrCat("good", i)));
    EXPECT_EQ(Judge(suite).statuses[0], p < 1e-3 ? GateStatus::kFail : GateStatus::kUnproven) << p;
  }
}

TEST(JudgeSuite, HolmSparesTheSecond) {
  // 0.006 * 2 > 0.01, but after the first one has failed it is alone.
  EXPECT_THAT(Judge({Failing("a", 0.006), Failing("b", 0.001)}).statuses,
              ElementsAre(GateStatus::kFail, GateStatus::kFail));
  EXPECT_THAT(Judge({Failing("a", 0.006), Failing("b", 0.008)}).statuses,
              ElementsAre(GateStatus::kUnproven, GateStatus::kUnproven));
}

TEST(JudgeSuite, GatesOfDifferentLevelsAreOnOneScale) {
  SuiteEntry bold = Failing("bold", 0.024);
  GateResult& gate = bold.comparison.estimate()->gates[0];
  gate.level = 0.95;
  EXPECT_THAT(Judge({bold, Passing("b")}).statuses,
              ElementsAre(GateStatus::kFail, GateStatus::kPass));
  gate.p = 0.026;
  EXPECT_EQ(Judge({bold, Passing("b")}).statuses[0], GateStatus::kUnproven);
}

struct StatusCase {
  std::vector<SuiteEntry> suite;
  int other_errors;
  int pass;
  int fail;
  int skip;
};

TEST(SuiteExitStatus, Table) {
  const std::vector<StatusCase> cases = {
      {{}, 0, 0, 0, 0},
      {{}, 1, 2, 2, 2},
      {{Ungated("a")}, 0, 0, 0, 0},
      {{Passing("a")}, 0, 0, 0, 0},
      {{Failing("a")}, 0, 1, 1, 1},
      {{Undecided("a")}, 0, 0, 1, 77},
      {{Failing("a", 0.009), Failing("b", 0.009)}, 0, 0, 1, 77},
      {{Undecided("a"), Passing("b")}, 0, 0, 1, 77},
      {{Undecided("a"), Failing("b")}, 0, 1, 1, 1},
      {{Broken("a"), Failing("b"), Undecided("c")}, 0, 2, 2, 2},
      {{Failing("b")}, 3, 2, 2, 2},
      {{NotMeasured("a"), Passing("b")}, 0, 0, 1, 77},
      {{NotMeasured("a"), Failing("b")}, 0, 1, 1, 1},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const SuiteGates judged = Judge(cases[i].suite);
    const int errors = cases[i].other_errors;
    EXPECT_EQ(SuiteExitStatus(judged, errors, WhenInconclusive::kPass), cases[i].pass) << i;
    EXPECT_EQ(SuiteExitStatus(judged, errors, WhenInconclusive::kFail), cases[i].fail) << i;
    EXPECT_EQ(SuiteExitStatus(judged, errors, WhenInconclusive::kSkip), cases[i].skip) << i;
  }
}

}  // namespace
}  // namespace duetbench
