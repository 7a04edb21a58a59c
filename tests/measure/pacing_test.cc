#include "duetbench/measure/pacing.h"

#include <algorithm>
#include <functional>
#include <random>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// The time of a batch with that number of iterations, in nanoseconds.
using Cost = std::function<double(uint64_t)>;

Cost Linear(double ns_per_iteration, double fixed_ns = 0) {
  return [=](uint64_t batch) { return fixed_ns + ns_per_iteration * static_cast<double>(batch); };
}

struct Calibrated {
  uint64_t batch = 1;
  int steps = 0;
  double faster_ns = 0;  // as last measured
  double slower_ns = 0;
};

Calibrated Calibrate(const Cost& old_cost, const Cost& new_cost, const RunPlan& plan) {
  Calibrated state;
  for (;;) {
    const double old_ns = old_cost(state.batch);
    const double new_ns = new_cost(state.batch);
    state.faster_ns = std::min(old_ns, new_ns);
    state.slower_ns = std::max(old_ns, new_ns);
    const uint64_t next = NextCalibrationBatch(state.batch, state.faster_ns, state.slower_ns, plan);
    if (next == state.batch) return state;
    EXPECT_GT(next, state.batch);
    EXPECT_LE(next, 10 * state.batch);
    state.batch = next;
    if (++state.steps == 100) {
      ADD_FAILURE() << "no end of calibrating";
      return state;
    }
  }
}

TEST(NextCalibrationBatch, ReachesTheTargetFromAnyLinearCost) {
  const RunPlan plan;
  double ns = 0.1;
  for (int i = 0; i < 44; ++i, ns *= 1.7) {
    for (const double fixed_ns : {0.0, 20.0, 5000.0, 20e3}) {
      for (const double ratio : {1.0, 1.01, 3.0}) {
        SCOPED_TRACE(absl::StrCat(ns, " ns, fixed ", fixed_ns, " ns, ratio ", ratio));
        const Calibrated end = Calibrate(Linear(ns, fixed_ns), Linear(ns * ratio, fixed_ns), plan);
        EXPECT_GE(end.faster_ns, plan.min_batch_ns);
        EXPECT_LE(end.steps, 20);
        if (end.batch > 1) {
          // Not far beyond it either: what the last step was scaled from may have been mostly fixed
          // cost, but then the step is at most tenfold.
          EXPECT_LE(end.faster_ns, 10 * plan.min_batch_ns);
        }
      }
    }
  }
}

TEST(NextCalibrationBatch, AFunctionLongEnoughByItselfIsNotRepeated) {
  RunPlan plan;
  EXPECT_EQ(NextCalibrationBatch(1, plan.min_batch_ns, plan.min_batch_ns, plan), 1u);
  EXPECT_EQ(NextCalibrationBatch(1, 10e9, 20e9, plan), 1u);
  plan.min_batch_ns = 1e6;
  EXPECT_GT(NextCalibrationBatch(1, 0.9e6, 0.9e6, plan), 1u);
}

TEST(NextCalibrationBatch, ReachesTheTargetThroughNoise) {
  std::mt19937_64 engine(1);
  std::lognormal_distribution<double> noise(0, 0.5);
  const auto noisy = [&](double ns) {
    return [&, ns](uint64_t batch) { return ns * static_cast<double>(batch) * noise(engine); };
  };
  const RunPlan plan;
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const Calibrated end = Calibrate(noisy(3), noisy(4), plan);
    EXPECT_GE(end.faster_ns, plan.min_batch_ns);
    EXPECT_LE(end.steps, 20);
  }
}

TEST(NextCalibrationBatch, TheFasterSideWaitsAtMostTenMillisecondsForAMuchSlowerOne) {
  const RunPlan plan;
  for (const double slow_ns : {1e3, 20e3, 1e6, 4e6, 9.5e6, 50e6, 10e9}) {
    SCOPED_TRACE(slow_ns);
    const Calibrated end = Calibrate(Linear(0.5), Linear(slow_ns), plan);
    EXPECT_LE(end.slower_ns, std::max(10e6 + slow_ns, slow_ns));
    // As long as that allows: not more than a tenth short of it.
    EXPECT_GE(end.slower_ns, 10e6 / 1.1);
    const Calibrated swapped = Calibrate(Linear(slow_ns), Linear(0.5), plan);
    EXPECT_EQ(swapped.batch, end.batch);
  }
}

TEST(NextCalibrationBatch, BesideExpensiveSetUpsStepsAndBatchesAreLonger) {
  const RunPlan plan;
  constexpr double kSetUpNs = 60e6;
  EXPECT_EQ(NextCalibrationBatch(1, 1e3, 1e3, plan, kSetUpNs), 1000u);
  const uint64_t next = NextCalibrationBatch(1000, 1e6, 1e6, plan, kSetUpNs);
  EXPECT_GE(next, 6000u) << "a tenth of the set-up";
  EXPECT_EQ(NextCalibrationBatch(next, 7e6, 7e6, plan, kSetUpNs), next);
  EXPECT_EQ(NextCalibrationBatch(1000, 1e6, 1e6, plan, 1e6), 1000u);
}

TEST(NextCalibrationBatch, EndsAtNoCostAtAll) {
  const RunPlan plan;
  const Calibrated end = Calibrate(Linear(0), Linear(0), plan);
  EXPECT_LE(end.steps, 11);
  EXPECT_GE(end.batch, 1'000'000'000u);
  const Calibrated beside_work = Calibrate(Linear(0), Linear(100), plan);
  EXPECT_LE(beside_work.slower_ns, 10e6 + 100);
}

TEST(TakesNoTime, ALoopThatWasRemovedBesideOneThatWasNot) {
  RunPlan plan;
  plan.resolution_ns = 10;
  EXPECT_TRUE(TakesNoTime(199, 1, plan)) << "below the resolution";
  EXPECT_FALSE(TakesNoTime(201, 1, plan));
  EXPECT_TRUE(TakesNoTime(600, 600'000, plan)) << "0.001 ns an iteration";
  EXPECT_FALSE(TakesNoTime(200'000, 1'000'000, plan)) << "a cycle at 5 GHz";
}

TEST(TakesNoTime, NotWhereTheVariantsReportTheirTimes) {
  RunPlan plan;
  plan.resolution_ns = 20;
  plan.manual_time = 1;
  EXPECT_FALSE(TakesNoTime(0, 1'000'000, plan)) << "all of it may lie in pauses";
}

TEST(IsBelowResolution, TwentyTimesWhatTheClockResolves) {
  RunPlan plan;
  plan.resolution_ns = 30;
  EXPECT_TRUE(IsBelowResolution(0, plan));
  EXPECT_TRUE(IsBelowResolution(599, plan));
  EXPECT_FALSE(IsBelowResolution(600, plan));
}

constexpr double kIterationsNs[] = {50e3,  60e3, 150e3, 200e3, 201e3, 500e3, 1e6,
                                    1.9e6, 2e6,  2.1e6, 9e6,   90e6,  700e6, 9e9};
constexpr double kBudgetsNs[] = {1e6, 8e6, 25e6, 100e6, 1e9, 10e9};

RunPlan PlanWithBudget(double budget_ns) {
  RunPlan plan;
  plan.budget_ns = budget_ns;
  return plan;
}

void ForEachPacing(const std::function<void(const RunPlan&, double, const Pacing&)>& check) {
  for (const double budget_ns : kBudgetsNs) {
    for (const double sample_ns : kIterationsNs) {
      SCOPED_TRACE(absl::StrCat("budget ", budget_ns, " ns, iteration ", sample_ns, " ns"));
      const RunPlan plan = PlanWithBudget(budget_ns);
      check(plan, sample_ns, PaceRun(plan, sample_ns));
    }
  }
}

TEST(PaceRun, BothAssignmentsGetEquallyManyBlocks) {
  ForEachPacing([](const RunPlan&, double, const Pacing& pacing) {
    EXPECT_EQ(pacing.blocks % 2, 0u);
    EXPECT_GE(pacing.blocks, 2u);
  });
}

TEST(PaceRun, KeepsTheBudget) {
  ForEachPacing([](const RunPlan& plan, double, const Pacing& pacing) {
    EXPECT_NEAR(pacing.blocks * pacing.block_ns, plan.budget_ns, plan.budget_ns * 1e-9);
  });
}

TEST(PaceRun, BlocksAreAboutThreeQuartersOfAMillisecondOrTenIterations) {
  ForEachPacing([](const RunPlan&, double sample_ns, const Pacing& pacing) {
    const double right_ns = std::max(0.75e6, sample_ns > 2e6 ? sample_ns : 10 * sample_ns);
    EXPECT_LT(pacing.block_ns, 2 * right_ns) << "too few swaps";
    if (pacing.blocks > 2) {
      EXPECT_GE(pacing.block_ns, right_ns * (1 - 1e-9)) << "too many swaps";
    }
  });
}

TEST(PaceRun, DiscardsLessThanAThirdOfABlock) {
  ForEachPacing([](const RunPlan&, double sample_ns, const Pacing& pacing) {
    if (pacing.blocks == 2) return;  // a budget this short has no choice
    EXPECT_LT(pacing.discard_ns, pacing.block_ns / 3);
    EXPECT_LT(pacing.discard_pairs * sample_ns, pacing.block_ns / 3);
  });
}

TEST(PaceRun, CachesRefillBeforeShortIterationsCount) {
  ForEachPacing([](const RunPlan&, double sample_ns, const Pacing& pacing) {
    const double discarded_ns = std::max(pacing.discard_ns, pacing.discard_pairs * sample_ns);
    if (sample_ns <= 2e6) {
      EXPECT_GE(discarded_ns, 200e3);
    }
  });
}

TEST(PaceRun, LongIterationsAreNotThrownAway) {
  for (const double sample_ns : {2.1e6, 50e6, 499e6, 600e6, 30e9}) {
    const Pacing pacing = PaceRun(PlanWithBudget(1e9), sample_ns);
    EXPECT_EQ(pacing.discard_pairs, 0u);
    EXPECT_EQ(pacing.discard_ns, 0);
    EXPECT_EQ(pacing.warm_up_ns, 0);
    EXPECT_EQ(pacing.warm_up_pairs, sample_ns < 500e6 ? 1u : 0u);
  }
}

TEST(PaceRun, LongCallsAreTheirOwnWarmUp) {
  RunPlan plan = PlanWithBudget(1e9);
  plan.calls = 1;
  EXPECT_EQ(PaceRun(plan, 15e6).warm_up_pairs, 1u);
  EXPECT_EQ(PaceRun(plan, 25e6).warm_up_pairs, 0u);
}

TEST(PaceRun, WarmsUpForAsLongAsAsked) {
  RunPlan plan = PlanWithBudget(25e6);
  for (const double sample_ns : kIterationsNs) {
    plan.warm_up_ns = 0;
    const double usual = PaceRun(plan, sample_ns).warm_up_ns;
    if (sample_ns <= 2e6) {
      EXPECT_GT(usual, 0);
    }
    plan.warm_up_ns = 0.5e9;
    EXPECT_EQ(PaceRun(plan, sample_ns).warm_up_ns, usual + 0.5e9);
  }
}

TEST(PaceRun, TheInterleavedScheduleIsOneBlock) {
  RunPlan plan = PlanWithBudget(100e6);
  plan.schedule = Schedule::kInterleaved;
  for (const double sample_ns : kIterationsNs) {
    const Pacing pacing = PaceRun(plan, sample_ns);
    EXPECT_EQ(pacing.blocks, 1u);
    EXPECT_EQ(pacing.block_ns, 100e6);
  }
}

TEST(PaceRun, AWishForOnePairIsOneBlock) {
  RunPlan plan = PlanWithBudget(100e6);
  plan.one_pair = 1;
  EXPECT_EQ(PaceRun(plan, 1e6).blocks, 1u);
}

TEST(MaxMeasured, TakesNoMemoryWithoutMeasure) {
  RunPlan plan = PlanWithBudget(3600e9);
  EXPECT_LE(MaxMeasured(plan, PaceRun(plan, 0), 0), 10'000'000u);
  plan = PlanWithBudget(25e6);
  EXPECT_LE(MaxMeasured(plan, PaceRun(plan, 50e3), 50e3), 10'000u);
}

// ---- a fixed number of iterations ----

FixedPacing Fixed(uint64_t iterations, uint64_t batch, double sample_ns,
                  Schedule schedule = Schedule::kDuet) {
  RunPlan plan;
  plan.fixed_iterations = iterations;
  plan.batch = batch;
  plan.sample_ns = sample_ns;
  plan.schedule = schedule;
  return PaceFixed(plan);
}

TEST(PaceFixed, APieceIsABatchOrALittleMore) {
  EXPECT_EQ(Fixed(1, 1, 50e3).pieces, 1u);
  EXPECT_EQ(Fixed(1, 1000, 50e3).pieces, 1u);
  EXPECT_EQ(Fixed(1999, 1000, 50e3).pieces, 1u);
  EXPECT_EQ(Fixed(2000, 1000, 50e3).pieces, 2u);
  EXPECT_EQ(Fixed(uint64_t{1} << 60, 1, 50e3).pieces, kMaxPieces);
}

TEST(PaceFixed, BlocksComeInPairsAndHaveAPieceEach) {
  for (const uint64_t pieces : {2, 3, 10, 100, 4096}) {
    for (const double sample_ns : {50e3, 1e6, 1e9}) {
      const FixedPacing pacing = Fixed(pieces, 1, sample_ns);
      EXPECT_EQ(pacing.blocks % 2, 0u);
      EXPECT_GE(pacing.blocks, 2u);
      EXPECT_LE(pacing.blocks, pieces);
      EXPECT_LT(pacing.discard, pieces / pacing.blocks);
    }
  }
  EXPECT_EQ(Fixed(1, 1, 50e3).blocks, 1u);
  EXPECT_EQ(Fixed(100, 1, 50e3, Schedule::kInterleaved).blocks, 1u);
  // 4000 pieces of 50 us are 200 ms: blocks of 0.75 ms.
  EXPECT_NEAR(static_cast<double>(Fixed(4000, 1, 50e3).blocks), 267, 3);
}

}  // namespace
}  // namespace duetbench
