#include "duetbench/report/suite_lines.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "duetbench/decide/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Headline(const std::vector<SuiteEntry>& suite) { return FactsOf(suite).headline; }

TEST(Headline, SaysHowManyHold) {
  EXPECT_EQ(Headline({}), "");
  EXPECT_EQ(Headline({Ungated("a")}), "");
  EXPECT_EQ(Headline({Failing("a"), Ungated("b")}), "1 gate failed");
  EXPECT_EQ(Headline({Undecided("a"), Broken("b")}),
            "1 gate is inconclusive, 1 duet could not be measured");
  EXPECT_EQ(Headline({Passing("a"), Passing("b"), Ungated("c")}), "all 2 gates hold");
  EXPECT_EQ(Headline({Passing("a"), Undecided("b")}), "1 of 2 gates holds, 1 is inconclusive");
  EXPECT_EQ(Headline({Undecided("a"), Undecided("b")}), "0 of 2 gates hold, 2 are inconclusive");
  EXPECT_EQ(Headline({Failing("a"), Undecided("b"), Broken("c")}),
            "1 of 2 gates failed, 1 is inconclusive, 1 duet could not be measured");
}

std::string Closing(const std::vector<SuiteEntry>& suite,
                    WhenInconclusive when = WhenInconclusive::kPass) {
  return absl::StrJoin(ClosingLines(FactsOf(suite), when), "\n");
}

TEST(ClosingLines, AMessageAndACommandForWhatDoesNotHold) {
  EXPECT_EQ(Closing({Passing("good"), Failing("bad"), Ungated("free")}),
            "duetbench: 1 of 2 gates failed\n"
            "FAIL bad: new takes 1.070 × the time of old (99 % interval 1.060 to 1.080 ×), all "
            "above the limit of 1.05 ×. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate "
            "cores).\n"
            "  alone: ./bench '--benchmark_filter=^bad$' --duet_seed=7");
}

TEST(ClosingLines, SayWhatBecomesOfTheInconclusive) {
  EXPECT_EQ(Closing({Undecided("close"), Failing("a", 0.009), Passing("b")}),
            "duetbench: 1 of 3 gates holds, 2 are inconclusive\n"
            "INCONCLUSIVE close: new takes 1.050 × the time of old (99 % interval 1.040 to 1.060 "
            "×), on both sides of the limit of 1.05 ×; more than a day would decide. 8 runs, "
            "18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).\n"
            "  alone: ./bench '--benchmark_filter=^close$' --duet_seed=7\n"
            "FAIL a: new takes 1.070 × the time of old (99 % interval 1.060 to 1.080 ×), all above "
            "the limit of 1.05 ×. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores). "
            "Alone it would have failed; in a suite of gates this may be chance.\n"
            "  alone: ./bench '--benchmark_filter=^a$' --duet_seed=7\n"
            "duetbench: warning: inconclusive gates count as passed (--duet_inconclusive=pass)");
}

TEST(ClosingLines, AGateThatWasNotMeasuredIsNamed) {
  EXPECT_EQ(
      Closing({NotMeasured("a")}, WhenInconclusive::kSkip),
      "duetbench: 1 gate is inconclusive\n"
      "SKIPPED a: its gate was not measured: new skipped: this machine has no abacus (in run 3)\n"
      "duetbench: inconclusive gates count as skipped (--duet_inconclusive=skip)");
}

TEST(ClosingLines, NoGatesNoLines) { EXPECT_EQ(Closing({Ungated("a"), Broken("b")}), ""); }

// --- GitHub ---

std::vector<std::string> AnnotationsOf(const std::vector<SuiteEntry>& suite,
                                       WhenInconclusive when = WhenInconclusive::kPass,
                                       const std::string& workspace = "") {
  return Annotations(FactsOf(suite), when, workspace);
}

TEST(Annotations, AnErrorAtTheLineOfTheBenchmark) {
  EXPECT_THAT(
      AnnotationsOf({Passing("good"), Failing("bad"), Ungated("free")}),
      ElementsAre("::error file=bench/parse.cc,line=12,title=FAIL bad::FAIL bad: new takes 1.070 × "
                  "the time of old (99 %25 interval 1.060 to 1.080 ×), all above the limit of 1.05 "
                  "×. 8 runs, "
                  "18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).%0Aalone: ./bench "
                  "'--benchmark_filter=^bad$' --duet_seed=7"));
}

TEST(Annotations, UndecidedGatesAreWarningsUnlessTheyFail) {
  EXPECT_THAT(AnnotationsOf({Undecided("a")})[0], StartsWith("::warning file="));
  EXPECT_THAT(AnnotationsOf({Undecided("a")}, WhenInconclusive::kSkip)[0],
              StartsWith("::warning file="));
  EXPECT_THAT(AnnotationsOf({Undecided("a")}, WhenInconclusive::kFail)[0],
              StartsWith("::error file="));
}

TEST(Annotations, SpecialCharactersAreEscaped) {
  SuiteEntry entry = Broken("a:b,c%d\r\ne");
  entry.facts.file = "x:y,z.cc";
  EXPECT_THAT(
      AnnotationsOf({entry}),
      ElementsAre(
          "::error file=x%3Ay%2Cz.cc,line=0,title=ERROR a%3Ab%2Cc%25d  e::ERROR a:b,c%25d  e: "
          "new threw std::runtime_error: <no> \"file\" (in run 3)"));
}

TEST(Annotations, FilesAreNamedByTheirPathInTheRepository) {
  SuiteEntry entry = Failing("a");
  for (const char* file :
       {"/home/runner/work/r/r/bench/a.cc", "../../bench/a.cc", "./bench/a.cc", "bench/a.cc"}) {
    entry.facts.file = file;
    EXPECT_THAT(AnnotationsOf({entry}, WhenInconclusive::kPass, "/home/runner/work/r/r")[0],
                StartsWith("::error file=bench/a.cc,line=12,"));
  }
}

TEST(Annotations, AnErrorWithoutAFile) {
  EXPECT_THAT(AnnotationsOf({Broken("a")}),
              ElementsAre("::error title=ERROR a::ERROR a: new threw std::runtime_error: <no> "
                          "\"file\" (in run 3)"));
}

TEST(TimeAccountLines, HaveTheSharesOfTheWallTime) {
  SuiteEntry entry = Ungated("BM_Parse/1024");
  Estimate& estimate = *entry.comparison.estimate();
  estimate.schedule = Schedule::kDuet;
  estimate.schedule_reason = "it is narrower";
  TimeAccount& time = estimate.time;
  time.wall_ns = 2e9;
  time.kept_ns = 1.5e9;
  time.dropped_ns = 0.02e9;
  time.alone_ns = 0.14e9;
  time.unmeasured_ns = 0.1e9;
  time.set_up_ns = 0.06e9;
  time.start_ns = 0.08e9;
  time.pilots_ns = 0.04e9;
  EXPECT_THAT(TimeAccountLines({entry}),
              ElementsAre(StartsWith("duetbench: where the wall time of each duet went"),
                          "    wall   kept  dropped   solo  warm-up  waiting  set-up  starts  "
                          "pilots  schedule     benchmark",
                          "  2.00 s   75 %      1 %    7 %      5 %      3 %     3 %     4 %     2 "
                          "%  duet         BM_Parse/1024 (it is narrower)"));
}

TEST(TimeAccountLines, LeaveOutWhatHasNoEstimate) {
  EXPECT_EQ(TimeAccountLines({Broken("BM_Failed")}).size(), 2U);
}

}  // namespace

}  // namespace duetbench
