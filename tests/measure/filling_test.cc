// RunPlan::fill: the faster variant goes on until the slower one is done.
#include <atomic>
#include <cstdint>

#include "duetbench/measure/measuring_loop.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

struct Executed {
  std::atomic<int64_t> iterations[2] = {{0}, {0}};
};

RunResult ExecuteUnequal(const RunPlan& plan, Executed* executed) {
  const auto variant = [executed](int number, double ns) {
    return [executed, number, ns](State& state) {
      for (auto _ : state) SpinNs(ns);
      executed->iterations[number] = state.iterations();
    };
  };
  return Execute(plan, variant(0, 60e3), variant(1, 1200e3));
}

TEST(Filling, FillingKeepsTheFasterVariantBusy) {
  RunPlan plan = ShortPlan();
  plan.fill = 1;
  plan.budget_ns = 20e6;
  Executed executed;
  const RunResult result = ExecuteUnequal(plan, &executed);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GT(executed.iterations[0], 2 * executed.iterations[1]);
  // Iterations that fill the time are in no pair.
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.iterations[0], 1u);
    EXPECT_EQ(pair.iterations[1], 1u);
  }
  EXPECT_GT(RatioOfLeast(result), 8);
}

TEST(Filling, WithoutFillingBothExecuteTheSame) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 20e6;
  Executed executed;
  const RunResult result = ExecuteUnequal(plan, &executed);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(executed.iterations[0], executed.iterations[1]);
  EXPECT_GT(RatioOfLeast(result), 8);
}

TEST(Filling, FillingWorksWithBatches) {
  RunPlan plan = ShortPlan();
  plan.fill = 1;
  const RunResult result = Measured(
      plan, [] { Work(10); }, [] { Work(60); });
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.iterations[0], result.batch);
    EXPECT_EQ(pair.iterations[1], result.batch);
  }
}

}  // namespace
}  // namespace duetbench
