#include "duetbench/measure/sample_timer.h"

#include <cmath>
#include <vector>

#include "duetbench/platform/ticks.h"
#include "duetbench/record/robust.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

TEST(SampleTime, NetTimesAreExchangedExactlyAndPausesInSteps) {
  for (const uint64_t net : {uint64_t{0}, uint64_t{1}, uint64_t{150'000}, uint64_t{300} << 30}) {
    for (const uint64_t paused : {uint64_t{0}, uint64_t{3} << 16, uint64_t{300} << 30}) {
      const SampleTime time = UnpackSampleTime(Pack({net, paused + 7}));
      EXPECT_EQ(time.net, net);
      EXPECT_EQ(time.paused, paused);
    }
  }
}

TEST(SampleTime, WhatIsTooLongIsTheLongest) {
  const SampleTime time = UnpackSampleTime(Pack({~uint64_t{0}, ~uint64_t{0}}));
  EXPECT_EQ(time.net, kMaxPackedTicks);
  EXPECT_GT(time.paused, uint64_t{1} << 39);
}

// Works 400 steps an iteration, in `parts` with pauses between them.
auto WorkInParts(int parts) {
  return [parts](State& state) {
    for (auto _ : state) {
      for (int part = 0; part < parts; ++part) {
        if (part > 0) {
          state.PauseTiming();
          state.ResumeTiming();
        }
        Work(400 / parts);
      }
    }
  };
}

TEST(MeasurePauseTicks, IsWhatPausesAddToTheTimes) {
  ASSERT_GT(MeasurePauseTicks(NsPerTick()), 0u);
  // A CPU may become twice as fast or as slow after the pauses of a run were measured: then its
  // ratio is another one. It does so once in a second, and a run takes ten milliseconds.
  std::vector<double> log_ratios;
  std::vector<double> shares;
  for (int run = 0; run < 9; ++run) {
    const RunResult result =
        Measured(ShortPlan(Schedule::kInterleaved), WorkInParts(1), WorkInParts(4));
    EXPECT_EQ(result.pause_share[0], 0);
    EXPECT_GT(result.pause_share[1], 0);
    log_ratios.push_back(std::log(RatioOfLeast(result)));
    shares.push_back(result.pause_share[1]);
  }
  // Three pauses take about as long as the work, and may lengthen it by as much: the interval is
  // wider by their share.
  EXPECT_LT(std::abs(stats::Median(log_ratios)), stats::Median(shares));
}

}  // namespace
}  // namespace duetbench
