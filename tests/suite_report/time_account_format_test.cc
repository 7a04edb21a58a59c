#include "duetbench/suite_report/time_account_format.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/suite_report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
                          "    wall   kept  dropped   solo  warm-up  waiting  set-up  starts  "
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

SuiteEntry Called(const std::string& name, uint64_t calls, double loops_ns, double set_ups_ns) {
  SuiteEntry entry = Ungated(name);
  Estimate& estimate = *entry.comparison.estimate();
  estimate.time.calls = {calls, loops_ns, set_ups_ns};
  estimate.time.wall_ns = 2.5e9;
  estimate.runs = 7;
  return entry;
}

TEST(CallSetUpLines, NameTheWorstWithItsTimes) {
  const std::vector<SuiteEntry> suite = {Called("even", 10, 1e9, 1e9), Called("slow", 10, 1e9, 3e9),
                                         Called("slowest", 100, 20e6, 2e9), Ungated("set up once"),
                                         Broken("broken")};
  EXPECT_THAT(CallSetUpLines(suite),
              ElementsAre("duetbench: set-up dominates in 2 of 3 benchmarks of benchmark::State&: "
                          "it takes 83 % of the time of their calls, most in slowest (20 ms of "
                          "set-up for 200 µs of loop in each call, 2.5 s for 7 runs). It is not "
                          "timed, but leaves few samples and wide intervals: a function of auto& "
                          "or duetbench::State& is set up once in a run, and not in each sample"));
}

TEST(CallSetUpLines, AreNoneWhereLoopsTakeAsLong) {
  EXPECT_THAT(CallSetUpLines({Called("even", 10, 1e9, 1.9e9), Ungated("set up once")}), IsEmpty());
  EXPECT_THAT(CallSetUpLines({}), IsEmpty());
}

}  // namespace
}  // namespace duetbench
