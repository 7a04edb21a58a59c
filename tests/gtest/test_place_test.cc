#include "duetbench/gtest/test_place.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::Pair;

TEST(NextPlaceTest, IsThisTestAndTheNumberOfTheCall) {
  EXPECT_EQ(NextPlace()->Text(), "NextPlaceTest.IsThisTestAndTheNumberOfTheCall#1");
  EXPECT_EQ(NextPlace()->Text(), "NextPlaceTest.IsThisTestAndTheNumberOfTheCall#2");
}

TEST(NextPlaceTest, CountsFromOneInEveryTest) { EXPECT_EQ(NextPlace()->call, 1); }

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, HaveTheirPlaces) {
  EXPECT_EQ(NextPlace()->Text(),
            "Some/Numbers.HaveTheirPlaces/" + std::to_string(GetParam()) + "#1");
}
INSTANTIATE_TEST_SUITE_P(Some, Numbers, testing::Values(0, 1));

TEST(RouteToPlaceTest, LeadsToTheTestPastEverythingElse) {
  const RunCommand command = CommandFor({"Suite.Test/0", 3}, {"program", "--flag"});
  EXPECT_THAT(command.argv, Contains("--flag"));
  EXPECT_THAT(command.argv, Contains("--gtest_filter=Suite.Test/0"));
  EXPECT_THAT(command.argv, Contains("--gtest_repeat=1"));
  EXPECT_THAT(command.argv, Contains("--gtest_output="));
  EXPECT_THAT(command.environment, Contains(Pair("GTEST_TOTAL_SHARDS", "1")));
  EXPECT_THAT(command.environment, Contains(Pair("DUETBENCH_TEST", "Suite.Test/0#3")));
  EXPECT_EQ(command.did_not_arrive, kDidNotArrive);
  EXPECT_THAT(CommandFor({"Odd.a*b:c-d?e", 1}, {}).argv, Contains("--gtest_filter=Odd.a?b?c?d?e"));
}

TEST(IsPlaceOfThisRunTest, NoPlaceIsOfAProcessThatIsNoRun) {
  EXPECT_FALSE(IsPlaceOfThisRun({"Suite.Test", 1}));
}

}  // namespace
}  // namespace duetbench
