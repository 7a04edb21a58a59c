#include "duetbench/report/time_account_format.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TimeAccountLines, HaveTheSharesOfTheWallTime) {
  SuiteEntry entry = Ungated("BM_Parse/1024");
  Estimate& estimate = *entry.comparison.estimate();
  estimate.schedule = Schedule::kCrossed;
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
  const std::vector<std::string> lines = TimeAccountLines({entry});
  EXPECT_THAT(lines,
              ElementsAre(HasSubstr("where the wall time of each duet went"),
                          "    wall   kept  dropped  alone  warm-up  waiting  set-up  starts  "
                          "pilots  schedule     benchmark",
                          "  2.00 s   75 %      1 %    7 %      5 %      3 %     3 %     4 %     2 "
                          "%  crossed      BM_Parse/1024 (it is narrower)"));
}

TEST(TimeAccountLines, LeaveOutWhatHasNoEstimate) {
  SuiteEntry failed;
  failed.name = "BM_Failed";
  failed.comparison = FailedComparison("threw");
  EXPECT_EQ(TimeAccountLines({failed}).size(), 2u);
}

}  // namespace
}  // namespace duetbench
