#include "tools/duet_lab/workloads.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(Workloads, AllRunAndTakeTime) {
  std::set<std::string> names;
  for (const Workload& workload : Workloads()) {
    EXPECT_TRUE(names.insert(workload.name).second);
    EXPECT_EQ(FindWorkload(workload.name).value(), &workload);
    EXPECT_GT(MeasureUnitNs(workload), 0) << workload.name;
  }
  EXPECT_EQ(names.size(), 12u);
  EXPECT_THAT(std::string(FindWorkload("nothing").status().message()),
              testing::HasSubstr("use some of integer, float, cache, memory, sort"));
}

}  // namespace
}  // namespace duetbench::lab
