#include "duetbench/registry/duet_list.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(MarkedNameTest, ComesBackWhateverTheNameHolds) {
  for (const char* name : {"BM_A_vs_BM_B/64", "a;b [c | $x \\y \"z\" (p) # q", "12", "", " "}) {
    int family = -1;
    std::string read;
    ASSERT_TRUE(ReadMarkedName(MarkedName(37, name), &family, &read)) << name;
    EXPECT_EQ(family, 37);
    EXPECT_EQ(read, name);
  }
}

TEST(MarkedNameTest, NamesOfOrdinaryBenchmarksHaveNoMark) {
  int family = -1;
  std::string name;
  EXPECT_FALSE(ReadMarkedName("BM_A_vs_BM_B/64", &family, &name));
  EXPECT_FALSE(ReadMarkedName("", &family, &name));
  EXPECT_FALSE(ReadMarkedName("37", &family, &name));
}

TEST(MostSecondsTest, LeavesRoomForEveryRepetitionAndForARunThatIsStuck) {
  ExperimentOptions options;
  options.min_time = 1;
  options.timeout = 60;
  const double once = MostSeconds(options, 1);
  EXPECT_GT(once, 60 + 2 * options.min_time);
  EXPECT_GE(MostSeconds(options, 20), once + 19 * 2 * options.min_time);
  options.min_time = 100;
  EXPECT_GE(MostSeconds(options, 1), once + 2 * 99);
  options.gate = GateDemand::MaxRatio(1.05);
  EXPECT_GE(MostSeconds(options, 1), once + 2 * 99) << "a gate may take as long";
  options.min_time = 1;
  EXPECT_GT(MostSeconds(options, 1), once + 2 * 9) << "and longer than what has none";
  options.gate = {};
  options.timeout = 600;
  EXPECT_GT(MostSeconds(options, 1), 600 + 200);
}

}  // namespace
}  // namespace duetbench
