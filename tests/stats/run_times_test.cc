#include "duetbench/stats/run_times.h"

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(MeanTimesOfRuns, WeighsBothAssignmentsAlike) {
  const std::vector<RunPairs> runs = {{{1, 10, 0}, {3, 30, 0}, {6, 70, 1}}, {{5, 4, 1}}, {}};
  const std::vector<RunTimes> times = MeanTimesOfRuns(runs);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_DOUBLE_EQ(times[0].mean[0], 4);
  EXPECT_DOUBLE_EQ(times[0].mean[1], 45);
  EXPECT_EQ(times[0].pairs, 3u);
  EXPECT_DOUBLE_EQ(times[1].mean[0], 5);
  EXPECT_DOUBLE_EQ(times[1].mean[1], 4);
  EXPECT_EQ(times[2].mean[0], 0);
}

}  // namespace
}  // namespace duetbench::stats
