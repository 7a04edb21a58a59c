
#include <cstdint>
#include <string>

#include "duetbench/measure/measuring_loop.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

// A batch shorter than twenty of these cannot be measured. Under TSan nothing takes some
// microseconds, under ASan at times 100 (an Intel Xeon VM).
constexpr double kCoarseNs = 20'000;

// 2^32 iterations at once, none of which does anything.
void Removed(State& state) {
  while (state.KeepRunningBatch(int64_t{1} << 32)) {
  }
}

auto IsNoTime() {
  return ::testing::MatchesRegex("takes no measurable time: .* benchmark::DoNotOptimize");
}

class NothingToMeasureTest : public testing::TestWithParam<Schedule> {};

TEST_P(NothingToMeasureTest, IsAnErrorThatNamesTheVariant) {
  RunPlan plan = ShortPlan(GetParam());
  plan.resolution_ns = kCoarseNs;
  const auto work = [] { SpinNs(1e6); };
  for (plan.run = 0; plan.run < 4; ++plan.run) {
    const RunResult new_removed = Execute(plan, work, Removed);
    EXPECT_EQ(new_removed.error.variant, 1);
    EXPECT_THAT(new_removed.error.cause, IsNoTime());
    EXPECT_TRUE(new_removed.pairs.empty());
    const RunResult old_removed = Execute(plan, Removed, work);
    EXPECT_EQ(old_removed.error.variant, 0);
    EXPECT_THAT(old_removed.error.cause, IsNoTime());
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, NothingToMeasureTest,
                         testing::Values(Schedule::kDuet, Schedule::kInterleaved,
                                         Schedule::kAlternating),
                         [](const auto& info) { return std::string(NameOf(info.param)); });

TEST(NothingToMeasure, IsAnErrorWhereBothWereRemoved) {
  RunPlan plan = ShortPlan();
  plan.resolution_ns = kCoarseNs;
  const RunResult result = Execute(plan, Removed, Removed);
  EXPECT_GE(result.error.variant, 0);
  EXPECT_THAT(result.error.cause, IsNoTime());
}

}  // namespace
}  // namespace duetbench
