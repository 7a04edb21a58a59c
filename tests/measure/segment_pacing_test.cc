// Segments of a run in which one variant runs solo.
#include <cstdint>

#include "duetbench/measure/pacing.h"
#include "duetbench/record/measuring_policy.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

RunPlan PlanOfRun(double budget_ns) {
  RunPlan plan;
  plan.budget_ns = budget_ns;
  return plan;
}

SoloPacing Solo(double sample_ns, uint32_t run = 0, double share = 0.1) {
  RunPlan plan = PlanOfRun(100e6);
  plan.solo_share = share;
  plan.run = run;
  return PaceSolo(plan, sample_ns);
}

TEST(PaceSolo, ShortSamplesHaveTheirShareInEveryRun) {
  for (uint32_t run = 0; run < 8; ++run) {
    EXPECT_EQ(Solo(50e3, run).segments, 1u);
    EXPECT_EQ(Solo(50e3, run).pairs, 100u);
    EXPECT_EQ(Solo(50e3, run).discard, 33u);
  }
  EXPECT_EQ(Solo(50e3, 0, 0).segments, 0u);
}

TEST(PaceSolo, LongSamplesHaveSegmentsInSomeOfTheRuns) {
  for (const double sample_ns : {1.9e6, 2.1e6, 5e6, 6e6, 12e6, 24e6}) {
    const SoloPacing pacing = Solo(sample_ns);
    EXPECT_EQ(pacing.pairs >= 3, sample_ns < 5e6 / 2.5) << "long ones are warm";
    double share = 0;
    uint32_t segments = 0;
    const auto first = static_cast<uint32_t>(kMeasuringPolicy.looks[0]);
    for (uint32_t run = first; run < first + 60; ++run) {
      segments += Solo(sample_ns, run).segments;
      share += 2 * sample_ns * static_cast<double>(Solo(sample_ns, run).segments) / 100e6 / 60;
    }
    EXPECT_GE(segments, 12u);
    EXPECT_LE(share * static_cast<double>(pacing.pairs), 0.1 + 1e-9) << sample_ns;
  }
  EXPECT_EQ(Solo(26e6).segments, 0u) << "more than half of the run";
}

TEST(PaceSolo, OfShortRunsSomeHaveASegmentInWhichCachesGetWarm) {
  RunPlan plan = PlanOfRun(30e6);
  plan.solo_share = 0.1;
  int segments = 0;
  for (plan.run = 0; plan.run < 24; ++plan.run) {
    segments += static_cast<int>(PaceSolo(plan, 50e3).segments);
    EXPECT_EQ(PaceSolo(plan, 50e3).pairs, 80u) << "4 ms";
  }
  EXPECT_EQ(segments, 10) << "one in three, and the first ones";
  plan.run = 0;
  plan.budget_ns = 8e6;
  EXPECT_EQ(PaceSolo(plan, 50e3).pairs, 40u) << "half of the run";
  EXPECT_EQ(PaceSolo(plan, 50e3).segments, 1u);
  plan.budget_ns = 3e6;
  EXPECT_EQ(PaceSolo(plan, 50e3).segments, 0u) << "nothing else would be left of the run";
}

TEST(PaceSolo, TheBlocksOfAGroupShareTheSegment) {
  RunPlan plan = PlanOfRun(400e6);
  plan.schedule = Schedule::kInterleaved;
  plan.solo_share = 0.1;
  plan.variants = 8;
  EXPECT_EQ(PaceSolo(plan, 50e3).pairs, 100u) << "an eighth of 40 ms";
  EXPECT_EQ(PaceSolo(plan, 50e3).segments, 1u);
  plan.budget_ns = 32e6;
  EXPECT_EQ(PaceSolo(plan, 50e3).pairs, 40u) << "all blocks take half of the run";
}

TEST(PaceSolo, AlternatingIsBlocksThatBeginWithTheTransient) {
  const auto pace = [](double budget_ns, double sample_ns, bool calls) {
    RunPlan plan = PlanOfRun(budget_ns);
    plan.schedule = Schedule::kAlternating;
    plan.min_batch_ns = 50e3;
    plan.calls = calls ? 1 : 0;
    return PaceSolo(plan, sample_ns);
  };
  EXPECT_EQ(pace(40e6, 50e3, false).pairs, 400u) << "20 ms";
  EXPECT_EQ(pace(40e6, 50e3, false).discard, 200u) << "10 ms";
  EXPECT_EQ(pace(40e6, 50e3, false).segments, 1u);
  EXPECT_EQ(pace(70e6, 50e3, false).pairs, 700u) << "all of the run";
  EXPECT_EQ(pace(70e6, 50e3, false).discard, 200u);
  EXPECT_EQ(pace(100e6, 50e3, false).pairs, 1000u) << "one block: no second part is left out";
  EXPECT_EQ(pace(100e6, 50e3, false).segments, 1u);
  EXPECT_EQ(pace(20e6, 50e3, false).pairs, 200u) << "it is short";
  EXPECT_EQ(pace(20e6, 50e3, false).discard, 100u);
  EXPECT_EQ(pace(100e6, 80e6, false).pairs, 1u);
  EXPECT_EQ(pace(100e6, 80e6, false).discard, 0u);
  EXPECT_EQ(pace(100e6, 500e3, true).pairs, 200u) << "500 us for the calls of both variants";
  EXPECT_EQ(pace(100e6, 500e3, true).discard, 40u) << "10 ms of each";
  EXPECT_EQ(pace(100e6, 80e6, true).pairs, 1u);
}

}  // namespace
}  // namespace duetbench
