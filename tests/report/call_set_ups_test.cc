#include "duetbench/report/call_set_ups.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SuiteEntry Called(const std::string& name, uint64_t calls, double loops_ns, double set_ups_ns) {
  SuiteEntry entry = Ungated(name);
  entry.comparison.estimate()->time.calls = {calls, loops_ns, set_ups_ns};
  return entry;
}

TEST(CallSetUpLines, NameTheWorstWithItsTimes) {
  const std::vector<SuiteEntry> suite = {Called("even", 10, 1e9, 1e9), Called("dear", 10, 1e9, 3e9),
                                         Called("dearest", 100, 20e6, 2e9), Ungated("set up once"),
                                         Broken("broken")};
  EXPECT_THAT(CallSetUpLines(suite),
              ElementsAre("duetbench: set-up dominates in 2 of 3 benchmarks of benchmark::State&: "
                          "it takes 83 % of the time of their calls, most in dearest (20 ms of "
                          "set-up for 200 µs of loop in each call). It is not timed, but leaves "
                          "few samples and wide intervals: a function of auto& or "
                          "duetbench::State& is set up once in a run, and not in each sample"));
}

TEST(CallSetUpLines, AreNoneWhereLoopsTakeAsLong) {
  EXPECT_THAT(CallSetUpLines({Called("even", 10, 1e9, 1.9e9), Ungated("set up once")}), IsEmpty());
  EXPECT_THAT(CallSetUpLines({}), IsEmpty());
}

}  // namespace
}  // namespace duetbench
