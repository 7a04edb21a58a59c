#include "duetbench/platform/cpu_list.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ParseCpuList, ReadsNumbersAndRanges) {
  EXPECT_THAT(*ParseCpuList("0-3,8,10-11\n"), ElementsAre(0, 1, 2, 3, 8, 10, 11));
  EXPECT_THAT(*ParseCpuList("5"), ElementsAre(5));
  EXPECT_THAT(*ParseCpuList("3,1,1-2"), ElementsAre(1, 2, 3));
  EXPECT_THAT(*ParseCpuList(" \n"), IsEmpty());
}

TEST(ParseCpuList, NamesThePartThatIsWrong) {
  for (const char* bad : {"a", "1-", "-1", "3-1", "1,,2", "0-99999999"}) {
    const auto cpus = ParseCpuList(bad);
    ASSERT_FALSE(cpus.ok()) << bad;
    EXPECT_THAT(cpus.status().message(), HasSubstr("is not a CPU number or range"));
  }
}

TEST(FormatCpuList, IsTheInverse) {
  for (const char* text : {"", "0", "0-3,8,10-11", "1,3,5"}) {
    EXPECT_EQ(FormatCpuList(*ParseCpuList(text)), text);
  }
}

}  // namespace
}  // namespace duetbench
