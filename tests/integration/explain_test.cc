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

Outcome Explained(const std::string& flag, const std::string& filter,
                  const std::string& new_build = "causes_new") {
  return Execute("duet",
                 {PathOf("causes_old"), PathOf(new_build), "--benchmark_filter=^" + filter + "$",
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
  EXPECT_THAT(Explained("--duet_explain", "Check", "causes_old").out, Not(HasSubstr(" % in ")));
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
