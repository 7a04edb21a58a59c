#include "duetbench/measure/run_controller.h"

#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include "gtest/gtest.h"
#include "tests/measure/simulated_run.h"

namespace duetbench {
namespace {

TEST(RunController, AssignmentsTakeTurnsBlockByBlock) {
  for (const int first : {0, 1}) {
    for (const double sample_ns : {50e3, 300e3, 2.5e6}) {
      const RunPlan plan = PlannedRun(50e6, sample_ns);
      Circumstances circumstances = Costing(sample_ns - 1000, sample_ns / 2);
      circumstances.first_assignment = first;
      circumstances.swap_ns = 0;
      const SimulatedRun simulated = Simulate(plan, circumstances);
      const std::map<uint32_t, std::set<uint8_t>> blocks = BlocksOf(simulated);
      EXPECT_EQ(blocks.size(), PaceRun(plan, sample_ns).blocks);
      for (const auto& [block, assignments] : blocks) {
        EXPECT_EQ(assignments, std::set<uint8_t>{static_cast<uint8_t>(first ^ (block & 1))});
      }
      EXPECT_GT(static_cast<double>(simulated.measured()) * sample_ns, 0.6 * plan.budget_ns);
      EXPECT_LT(static_cast<double>(simulated.measured()) * sample_ns, 1.1 * plan.budget_ns);
    }
  }
}

// The index of the first measured iteration.
size_t WarmUp(const SimulatedRun& simulated) {
  size_t i = 0;
  while (i < simulated.pairs.size() && !simulated.pairs[i].measured) ++i;
  return i;
}

// The numbers of iterations that precede the measured ones, unmeasured, in each block but the
// first.
std::set<size_t> DiscardedInBlocks(const SimulatedRun& simulated) {
  std::map<uint32_t, size_t> discarded;
  std::set<uint32_t> measuring;
  for (const SimulatedPair& pair : simulated.pairs) {
    if (pair.block == 0) continue;
    if (pair.measured) measuring.insert(pair.block);
    discarded[pair.block] += pair.measured ? 0 : 1;
    EXPECT_EQ(pair.measured, measuring.count(pair.block) > 0) << pair.block;
  }
  EXPECT_EQ(measuring.size(), discarded.size()) << "each block has an iteration that is measured";
  std::set<size_t> numbers;
  for (const auto& [block, number] : discarded) numbers.insert(number);
  return numbers;
}

TEST(RunController, WarmUpAndTheStartOfBlocksAreNotMeasured) {
  const auto simulate = [](double calibrated_ns, double actual_ns) {
    return Simulate(PlannedRun(20 * calibrated_ns, calibrated_ns),
                    Costing(actual_ns - 1000, actual_ns - 1000));
  };
  // A millisecond, and 200 us after each swap.
  EXPECT_EQ(WarmUp(simulate(51e3, 51e3)), 20u);
  EXPECT_EQ(DiscardedInBlocks(simulate(51e3, 51e3)), std::set<size_t>{4});
  // Or two iterations, also where they take longer than calibrated, and longer than a block.
  EXPECT_EQ(DiscardedInBlocks(simulate(51e3, 600e3)), std::set<size_t>{2});
  // One iteration before all, and none after swaps.
  EXPECT_EQ(WarmUp(simulate(3e6, 3e6)), 1u);
  EXPECT_EQ(DiscardedInBlocks(simulate(3e6, 3e6)), std::set<size_t>{0});
  EXPECT_EQ(WarmUp(simulate(600e6, 600e6)), 0u);
}

TEST(RunController, WhereSwapsAreSlowTheTimeEndsTheRun) {
  const RunPlan plan = PlannedRun(50e6, 51e3);
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.swap_ns = 5e6;
  const SimulatedRun simulated = Simulate(plan, circumstances);
  const size_t blocks = BlocksOf(simulated).size();
  EXPECT_EQ(blocks % 2, 0u) << "of both assignments equally many";
  EXPECT_LT(blocks, PaceRun(plan, 51e3).blocks / 3);
  EXPECT_GT(simulated.ns, 0.7 * plan.budget_ns);
  EXPECT_LT(simulated.ns, 1.3 * plan.budget_ns);
}

TEST(RunController, HoweverSlowSwapsAreThereAreTwoBlocks) {
  const RunPlan plan = PlannedRun(1e6, 51e3);
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.swap_ns = 50e6;
  EXPECT_EQ(BlocksOf(Simulate(plan, circumstances)).size(), 2u);
}

TEST(RunController, AFullRunEndsAtOnce) {
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.capacity = 5;
  circumstances.swap_ns = 1e9;
  const SimulatedRun simulated = Simulate(PlannedRun(20e6, 51e3), circumstances);
  EXPECT_EQ(simulated.measured(), 5u);
  EXPECT_LT(simulated.ns, 1e9) << "without a swap";
}

TEST(RunController, InterleavedIsOneBlock) {
  RunPlan plan = PlannedRun(20e6, 102e3);
  plan.schedule = Schedule::kInterleaved;
  EXPECT_EQ(BlocksOf(Simulate(plan, Costing(50e3, 101e3))).size(), 1u);
}

// The samples wait for their CPU. A run that shall see as much of the input takes more time.
TEST(RunController, TurnsHaveTheirSamplesBesideBusyProcesses) {
  RunPlan plan = PlannedRun(20e6, 50e3);
  plan.schedule = Schedule::kInterleaved;
  plan.same_iterations = 1;
  // One after the other.
  EXPECT_NEAR(Simulate(plan, Costing(100e3, 100e3)).measured(), 200, 20);
  Circumstances waiting = Costing(100e3, 100e3);
  waiting.meeting_ns = 100e3;
  EXPECT_NEAR(Simulate(plan, waiting).measured(), 200, 20);
  waiting.meeting_ns = 1e6;
  EXPECT_LT(Simulate(plan, waiting).ns, 3.5 * plan.budget_ns) << "three times as long at most";
}

TEST(RunController, OneBlockHasAPairHoweverLongItIs) {
  RunPlan plan = PlannedRun(1e6, 60e6);
  plan.schedule = Schedule::kInterleaved;
  EXPECT_EQ(Simulate(plan, Costing(30e6, 30e6)).measured(), 1u);
}

// Iterations may get faster after the calibration.
TEST(RunController, MeasuresNoMoreThanThereIsRoomFor) {
  for (const double budget_ns : {1e6, 25e6, 500e6}) {
    for (const double sample_ns : {50e3, 200e3, 201e3, 1e6, 2.1e6, 90e6, 9e9}) {
      for (const double times_faster : {1.0, 1.5, 4.0}) {
        for (const uint32_t one_pair : {0, 1}) {
          RunPlan plan = PlannedRun(budget_ns, sample_ns);
          plan.one_pair = one_pair;
          const double actual_ns = sample_ns / times_faster;
          EXPECT_LE(Simulate(plan, Costing(actual_ns, actual_ns)).measured(),
                    MaxMeasured(plan, PaceRun(plan, sample_ns), sample_ns))
              << budget_ns << " " << sample_ns << " " << times_faster << " " << one_pair;
        }
      }
    }
  }
}

TEST(RunController, FixedIterationsAreExecutedExactly) {
  for (const uint64_t iterations : {1, 2, 3, 7, 100, 12'345}) {
    for (const uint64_t batch : {0, 1, 10, 1'000'000}) {
      RunPlan plan = PlannedRun(batch == 0 ? 0 : 20e6, 51e3);
      plan.fixed_iterations = iterations;
      plan.batch = batch;
      const SimulatedRun simulated = Simulate(plan, Costing(5e3, 4e3));
      EXPECT_EQ(simulated.iterations(), iterations) << "in batches of " << batch;
      EXPECT_EQ(simulated.measured() > 0, batch > 0);
      for (const auto& [block, assignments] : BlocksOf(simulated)) {
        EXPECT_EQ(assignments.size(), 1u) << "block " << block;
      }
    }
  }
}

TEST(RunController, OneFixedPieceHasTheAssignmentThatWasDrawn) {
  RunPlan plan = PlannedRun(20e6, 51e3);
  plan.fixed_iterations = 1;
  Circumstances circumstances = Costing(50e3, 50e3);
  for (circumstances.first_assignment = 0; circumstances.first_assignment < 2;
       ++circumstances.first_assignment) {
    EXPECT_EQ(Simulate(plan, circumstances).pairs.at(0).assignment, circumstances.first_assignment);
  }
}

TEST(RunController, TheStartOfLongFixedBlocksIsNotMeasured) {
  RunPlan plan = PlannedRun(20e6, 51e3);
  plan.fixed_iterations = 100;
  EXPECT_EQ(DiscardedInBlocks(Simulate(plan, Costing(50e3, 50e3))), std::set<size_t>{2});
}

// The last batch of the calibration may be what is left.
TEST(RunController, TheLengthOfAFixedBatchIsThatOfAWholeOne) {
  RunPlan plan;
  plan.fixed_iterations = 31;  // 1, 10, and 20 of a batch of 60
  const SimulatedRun simulated = Simulate(plan, Costing(1000, 1000));
  EXPECT_EQ(simulated.pairs.size(), 3u);
  EXPECT_EQ(simulated.batch, 60u);
  EXPECT_NEAR(simulated.sample_ns, 60e3, 1e-6);
}

// --- Segments in which one variant runs solo ---

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
  EXPECT_EQ(old_slower.SoloIterations(0), 1000u);
  EXPECT_EQ(old_slower.SoloIterations(1), 15'000u);
  EXPECT_EQ(WarmedUp(plan, 50e3, 799e3).SoloIterations(0), 15'000u);
  const RunController alike = WarmedUp(plan, 50e3, 60e3);
  EXPECT_EQ(alike.SoloIterations(0), 1000u);
  EXPECT_EQ(alike.SoloIterations(1), 1000u);
  plan.calls = 1;
  EXPECT_EQ(WarmedUp(plan, 799e3, 50e3).SoloIterations(1), 1000u) << "its set-up is for a batch";
}

RunPlan PlanWithSegment(Schedule schedule) {
  RunPlan plan = PlannedRun(40e6, 50e3);
  plan.schedule = schedule;
  plan.solo_share = 0.1;
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
      if (loops[0].is_solo()) {
        ++segments;
        block_of_segment = loops[0].block();
        EXPECT_NE(loops[0].assignment(), first_assignment);
        EXPECT_EQ(measured_in_block.count(block_of_segment), 0u) << "at its start";
        for (RunController& loop : loops) {
          while (loop.is_solo()) loop.CloseSolo();
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
