#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

// --duet_explain, of two builds with planted causes (causes.h).
namespace duetbench::integration {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Outcome Explained(const std::string& flag, const std::string& filter) {
  return Execute("duet",
                 {PathOf("causes_old"), PathOf("causes_new"), "--benchmark_filter=^" + filter + "$",
                  "--benchmark_min_time=0.3", flag},
                 {{"DUET_RUNS", "10"}});
}

TEST(Explain, NamesTheFunctionAndItsCallBelowTheRow) {
  if (DUETBENCH_TESTS_SANITIZED != 0) GTEST_SKIP() << "the sanitizer's functions take the time";
  const Outcome outcome = Explained("--duet_explain", "Check");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.out.find("libdw") != std::string::npos) GTEST_SKIP() << outcome.out;
  EXPECT_THAT(outcome.out, ContainsRegex("of \\+[0-9.]+ % in IsValid"));
  EXPECT_THAT(outcome.out, HasSubstr("called from Store"));
}

TEST(Explain, OnlyFailedGatesAndNothingOfEqualCode) {
  EXPECT_THAT(Explained("--duet_explain=gates", "Check").out, Not(HasSubstr(" % in ")));
  // One of a hundred intervals of equal code excludes 1.
  const Outcome equal =
      Execute("duet", {PathOf("causes_old"), PathOf("causes_old"), "--benchmark_filter=^Check$",
                       "--benchmark_min_time=0.3", "--duet_margin=0.5", "--duet_explain"});
  EXPECT_THAT(equal.out, HasSubstr("EQUAL"));
  EXPECT_THAT(equal.out, Not(HasSubstr(" % in ")));
  if (DUETBENCH_TESTS_SANITIZED != 0) return;
  const Outcome failed =
      Execute("duet",
              {PathOf("causes_old"), PathOf("causes_new"), "--benchmark_filter=^Check$",
               "--benchmark_min_time=0.3", "--duet_max_ratio=1.05", "--duet_explain=gates"},
              {{"DUET_RUNS", "10"}});
  EXPECT_EQ(failed.status, 1) << failed.out << failed.err;
  if (failed.out.find("libdw") != std::string::npos) GTEST_SKIP() << failed.out;
  EXPECT_THAT(failed.out, HasSubstr(" % in IsValid"));
}

TEST(Explain, AnUnknownValueIsNamed) {
  const Outcome outcome = Explained("--duet_explain=some", "Check");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--duet_explain: 'some' should be"));
}

}  // namespace
}  // namespace duetbench::integration
