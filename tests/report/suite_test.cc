#include "duetbench/report/suite.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(SettleSuite, EveryKind) {
  EXPECT_THAT(SettleSuite({Ungated("a"), Passing("b"), Failing("c"), Undecided("d"), Broken("e")}),
              ElementsAre(Standing::kNoGate, Standing::kPass, Standing::kFail,
                          Standing::kInconclusive, Standing::kError));
  EXPECT_THAT(SettleSuite({}), IsEmpty());
}

TEST(SettleSuite, AGateAloneFailsByItsOwnLevel) {
  EXPECT_THAT(SettleSuite({Failing("a", 0.01)}), ElementsAre(Standing::kFail));
  EXPECT_THAT(SettleSuite({Failing("a", 0.01), Ungated("b"), Broken("c")}),
              ElementsAre(Standing::kFail, Standing::kNoGate, Standing::kError))
      << "what has no gate does not count";
}

TEST(SettleSuite, AmongManyGatesAFailMustBeMoreCertain) {
  for (const double p : {0.9e-3, 1.1e-3}) {
    std::vector<SuiteEntry> suite = {Failing("bad", p)};
    for (int i = 0; i < 9; ++i) suite.push_back(Passing(absl::StrCat("good", i)));
    EXPECT_EQ(SettleSuite(suite)[0], p < 1e-3 ? Standing::kFail : Standing::kUnproven) << p;
  }
}

TEST(SettleSuite, HolmSparesTheSecond) {
  // 0.006 * 2 > 0.01, but after the first one has failed it is alone.
  EXPECT_THAT(SettleSuite({Failing("a", 0.006), Failing("b", 0.001)}),
              ElementsAre(Standing::kFail, Standing::kFail));
  EXPECT_THAT(SettleSuite({Failing("a", 0.006), Failing("b", 0.008)}),
              ElementsAre(Standing::kUnproven, Standing::kUnproven));
}

TEST(SettleSuite, GatesOfDifferentLevelsAreOnOneScale) {
  SuiteEntry bold = Failing("bold", 0.024);
  bold.comparison.interval.level = 0.95;
  EXPECT_THAT(SettleSuite({bold, Passing("b")}), ElementsAre(Standing::kFail, Standing::kPass));
  bold.comparison.gate->p = 0.026;
  EXPECT_EQ(SettleSuite({bold, Passing("b")})[0], Standing::kUnproven);
}

struct StatusCase {
  std::vector<SuiteEntry> suite;
  int other_errors;
  int pass;
  int fail;
  int skip;
};

TEST(SuiteStatus, Table) {
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
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const SuiteCounts counts = CountStandings(SettleSuite(cases[i].suite));
    const int errors = cases[i].other_errors;
    EXPECT_EQ(SuiteStatus(counts, errors, WhenInconclusive::kPass), cases[i].pass) << i;
    EXPECT_EQ(SuiteStatus(counts, errors, WhenInconclusive::kFail), cases[i].fail) << i;
    EXPECT_EQ(SuiteStatus(counts, errors, WhenInconclusive::kSkip), cases[i].skip) << i;
  }
}

std::string Headline(const std::vector<SuiteEntry>& suite) {
  return SuiteHeadline(CountStandings(SettleSuite(suite)));
}

TEST(SuiteHeadline, SaysHowManyHold) {
  EXPECT_EQ(Headline({}), "");
  EXPECT_EQ(Headline({Ungated("a")}), "");
  EXPECT_EQ(Headline({Passing("a")}), "1 gate holds");
  EXPECT_EQ(Headline({Failing("a"), Ungated("b")}), "1 gate failed");
  EXPECT_EQ(Headline({Undecided("a"), Broken("b")}),
            "1 gate is inconclusive, 1 duet could not be measured");
  EXPECT_EQ(Headline({Passing("a"), Passing("b"), Ungated("c")}), "all 2 gates hold");
  EXPECT_EQ(Headline({Passing("a"), Undecided("b")}), "1 of 2 gates holds, 1 is inconclusive");
  EXPECT_EQ(Headline({Undecided("a"), Undecided("b")}), "0 of 2 gates hold, 2 are inconclusive");
  EXPECT_EQ(Headline({Failing("a"), Undecided("b"), Broken("c")}),
            "1 of 2 gates failed, 1 is inconclusive, 1 duet could not be measured");
}

TEST(ClosingLines, AMessageAndACommandForWhatDoesNotHold) {
  const std::vector<SuiteEntry> suite = {Passing("good"), Failing("bad"), Ungated("free")};
  EXPECT_THAT(ClosingLines(suite, SettleSuite(suite), WhenInconclusive::kPass, SeparateCores()),
              ElementsAre("duetbench: 1 of 2 gates failed",
                          StartsWith("FAIL bad: new is 7.0 % slower than old (99 % interval +6.0 … "
                                     "+8.0 %), allowed +5 %. 8 runs, 18,213 pairs"),
                          "  alone: ./bench '--benchmark_filter=^bad$' --duet_seed=7"));
}

TEST(ClosingLines, SayWhatBecomesOfTheInconclusive) {
  const std::vector<SuiteEntry> suite = {Undecided("close"), Failing("a", 0.009), Passing("b")};
  const std::vector<Standing> standings = SettleSuite(suite);
  const std::vector<std::string> lines =
      ClosingLines(suite, standings, WhenInconclusive::kPass, SeparateCores());
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_THAT(lines[0], "duetbench: 1 of 3 gates holds, 2 are inconclusive");
  EXPECT_THAT(lines[1], StartsWith("INCONCLUSIVE close: "));
  EXPECT_THAT(lines[3], HasSubstr("Alone it would have failed; among so many gates"));
  EXPECT_THAT(lines[5], HasSubstr("warning: what is inconclusive counts as kept"));
  EXPECT_THAT(ClosingLines(suite, standings, WhenInconclusive::kFail, SeparateCores())[5],
              HasSubstr("counts as failed"));
  EXPECT_THAT(ClosingLines(suite, standings, WhenInconclusive::kSkip, SeparateCores())[5],
              HasSubstr("counts as skipped"));
}

TEST(ClosingLines, NoGatesNoLines) {
  const std::vector<SuiteEntry> suite = {Ungated("a"), Broken("b")};
  EXPECT_THAT(ClosingLines(suite, SettleSuite(suite), WhenInconclusive::kPass, SeparateCores()),
              IsEmpty());
}

}  // namespace
}  // namespace duetbench
