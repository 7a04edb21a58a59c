#include "duetbench/report/annotations.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> Of(const std::vector<SuiteEntry>& suite,
                            WhenInconclusive when = WhenInconclusive::kPass,
                            const std::string& workspace = "") {
  return Annotations(suite, SettleSuite(suite), when, SeparateCores(), workspace);
}

TEST(Annotations, AnErrorAtTheLineOfTheBenchmark) {
  EXPECT_THAT(
      Of({Passing("good"), Failing("bad"), Ungated("free")}),
      ElementsAre("::error file=bench/parse.cc,line=12,title=FAIL bad::FAIL bad: new is 7.0 %25 "
                  "slower than old (99 %25 interval +6.0 … +8.0 %25), allowed +5 %25. 8 runs, "
                  "18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).%0Aalone: ./bench "
                  "'--benchmark_filter=^bad$' --duet_seed=7"));
}

TEST(Annotations, UndecidedGatesAreWarningsUnlessTheyFail) {
  EXPECT_THAT(Of({Undecided("a")})[0], StartsWith("::warning file="));
  EXPECT_THAT(Of({Undecided("a")}, WhenInconclusive::kSkip)[0], StartsWith("::warning file="));
  EXPECT_THAT(Of({Undecided("a")}, WhenInconclusive::kFail)[0], StartsWith("::error file="));
}

TEST(Annotations, WhatHasAMeaningThereIsEscaped) {
  SuiteEntry entry = Failing("a:b,c%d\r\ne");
  entry.file = "x:y,z.cc";
  const std::string line = Of({entry})[0];
  EXPECT_THAT(line, StartsWith("::error file=x%3Ay%2Cz.cc,line=12,title=FAIL "
                               "a%3Ab%2Cc%25d%0D%0Ae::FAIL a:b,c%25d%0D%0Ae: new"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(Annotations, FilesAreNamedByTheirPathInTheRepository) {
  SuiteEntry entry = Failing("a");
  for (const char* file :
       {"/home/runner/work/r/r/bench/a.cc", "../../bench/a.cc", "./bench/a.cc", "bench/a.cc"}) {
    entry.file = file;
    EXPECT_THAT(Of({entry}, WhenInconclusive::kPass, "/home/runner/work/r/r")[0],
                HasSubstr("file=bench/a.cc,"));
  }
}

TEST(Annotations, AnErrorWithoutAFile) {
  EXPECT_THAT(Of({Broken("a")}),
              ElementsAre("::error title=ERROR a::ERROR a: new threw std::runtime_error: <no> "
                          "\"file\" (in run 3)"));
}

}  // namespace
}  // namespace duetbench
