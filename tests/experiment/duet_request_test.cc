#include "duetbench/experiment/duet_request.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

TEST(MaxSecondsTest, LeavesRoomForARunThatIsStuck) {
  ExperimentOptions options;
  options.min_time = 1;
  options.timeout = 60;
  const double once = MaxSeconds(options);
  EXPECT_GT(once, 60 + 2 * options.min_time);
  options.min_time = 100;
  EXPECT_GE(MaxSeconds(options), once + 2 * 99);
  options.gates = {GateSpec::MaxRatio(1.05)};
  EXPECT_GE(MaxSeconds(options), once + 2 * 99) << "a gate may take as long";
  options.min_time = 1;
  EXPECT_GT(MaxSeconds(options), once + 2 * 9) << "and longer than what has none";
  options.gates.clear();
  options.timeout = 600;
  EXPECT_GT(MaxSeconds(options), 600 + 200);
}

TEST(EventNamesTest, EachEventIsNamedOnce) {
  DuetSpec a;
  a.counter_names = {"B", "C"};
  DuetSpec b;
  b.counter_names = {"C", "D"};
  Flags flags;
  flags.perf_counters = "A,B";
  flags.options.gates = {GateSpec::MaxRatio(1, {"B"}), GateSpec::MaxRatio(1, {"E"}),
                         GateSpec::MaxRatio(1.05), GateSpec::MaxRatio(1, {"ALLOCATIONS"})};
  EXPECT_THAT(EventNames(flags, {&a, &b}), ElementsAre("A", "B", "E", "C", "D"));
}

}  // namespace
}  // namespace duetbench
