// Courses that are simulated: the clock moves by what the iterations and the swaps are said to
// take.
#include "duetbench/schedule/round_controller.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "duetbench/plan/pacing.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

struct SimulatedPair {
  uint64_t iterations;
  uint32_t block;
  uint8_t assignment;
  bool measured;
};

struct SimulatedRound {
  std::vector<SimulatedPair> pairs;
  double ns = 0;  // from the first meeting to the last
  uint64_t batch = 0;
  double sample_ns = 0;
  bool nothing_to_measure[2] = {};

  uint64_t measured() const {
    return static_cast<uint64_t>(std::count_if(
        pairs.begin(), pairs.end(), [](const SimulatedPair& pair) { return pair.measured; }));
  }
  uint64_t iterations() const {
    uint64_t sum = 0;
    for (const SimulatedPair& pair : pairs) sum += pair.iterations;
    return sum;
  }
};

// The world in which two controllers work.
struct Circumstances {
  // The time that a batch with that number of iterations takes either variant.
  std::function<double(uint64_t)> cost_ns[2];
  double pause_ns[2] = {0, 0};  // of an iteration, besides its cost
  double meeting_ns = 1000;
  double set_up_ns = 0;  // of both, before each pair
  double swap_ns = 20e3;
  int first_assignment = 0;
  int round = 0;
  size_t capacity = std::numeric_limits<size_t>::max();
};

Circumstances Costing(double old_ns, double new_ns) {
  Circumstances circumstances;
  const auto linear = [](double ns) {
    return [ns](uint64_t batch) { return ns * static_cast<double>(batch); };
  };
  circumstances.cost_ns[0] = linear(old_ns);
  circumstances.cost_ns[1] = linear(new_ns);
  return circumstances;
}

// The controllers of both loops in one round, which must agree in every decision.
SimulatedRound Simulate(RunPlan plan, const Circumstances& circumstances) {
  plan.ns_per_tick = 0.5;
  const auto ticks = [&plan](double ns) { return static_cast<uint64_t>(ns / plan.ns_per_tick); };
  RoundController sides[2] = {
      {plan, circumstances.first_assignment, circumstances.round, circumstances.capacity},
      {plan, circumstances.first_assignment, circumstances.round, circumstances.capacity}};
  SimulatedRound simulated;
  SampleTime times[2];
  constexpr double kBeginNs = 1e15;
  double now_ns = kBeginNs;
  for (int meeting = 0; meeting < 10'000'000; ++meeting) {
    const uint64_t reference = ticks(now_ns);
    const bool swap = sides[0].Advance(reference, times[0], times[1]);
    const bool partner_swaps = sides[1].Advance(reference, times[0], times[1]);
    const auto decisions = [reference](const RoundController& side) {
      return std::tuple(side.has_ended(), side.pair_index(), side.iterations(), side.block(),
                        side.assignment(), side.IsMeasured(reference));
    };
    if (partner_swaps != swap || decisions(sides[0]) != decisions(sides[1])) {
      ADD_FAILURE() << "the sides disagree at iteration " << sides[0].pair_index();
      return simulated;
    }
    if (sides[0].has_ended()) {
      simulated.ns = now_ns - kBeginNs;
      simulated.batch = sides[0].batch();
      simulated.sample_ns = sides[0].sample_ns();
      for (int i = 0; i < 2; ++i) {
        simulated.nothing_to_measure[i] = sides[0].nothing_to_measure(i);
      }
      return simulated;
    }
    if (swap) {
      now_ns += circumstances.swap_ns;
      continue;
    }
    const bool measured = sides[0].IsMeasured(reference);
    const uint64_t iterations = sides[0].iterations();
    simulated.pairs.push_back({iterations, sides[0].block(), sides[0].assignment(), measured});
    double slower_ns = 0;
    for (int i = 0; i < 2; ++i) {
      const double ns = circumstances.cost_ns[i](iterations);
      const double paused_ns = circumstances.pause_ns[i] * static_cast<double>(iterations);
      times[i] = {ticks(ns), ticks(paused_ns)};
      slower_ns = std::max(slower_ns, ns + paused_ns);
      sides[i].Close(measured);
    }
    now_ns += slower_ns + circumstances.meeting_ns + circumstances.set_up_ns;
  }
  ADD_FAILURE() << "no end";
  return simulated;
}

RunPlan PlannedRound(double budget_ns, double sample_ns) {
  RunPlan plan;
  plan.budget_ns = budget_ns;
  plan.batch = 1;
  plan.sample_ns = sample_ns;
  return plan;
}

// The assignment of each block.
std::map<uint32_t, std::set<uint8_t>> BlocksOf(const SimulatedRound& simulated) {
  std::map<uint32_t, std::set<uint8_t>> blocks;
  for (const SimulatedPair& pair : simulated.pairs) {
    blocks[pair.block].insert(pair.assignment);
  }
  return blocks;
}

// --- Calibration ---

TEST(RoundController, BothSidesDecideAlikeHoweverTheTimesScatter) {
  std::mt19937_64 engine(1);
  std::lognormal_distribution<double> noise(0, 1);
  const auto noisy = [&](double ns) {
    return [&, ns](uint64_t batch) { return ns * static_cast<double>(batch) * noise(engine); };
  };
  for (const double old_ns : {0.5, 40.0, 3e3, 70e3, 5e6}) {
    for (const double new_ns : {0.5, 40.0, 3e3, 70e3, 5e6}) {
      Circumstances circumstances;
      circumstances.cost_ns[0] = noisy(old_ns);
      circumstances.cost_ns[1] = noisy(new_ns);
      RunPlan plan;
      plan.budget_ns = 20e6;
      EXPECT_GT(Simulate(plan, circumstances).measured(), 0u) << old_ns << " " << new_ns;
      plan.fixed_iterations = 1000;
      EXPECT_EQ(Simulate(plan, circumstances).iterations(), 1000u);
    }
  }
}

TEST(RoundController, ABatchIsLongEnoughOnceItWasForAMillisecond) {
  const RunPlan plan;  // without a budget: calibration alone
  RoundController course(plan, 0, 0, 0);
  const auto closed = [&course](uint64_t ticks, uint64_t partner_ticks) {
    course.Close(false);
    EXPECT_FALSE(course.Advance(0, {ticks, 0}, {partner_ticks, 0}));
    return course.iterations();
  };
  EXPECT_FALSE(course.Advance(0, {}, {}));
  EXPECT_EQ(course.iterations(), 1u);
  EXPECT_EQ(closed(1000, 2000), 10u);
  EXPECT_EQ(closed(80'000, 90'000), 10u) << "maybe long enough";
  EXPECT_EQ(closed(10'000, 20'000), 60u) << "it was disturbed";
  EXPECT_EQ(closed(60'000, 120'000), 60u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(closed(90'000, 130'000), 60u);
    EXPECT_FALSE(course.has_ended());
  }
  EXPECT_EQ(closed(90'000, 130'000), 60u);
  EXPECT_TRUE(course.has_ended());
  EXPECT_EQ(course.batch(), 60u);
  EXPECT_EQ(course.sample_ns(), 120'000) << "of the slower side, undisturbed";
}

// Code that allocates is slow as long as it touches pages for the first time.
TEST(RoundController, SlowFirstIterationsDoNotMakeABatchLong) {
  Circumstances circumstances = Costing(0, 0);
  uint64_t executed = 0;
  circumstances.cost_ns[0] = [&executed](uint64_t batch) {
    const double ns = static_cast<double>(batch) * (executed < 1000 ? 600 : 10);
    executed += batch;
    return ns;
  };
  circumstances.cost_ns[1] = [](uint64_t batch) { return 600.0 * static_cast<double>(batch); };
  EXPECT_GE(Simulate(RunPlan(), circumstances).batch, 5000u);
}

TEST(RoundController, ABatchOfASecondIsBelievedAtOnce) {
  EXPECT_EQ(Simulate(RunPlan(), Costing(1.5e9, 2e9)).pairs.size(), 1u);
  EXPECT_EQ(Simulate(RunPlan(), Costing(0.5e9, 2e9)).pairs.size(), 2u);
}

// An iteration of 10 ns with a pause of 1 ms: by its 10 ns alone a sample would take 5 s.
TEST(RoundController, PausesCountInTheLengthOfASample) {
  RunPlan plan;
  plan.budget_ns = 200e6;
  plan.resolution_ns = 25;
  Circumstances circumstances = Costing(10, 10);
  circumstances.pause_ns[0] = circumstances.pause_ns[1] = 1e6;
  const SimulatedRound simulated = Simulate(plan, circumstances);
  EXPECT_FALSE(simulated.nothing_to_measure[0] || simulated.nothing_to_measure[1]);
  EXPECT_GE(simulated.batch, 50u) << "what the clock resolves";
  EXPECT_LE(simulated.batch, 101u) << "of 0.1 s";
  EXPECT_NEAR(simulated.sample_ns, static_cast<double>(simulated.batch) * 1e6, 1e5);
  EXPECT_GE(simulated.measured(), 2u);
  EXPECT_LT(simulated.ns, 3 * plan.budget_ns + 5 * simulated.sample_ns);
}

TEST(RoundController, PausesLimitAResolvedBatchToTenMilliseconds) {
  RunPlan plan;
  plan.budget_ns = 200e6;
  plan.resolution_ns = 25;
  Circumstances circumstances = Costing(1000, 1000);
  circumstances.pause_ns[1] = 1e6;
  EXPECT_LE(Simulate(plan, circumstances).batch, 11u);
}

RunPlan PlanOfCalls(double budget_ns) {
  RunPlan plan;
  plan.calls = 1;
  plan.budget_ns = budget_ns;
  return plan;
}

TEST(RoundController, TheSetUpOfACallCountsInItsLength) {
  Circumstances circumstances = Costing(100e3, 90e3);
  circumstances.set_up_ns = 8e6;
  const SimulatedRound simulated = Simulate(PlanOfCalls(100e6), circumstances);
  EXPECT_NEAR(simulated.sample_ns, 8.1e6, 1e4);
  EXPECT_EQ(simulated.measured(), 12u);
  EXPECT_LE(simulated.pairs.size(), 15u) << "two that calibrate, and one that warms up";
}

TEST(RoundController, ExpensiveCallsAreAsFewAsPossible) {
  Circumstances circumstances = Costing(20e6, 20e6);
  circumstances.set_up_ns = 300e6;
  EXPECT_EQ(Simulate(PlanOfCalls(0), circumstances).pairs.size(), 1u);
  EXPECT_EQ(Simulate(PlanOfCalls(10e6), circumstances).pairs.size(), 3u) << "and two measured";
  RunPlan plan = PlanOfCalls(50e6);
  plan.batch = 1;
  plan.sample_ns = 320e6;
  const SimulatedRound simulated = Simulate(plan, circumstances);
  EXPECT_EQ(simulated.pairs.size(), 2u);
  EXPECT_EQ(BlocksOf(simulated).size(), 2u) << "one with each assignment";
}

TEST(RoundController, ACallExecutesAFixedNumberOfIterationsAtOnce) {
  RunPlan plan = PlanOfCalls(100e6);
  plan.fixed_iterations = 1000;
  Circumstances circumstances = Costing(1000, 1000);
  circumstances.set_up_ns = 5e6;
  const SimulatedRound calibrated = Simulate(plan, circumstances);
  ASSERT_EQ(calibrated.pairs.size(), 1u);
  EXPECT_EQ(calibrated.batch, 1000u);
  EXPECT_NEAR(calibrated.sample_ns, 6e6, 1e4);
  plan.batch = calibrated.batch;
  plan.sample_ns = calibrated.sample_ns;
  const SimulatedRound simulated = Simulate(plan, circumstances);
  ASSERT_EQ(simulated.pairs.size(), 1u);
  EXPECT_EQ(simulated.pairs[0].iterations, 1000u);
  EXPECT_TRUE(simulated.pairs[0].measured);
}

TEST(RoundController, APilotWhoseSamplesTakeLongerThanItsTimeOnlyCalibrates) {
  RunPlan plan;
  plan.budget_ns = 25e6;
  plan.is_pilot = 1;
  EXPECT_EQ(Simulate(plan, Costing(5e9, 5e9)).pairs.size(), 1u);
  EXPECT_GT(Simulate(plan, Costing(1e6, 1e6)).measured(), 10u);
  plan.is_pilot = 0;
  EXPECT_GT(Simulate(plan, Costing(5e9, 5e9)).measured(), 0u);
}

TEST(RoundController, VariantWithoutTimeEndsTheRoundAndIsNamed) {
  RunPlan plan;
  plan.budget_ns = 20e6;
  plan.resolution_ns = 30;
  const SimulatedRound one = Simulate(plan, Costing(0, 5000));
  EXPECT_EQ(one.measured(), 0u);
  EXPECT_TRUE(one.nothing_to_measure[0]);
  EXPECT_FALSE(one.nothing_to_measure[1]);
  const SimulatedRound both = Simulate(plan, Costing(0, 0));
  EXPECT_TRUE(both.nothing_to_measure[0] && both.nothing_to_measure[1]);
}

// --- Blocks ---

TEST(RoundController, AssignmentsTakeTurnsBlockByBlock) {
  for (const int first : {0, 1}) {
    for (const double sample_ns : {50e3, 300e3, 2.5e6}) {
      const RunPlan plan = PlannedRound(50e6, sample_ns);
      Circumstances circumstances = Costing(sample_ns - 1000, sample_ns / 2);
      circumstances.first_assignment = first;
      circumstances.swap_ns = 0;
      const SimulatedRound simulated = Simulate(plan, circumstances);
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
size_t WarmUp(const SimulatedRound& simulated) {
  size_t i = 0;
  while (i < simulated.pairs.size() && !simulated.pairs[i].measured) ++i;
  return i;
}

// The numbers of iterations that precede the measured ones, unmeasured, in each block but the
// first.
std::set<size_t> DiscardedInBlocks(const SimulatedRound& simulated) {
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

TEST(RoundController, WarmUpAndTheStartOfBlocksAreNotMeasured) {
  const auto simulate = [](double calibrated_ns, double actual_ns) {
    return Simulate(PlannedRound(20 * calibrated_ns, calibrated_ns),
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

TEST(RoundController, WhereSwapsAreSlowTheTimeEndsTheRound) {
  const RunPlan plan = PlannedRound(50e6, 51e3);
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.swap_ns = 5e6;
  const SimulatedRound simulated = Simulate(plan, circumstances);
  const size_t blocks = BlocksOf(simulated).size();
  EXPECT_EQ(blocks % 2, 0u) << "of both assignments equally many";
  EXPECT_LT(blocks, PaceRun(plan, 51e3).blocks / 3);
  EXPECT_GT(simulated.ns, 0.7 * plan.budget_ns);
  EXPECT_LT(simulated.ns, 1.3 * plan.budget_ns);
}

TEST(RoundController, HoweverSlowSwapsAreThereAreTheLeastBlocks) {
  RunPlan plan = PlannedRound(1e6, 51e3);
  plan.min_blocks = 6;
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.swap_ns = 50e6;
  EXPECT_EQ(BlocksOf(Simulate(plan, circumstances)).size(), 6u);
}

TEST(RoundController, AFullRoundEndsAtOnce) {
  Circumstances circumstances = Costing(50e3, 50e3);
  circumstances.capacity = 5;
  circumstances.swap_ns = 1e9;
  const SimulatedRound simulated = Simulate(PlannedRound(20e6, 51e3), circumstances);
  EXPECT_EQ(simulated.measured(), 5u);
  EXPECT_LT(simulated.ns, 1e9) << "without a swap";
}

TEST(RoundController, ALimitOfPairsIsDividedAmongTheBlocks) {
  RunPlan plan = PlannedRound(20e6, 51e3);
  const size_t blocks = PaceRun(plan, 51e3).blocks;
  plan.max_pairs = 3 * blocks;
  const SimulatedRound simulated = Simulate(plan, Costing(50e3, 50e3));
  EXPECT_EQ(simulated.measured(), plan.max_pairs);
  EXPECT_EQ(BlocksOf(simulated).size(), blocks);
}

TEST(RoundController, InterleavedIsOneBlock) {
  RunPlan plan = PlannedRound(20e6, 102e3);
  plan.schedule = Schedule::kInterleaved;
  EXPECT_EQ(BlocksOf(Simulate(plan, Costing(50e3, 101e3))).size(), 1u);
}

TEST(RoundController, OneBlockHasThePairsThatASingleRunNeeds) {
  RunPlan plan = PlannedRound(1e6, 60e6);
  plan.schedule = Schedule::kInterleaved;
  EXPECT_EQ(Simulate(plan, Costing(30e6, 30e6)).measured(), 1u);
  plan.min_blocks = 4;
  EXPECT_EQ(Simulate(plan, Costing(30e6, 30e6)).measured(), 4u);
}

// Iterations may get faster after the calibration.
TEST(RoundController, MeasuresNoMoreThanThereIsRoomFor) {
  for (const double budget_ns : {1e6, 25e6, 500e6}) {
    for (const double sample_ns : {50e3, 200e3, 201e3, 1e6, 2.1e6, 90e6, 9e9}) {
      for (const double times_faster : {1.0, 1.5, 4.0}) {
        for (const uint64_t max_pairs : {0, 1, 2, 9, 1000}) {
          RunPlan plan = PlannedRound(budget_ns, sample_ns);
          plan.max_pairs = max_pairs;
          const double actual_ns = sample_ns / times_faster;
          EXPECT_LE(Simulate(plan, Costing(actual_ns, actual_ns)).measured(),
                    MaxMeasured(plan, PaceRun(plan, sample_ns), sample_ns))
              << budget_ns << " " << sample_ns << " " << times_faster << " " << max_pairs;
        }
      }
    }
  }
}

// --- Samples alone ---

// Advances through the warm-up with samples that take `old_ns` and `new_ns`, every third of old's
// ten times as long.
RoundController WarmedUp(const RunPlan& plan, double old_ns, double new_ns) {
  RoundController controller(plan, 0, 0, std::numeric_limits<size_t>::max());
  SampleTime old_time;
  SampleTime new_time;
  double now_ns = 1e9;
  for (int pair = 0; pair < 12; ++pair) {
    controller.Advance(static_cast<uint64_t>(now_ns), old_time, new_time);
    const double disturbed_ns = pair % 3 == 1 ? 10 * old_ns : old_ns;
    old_time.net = static_cast<uint64_t>(disturbed_ns);
    new_time.net = static_cast<uint64_t>(new_ns);
    now_ns += disturbed_ns + new_ns;
    controller.Close(false);
  }
  return controller;
}

TEST(RoundController, SegmentsOfBothVariantsTakeTheSameTime) {
  RunPlan plan;
  plan.schedule = Schedule::kAlternating;
  plan.batch = 1000;
  plan.sample_ns = 800e3;
  plan.budget_ns = 100e6;
  const RoundController old_slower = WarmedUp(plan, 799e3, 50e3);
  EXPECT_EQ(old_slower.IterationsAlone(0), 1000u);
  EXPECT_EQ(old_slower.IterationsAlone(1), 15'000u);
  EXPECT_EQ(WarmedUp(plan, 50e3, 799e3).IterationsAlone(0), 15'000u);
  const RoundController alike = WarmedUp(plan, 50e3, 60e3);
  EXPECT_EQ(alike.IterationsAlone(0), 1000u);
  EXPECT_EQ(alike.IterationsAlone(1), 1000u);
  plan.calls = 1;
  EXPECT_EQ(WarmedUp(plan, 799e3, 50e3).IterationsAlone(1), 1000u) << "its set-up is for a batch";
}

RunPlan PlanWithSegment(Schedule schedule) {
  RunPlan plan = PlannedRound(40e6, 50e3);
  plan.schedule = schedule;
  plan.alone_share = 0.1;
  return plan;
}

// One lane executes the segment, the other one sleeps: both know that the round is full.
TEST(RoundController, LanesAgreeWhenARoundIsFullAfterASegment) {
  const RunPlan plan = PlanWithSegment(Schedule::kCrossed);
  RoundController lanes[2] = {{plan, 0, 0, 1000}, {plan, 0, 0, 1000}};
  const SampleTime time{1000, 0};  // fifty times as fast as calibrated
  uint64_t now_ns = 1'000'000'000;
  uint64_t alone = 0;
  while (!lanes[0].has_ended()) {
    for (RoundController& lane : lanes) lane.Advance(now_ns, time, time);
    ASSERT_EQ(lanes[0].has_ended(), lanes[1].has_ended()) << lanes[0].pair_index();
    const int alone_lane = lanes[0].alone_lane();
    ASSERT_EQ(lanes[1].alone_lane(), alone_lane);
    if (alone_lane >= 0) {
      for (; lanes[alone_lane].alone_lane() >= 0; ++alone) lanes[alone_lane].CloseAlone();
      lanes[1 - alone_lane].SkipAlone();
      now_ns += 4'000'000;
    } else if (!lanes[0].has_ended()) {
      const bool measured = lanes[0].IsMeasured(now_ns);
      for (RoundController& lane : lanes) lane.Close(measured);
      now_ns += alone == 0 ? 50'000 : 2'000;
    }
  }
  EXPECT_GT(alone, 0u);
  EXPECT_LT(now_ns, 1'030'000'000u) << "it was full before its time";
  EXPECT_EQ(lanes[0].pair_index(), lanes[1].pair_index());
}

// The blocks of a segment are long; a block of 0.75 ms would be over, and one assignment have fewer
// pairs.
TEST(RoundController, AfterASegmentABlockOfADuetBeginsAnew) {
  const RunPlan plan = PlanWithSegment(Schedule::kDuet);
  for (const int first_assignment : {0, 1}) {
    RoundController loops[2] = {{plan, first_assignment, 0, 1000},
                                {plan, first_assignment, 0, 1000}};
    const SampleTime time{50'000, 0};
    uint64_t now_ns = 1'000'000'000;
    int segments = 0;
    uint32_t block_of_segment = 0;
    std::map<uint32_t, int> measured_in_block;
    while (!loops[0].has_ended()) {
      const bool swap = loops[0].Advance(now_ns, time, time);
      ASSERT_EQ(loops[1].Advance(now_ns, time, time), swap);
      now_ns += 50'000;
      if (swap || loops[0].has_ended()) continue;
      if (loops[0].alone_lane() >= 0) {
        ++segments;
        block_of_segment = loops[0].block();
        EXPECT_NE(loops[0].assignment(), first_assignment);
        EXPECT_EQ(measured_in_block.count(block_of_segment), 0u) << "at its start";
        for (RoundController& loop : loops) {
          while (loop.alone_lane() >= 0) loop.CloseAlone();
        }
        now_ns += 8'000'000;
        continue;
      }
      const bool measured = loops[0].IsMeasured(now_ns);
      if (measured) ++measured_in_block[loops[0].block()];
      for (RoundController& loop : loops) loop.Close(measured);
    }
    EXPECT_EQ(segments, 1);
    EXPECT_NEAR(measured_in_block[block_of_segment], measured_in_block[block_of_segment + 1], 2);
    EXPECT_EQ(loops[0].pair_index(), loops[1].pair_index());
    EXPECT_EQ(loops[0].block() % 2, 1u) << "both assignments equally often";
  }
}

// --- A fixed number of iterations ---

TEST(RoundController, FixedIterationsAreExecutedExactly) {
  for (const uint64_t iterations : {1, 2, 3, 7, 100, 12'345}) {
    for (const uint64_t batch : {0, 1, 10, 1'000'000}) {
      RunPlan plan = PlannedRound(batch == 0 ? 0 : 20e6, 51e3);
      plan.fixed_iterations = iterations;
      plan.batch = batch;
      const SimulatedRound simulated = Simulate(plan, Costing(5e3, 4e3));
      EXPECT_EQ(simulated.iterations(), iterations) << "in batches of " << batch;
      EXPECT_EQ(simulated.measured() > 0, batch > 0);
      for (const auto& [block, assignments] : BlocksOf(simulated)) {
        EXPECT_EQ(assignments.size(), 1u) << "block " << block;
      }
    }
  }
}

TEST(RoundController, OneFixedPieceChangesCpusFromRoundToRound) {
  RunPlan plan = PlannedRound(20e6, 51e3);
  plan.fixed_iterations = 1;
  plan.rounds = 2;
  Circumstances circumstances = Costing(50e3, 50e3);
  const auto assignment = [&] {
    return static_cast<int>(Simulate(plan, circumstances).pairs.at(0).assignment);
  };
  EXPECT_EQ(assignment(), 0);
  circumstances.round = 1;
  EXPECT_EQ(assignment(), 1);
}

TEST(RoundController, TheStartOfLongFixedBlocksIsNotMeasured) {
  RunPlan plan = PlannedRound(20e6, 51e3);
  plan.fixed_iterations = 100;
  EXPECT_EQ(DiscardedInBlocks(Simulate(plan, Costing(50e3, 50e3))), std::set<size_t>{2});
}

TEST(RoundController, ALimitOfPairsEndsFixedOnesToo) {
  RunPlan plan = PlannedRound(20e6, 51e3);
  plan.fixed_iterations = 10;
  plan.max_pairs = 3;
  EXPECT_EQ(Simulate(plan, Costing(50e3, 50e3)).measured(), 3u);
}

// The last batch of the calibration may be what is left.
TEST(RoundController, TheLengthOfAFixedBatchIsThatOfAWholeOne) {
  RunPlan plan;
  plan.fixed_iterations = 31;  // 1, 10, and 20 of a batch of 60
  const SimulatedRound simulated = Simulate(plan, Costing(1000, 1000));
  EXPECT_EQ(simulated.pairs.size(), 3u);
  EXPECT_EQ(simulated.batch, 60u);
  EXPECT_NEAR(simulated.sample_ns, 60e3, 1e-6);
}

}  // namespace
}  // namespace duetbench
