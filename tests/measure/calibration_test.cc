// RunController: the number of iterations in a sample.
#include <cstdint>
#include <random>

#include "duetbench/measure/run_controller.h"
#include "gtest/gtest.h"
#include "tests/measure/simulated_run.h"

namespace duetbench {
namespace {

TEST(Calibration, BothSidesDecideAlikeHoweverTheTimesScatter) {
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

TEST(Calibration, ABatchIsLongEnoughOnceItWasForAMillisecond) {
  const RunPlan plan;  // without a budget: calibration alone
  RunController course(plan, 0, 0);
  const auto closed = [&course](uint64_t ticks, uint64_t partner_ticks) {
    course.Close(false);
    EXPECT_FALSE(course.Advance(0, {SampleTime{ticks, 0}, SampleTime{partner_ticks, 0}}));
    return course.iterations();
  };
  EXPECT_FALSE(course.Advance(0, {SampleTime(), SampleTime()}));
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
TEST(Calibration, SlowFirstIterationsDoNotMakeABatchLong) {
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

TEST(Calibration, ABatchOfASecondIsBelievedAtOnce) {
  EXPECT_EQ(Simulate(RunPlan(), Costing(1.5e9, 2e9)).pairs.size(), 1u);
  EXPECT_EQ(Simulate(RunPlan(), Costing(0.5e9, 2e9)).pairs.size(), 2u);
}

// An iteration of 10 ns with a pause of 1 ms: by its 10 ns alone a sample would take 5 s.
TEST(Calibration, PausesCountInTheLengthOfASample) {
  RunPlan plan;
  plan.budget_ns = 200e6;
  plan.resolution_ns = 25;
  Circumstances circumstances = Costing(10, 10);
  circumstances.pause_ns[0] = circumstances.pause_ns[1] = 1e6;
  const SimulatedRun simulated = Simulate(plan, circumstances);
  EXPECT_FALSE(simulated.nothing_to_measure[0] || simulated.nothing_to_measure[1]);
  EXPECT_GE(simulated.batch, 50u) << "what the clock resolves";
  EXPECT_LE(simulated.batch, 101u) << "of 0.1 s";
  EXPECT_NEAR(simulated.sample_ns, static_cast<double>(simulated.batch) * 1e6, 1e5);
  EXPECT_GE(simulated.measured(), 2u);
  EXPECT_LT(simulated.ns, 3 * plan.budget_ns + 5 * simulated.sample_ns);
}

TEST(Calibration, PausesLimitAResolvedBatchToTenMilliseconds) {
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

TEST(Calibration, TheSetUpOfACallCountsInItsLength) {
  Circumstances circumstances = Costing(1e6, 0.9e6);
  circumstances.set_up_ns = 8e6;
  const SimulatedRun simulated = Simulate(PlanOfCalls(100e6), circumstances);
  EXPECT_NEAR(simulated.sample_ns, 9e6, 1e4);
  EXPECT_EQ(simulated.measured(), 10u);
  EXPECT_LE(simulated.pairs.size(), 15u) << "two that calibrate, and one that warms up";
}

TEST(Calibration, ExpensiveCallsAreAsFewAsPossible) {
  Circumstances circumstances = Costing(20e6, 20e6);
  circumstances.set_up_ns = 300e6;
  EXPECT_EQ(Simulate(PlanOfCalls(0), circumstances).pairs.size(), 1u);
  EXPECT_EQ(Simulate(PlanOfCalls(10e6), circumstances).pairs.size(), 3u) << "and two measured";
  RunPlan plan = PlanOfCalls(50e6);
  plan.batch = 1;
  plan.sample_ns = 320e6;
  const SimulatedRun simulated = Simulate(plan, circumstances);
  EXPECT_EQ(simulated.pairs.size(), 2u);
  EXPECT_EQ(BlocksOf(simulated).size(), 2u) << "one with each assignment";
}

TEST(Calibration, ACallExecutesAFixedNumberOfIterationsAtOnce) {
  RunPlan plan = PlanOfCalls(100e6);
  plan.fixed_iterations = 1000;
  Circumstances circumstances = Costing(1000, 1000);
  circumstances.set_up_ns = 5e6;
  const SimulatedRun calibrated = Simulate(plan, circumstances);
  ASSERT_EQ(calibrated.pairs.size(), 1u);
  EXPECT_EQ(calibrated.batch, 1000u);
  EXPECT_NEAR(calibrated.sample_ns, 6e6, 1e4);
  plan.batch = calibrated.batch;
  plan.sample_ns = calibrated.sample_ns;
  const SimulatedRun simulated = Simulate(plan, circumstances);
  ASSERT_EQ(simulated.pairs.size(), 1u);
  EXPECT_EQ(simulated.pairs[0].iterations, 1000u);
  EXPECT_TRUE(simulated.pairs[0].measured);
}

TEST(Calibration, APilotWhoseSamplesTakeLongerThanItsTimeOnlyCalibrates) {
  RunPlan plan;
  plan.budget_ns = 25e6;
  plan.is_pilot = 1;
  EXPECT_EQ(Simulate(plan, Costing(5e9, 5e9)).pairs.size(), 1u);
  EXPECT_GT(Simulate(plan, Costing(1e6, 1e6)).measured(), 10u);
  plan.is_pilot = 0;
  EXPECT_GT(Simulate(plan, Costing(5e9, 5e9)).measured(), 0u);
}

TEST(Calibration, VariantWithoutTimeEndsTheRunAndIsNamed) {
  RunPlan plan;
  plan.budget_ns = 20e6;
  plan.resolution_ns = 30;
  const SimulatedRun one = Simulate(plan, Costing(0, 5000));
  EXPECT_EQ(one.measured(), 0u);
  EXPECT_TRUE(one.nothing_to_measure[0]);
  EXPECT_FALSE(one.nothing_to_measure[1]);
  const SimulatedRun both = Simulate(plan, Costing(0, 0));
  EXPECT_TRUE(both.nothing_to_measure[0] && both.nothing_to_measure[1]);
}

}  // namespace
}  // namespace duetbench
