// RunController: segments in which one variant runs alone.
#include <cstdint>
#include <limits>
#include <map>

#include "duetbench/measure/run_controller.h"
#include "gtest/gtest.h"
#include "tests/measure/simulated_run.h"

namespace duetbench {
namespace {

// Advances through the warm-up with samples that take `old_ns` and `new_ns`, every third of old's
// ten times as long.
RunController WarmedUp(const RunPlan& plan, double old_ns, double new_ns) {
  RunController controller(plan, 0, std::numeric_limits<size_t>::max());
  SampleTime old_time;
  SampleTime new_time;
  double now_ns = 1e9;
  for (int pair = 0; pair < 12; ++pair) {
    controller.Advance(static_cast<uint64_t>(now_ns), {old_time, new_time});
    const double disturbed_ns = pair % 3 == 1 ? 10 * old_ns : old_ns;
    old_time.net = static_cast<uint64_t>(disturbed_ns);
    new_time.net = static_cast<uint64_t>(new_ns);
    now_ns += disturbed_ns + new_ns;
    controller.Close(false);
  }
  return controller;
}

TEST(RunController, SegmentsOfBothVariantsTakeTheSameTime) {
  RunPlan plan;
  plan.schedule = Schedule::kAlternating;
  plan.batch = 1000;
  plan.sample_ns = 800e3;
  plan.budget_ns = 100e6;
  const RunController old_slower = WarmedUp(plan, 799e3, 50e3);
  EXPECT_EQ(old_slower.IterationsAlone(0), 1000u);
  EXPECT_EQ(old_slower.IterationsAlone(1), 15'000u);
  EXPECT_EQ(WarmedUp(plan, 50e3, 799e3).IterationsAlone(0), 15'000u);
  const RunController alike = WarmedUp(plan, 50e3, 60e3);
  EXPECT_EQ(alike.IterationsAlone(0), 1000u);
  EXPECT_EQ(alike.IterationsAlone(1), 1000u);
  plan.calls = 1;
  EXPECT_EQ(WarmedUp(plan, 799e3, 50e3).IterationsAlone(1), 1000u) << "its set-up is for a batch";
}

RunPlan PlanWithSegment(Schedule schedule) {
  RunPlan plan = PlannedRun(40e6, 50e3);
  plan.schedule = schedule;
  plan.alone_share = 0.1;
  return plan;
}

// The blocks of a segment are long; a block of 0.75 ms would be over, and one assignment have fewer
// pairs.
TEST(RunController, AfterASegmentABlockOfADuetBeginsAnew) {
  const RunPlan plan = PlanWithSegment(Schedule::kDuet);
  for (const int first_assignment : {0, 1}) {
    RunController loops[2] = {{plan, first_assignment, 1000}, {plan, first_assignment, 1000}};
    const SampleTime time{50'000, 0};
    uint64_t now_ns = 1'000'000'000;
    int segments = 0;
    uint32_t block_of_segment = 0;
    std::map<uint32_t, int> measured_in_block;
    while (!loops[0].has_ended()) {
      const bool swap = loops[0].Advance(now_ns, {time, time});
      ASSERT_EQ(loops[1].Advance(now_ns, {time, time}), swap);
      now_ns += 50'000;
      if (swap || loops[0].has_ended()) continue;
      if (loops[0].is_alone()) {
        ++segments;
        block_of_segment = loops[0].block();
        EXPECT_NE(loops[0].assignment(), first_assignment);
        EXPECT_EQ(measured_in_block.count(block_of_segment), 0u) << "at its start";
        for (RunController& loop : loops) {
          while (loop.is_alone()) loop.CloseAlone();
        }
        now_ns += 8'000'000;
        continue;
      }
      const bool measured = loops[0].IsMeasured(now_ns);
      if (measured) ++measured_in_block[loops[0].block()];
      for (RunController& loop : loops) loop.Close(measured);
    }
    EXPECT_EQ(segments, 1);
    EXPECT_NEAR(measured_in_block[block_of_segment], measured_in_block[block_of_segment + 1], 2);
    EXPECT_EQ(loops[0].pair_index(), loops[1].pair_index());
    EXPECT_EQ(loops[0].block() % 2, 1u) << "both assignments equally often";
  }
}

}  // namespace
}  // namespace duetbench
