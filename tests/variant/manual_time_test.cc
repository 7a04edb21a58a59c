// Times that variants report with SetIterationTime.
#include <cmath>
#include <utility>

#include "duetbench/variant/state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RunPlan ManualPlan() {
  RunPlan plan = ShortPlan();
  plan.manual_time = 1;
  return plan;
}

// Says that each iteration takes so long.
auto Reports(double seconds) {
  return [seconds](State& state) {
    for (auto _ : state) {
      Work(100);
      state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations());
  };
}

TEST(ManualTime, ManualTimesReplaceTheMeasuredOnes) {
  const RunPlan plan = ManualPlan();
  const RunResult result = Measured(plan, Reports(1e-3), Reports(2.5e-3));
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    for (int variant = 0; variant < 2; ++variant) {
      const double ns =
          pair.ticks[variant] * plan.ns_per_tick / static_cast<double>(pair.iterations[variant]);
      EXPECT_NEAR(ns, variant == 0 ? 1e6 : 2.5e6, 1);
    }
    EXPECT_EQ(pair.flags & kNoTime, 0u);
  }
  EXPECT_NEAR(CountersOf(result, 0)["items_per_second"].value, 1000, 1e-3);
  EXPECT_NEAR(CountersOf(result, 1)["items_per_second"].value, 400, 1e-3);
}

TEST(ManualTime, AManualTimeThatIsNoneIsAnErrorThatNamesVariantAndValue) {
  const std::pair<double, const char*> cases[] = {
      {std::nan(""), "SetIterationTime(nan): "}, {HUGE_VAL, "SetIterationTime(inf): "},
      {-1e-6, "SetIterationTime(-1e-06): "},     {1e-300, "SetIterationTime(1e-300): "},
      {1e300, "SetIterationTime(1e+300): "},     {0, "SetIterationTime(0) in all iterations"}};
  for (const auto& [seconds, cause] : cases) {
    const RunResult result = Execute(ManualPlan(), Reports(seconds), Reports(1e-6));
    EXPECT_EQ(result.error.variant, 0) << cause;
    EXPECT_THAT(result.error.cause, HasSubstr(cause));
    EXPECT_THAT(result.pairs, IsEmpty());
  }
}

TEST(ManualTime, AManualTimeThatIsMissingIsAnError) {
  const RunResult result = Execute(ManualPlan(), Reports(1e-6), WorkLoop);
  EXPECT_EQ(result.error.variant, 1);
  EXPECT_THAT(result.error.cause, ::testing::StartsWith("did not call SetIterationTime"));
}

// Clocks of devices have steps.
TEST(ManualTime, AManualTimeMayBeZeroInSomeIterations) {
  const auto reports = [](State& state) {
    int i = 0;
    for (auto _ : state) {
      Work();
      state.SetIterationTime(++i % 2 == 0 ? 2e-6 : 0);
    }
  };
  const RunResult result = Measured(ManualPlan(), reports, reports);
  EXPECT_THAT(result.pairs, Not(IsEmpty()));
}

// A time that was reported is of no use without UseManualTime.
TEST(ManualTime, ManualTimesAreIgnoredUnlessAskedFor) {
  const auto works_for_20_us = [](State& state) {
    for (auto _ : state) SpinNs(20e3);
  };
  const RunResult result = Execute(ShortPlan(), works_for_20_us, [](State& state) {
    for (auto _ : state) {
      SpinNs(20e3);
      state.SetIterationTime(1000);
    }
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_LT(RatioOfLeast(result), 3);
}

}  // namespace
}  // namespace duetbench
