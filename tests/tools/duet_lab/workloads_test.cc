#include "tools/duet_lab/workloads.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

TEST(Workloads, AllRunAndTakeTimeInProportion) {
  std::set<std::string> names;
  for (const Workload& workload : Workloads()) {
    EXPECT_TRUE(names.insert(workload.name).second);
    EXPECT_EQ(FindWorkload(workload.name).value(), &workload);
    EXPECT_GT(MeasureUnitNs(workload), 1) << workload.name;
    EXPECT_LT(MeasureUnitNs(workload), 100'000) << workload.name;
  }
  EXPECT_EQ(names.size(), 12u);
  EXPECT_THAT(std::string(FindWorkload("nothing").status().message()),
              testing::HasSubstr("use some of integer, float, cache, memory, sort"));
}

TEST(DuetWork, IsReadAsItIsWritten) {
  const auto work = DecodeDuetWork(EncodeDuetWork({"memory", 100, 250}));
  ASSERT_TRUE(work.ok());
  EXPECT_EQ(work->workload, "memory");
  EXPECT_EQ(work->old_units, 100);
  EXPECT_EQ(work->new_units, 250);
  for (const char* text : {"", "memory", "memory,1", "memory,0,1", "memory,1,-1", "a,1,2,3"}) {
    EXPECT_FALSE(DecodeDuetWork(text).ok()) << text;
  }
}

}  // namespace
}  // namespace duetbench::lab
