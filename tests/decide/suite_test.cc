#include <algorithm>
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
  EXPECT_THAT(Judge({Ungated("a"), Passing("b"), Failing("c"), Undecided("d"), Broken("e")}),
              ElementsAre(GateStatus::kNoGate, GateStatus::kPass, GateStatus::kFail,
                          GateStatus::kInconclusive, GateStatus::kError));
  EXPECT_THAT(Judge({}), IsEmpty());
}

TEST(JudgeSuite, GatesOfUnchangedCodeHold) {
  const std::vector<SuiteEntry> suite = {Unchanged("a", /*has_gate=*/true), Unchanged("b")};
  EXPECT_THAT(SummarizeSuite(suite).outcomes,
              ElementsAre(ElementsAre(GateStatus::kPass), ElementsAre(GateStatus::kNoGate)));
}

TEST(JudgeSuite, AGateAloneFailsByItsOwnLevel) {
  EXPECT_THAT(Judge({Failing("a", 0.01)}), ElementsAre(GateStatus::kFail));
  EXPECT_THAT(Judge({Failing("a", 0.01), Ungated("b"), Broken("c")}),
              ElementsAre(GateStatus::kFail, GateStatus::kNoGate, GateStatus::kError))
      << "what has no gate does not count";
}

TEST(JudgeSuite, AmongManyGatesAFailMustBeMoreCertain) {
  for (const double p : {0.9e-3, 1.1e-3}) {
    std::vector<SuiteEntry> suite = {Failing("bad", p)};
    for (int i = 0; i < 9; ++i) suite.push_back(Passing(absl::StrCat("good", i)));
    EXPECT_EQ(Judge(suite)[0], p < 1e-3 ? GateStatus::kFail : GateStatus::kUnproven) << p;
  }
}

TEST(JudgeSuite, HolmSparesTheSecond) {
  // 0.006 * 2 > 0.01, but after the first one has failed it is alone.
  EXPECT_THAT(Judge({Failing("a", 0.006), Failing("b", 0.001)}),
              ElementsAre(GateStatus::kFail, GateStatus::kFail));
  EXPECT_THAT(Judge({Failing("a", 0.006), Failing("b", 0.008)}),
              ElementsAre(GateStatus::kUnproven, GateStatus::kUnproven));
}

TEST(JudgeSuite, GatesOfDifferentLevelsAreOnOneScale) {
  SuiteEntry bold = Failing("bold", 0.024);
  GateResult& gate = bold.comparison.gates[0];
  gate.level = 0.95;
  EXPECT_THAT(Judge({bold, Passing("b")}), ElementsAre(GateStatus::kFail, GateStatus::kPass));
  gate.p = 0.026;
  EXPECT_EQ(Judge({bold, Passing("b")})[0], GateStatus::kUnproven);
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
    GateStatus worst = GateStatus::kNoGate;
    for (const GateStatus status : Judge(cases[i].suite)) worst = std::min(worst, status);
    const int errors = cases[i].other_errors;
    EXPECT_EQ(SuiteExitStatus(worst, errors, WhenInconclusive::kPass), cases[i].pass) << i;
    EXPECT_EQ(SuiteExitStatus(worst, errors, WhenInconclusive::kFail), cases[i].fail) << i;
    EXPECT_EQ(SuiteExitStatus(worst, errors, WhenInconclusive::kSkip), cases[i].skip) << i;
  }
}

}  // namespace
}  // namespace duetbench
