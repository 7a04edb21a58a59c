#include "duetbench/measure/empty_comparison.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

void RangeLoop(State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}

class EmptyComparisonTest : public testing::Test {
 protected:
  // The next sample with `ticks` for each of its iterations.
  void Compare(double ticks, uint16_t involuntary_switches = 0, double blocked_ns = 0) {
    Sample sample{};
    sample.blocked_ns = blocked_ns;
    sample.iterations = 1'000'000;
    sample.involuntary_switches = involuntary_switches;
    comparison_.ExecuteEmptyLoops();
    comparison_.Compare(sample, static_cast<uint64_t>(1e6 * ticks));
  }

  const std::shared_ptr<const Variant> variant_ = MakeVariant(RangeLoop);
  State state_{nullptr, {}};
  EmptyComparison comparison_;
};

TEST_F(EmptyComparisonTest, ComparesSomeSamplesWithLoopsExecutedBefore) {
  for (int i = 0; i < 40; ++i) Compare(1e-3);
  EXPECT_EQ(comparison_.tally().samples, 0u) << "before Begin";
  comparison_.Begin(variant_.get(), &state_, 0.5);
  for (int i = 0; i < 40; ++i) Compare(1e-3);
  if (comparison_.tally().samples == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_EQ(comparison_.tally().samples, 10u);
  EXPECT_EQ(comparison_.tally().no_longer, 10u);
  EXPECT_GT(comparison_.tally().empty_ns, 0);
}

TEST_F(EmptyComparisonTest, EndsAtAnUndisturbedSampleWithWork) {
  comparison_.Begin(variant_.get(), &state_, 0.5);
  for (int i = 0; i < 40; ++i) Compare(1e9, /*involuntary_switches=*/1);
  if (comparison_.tally().samples == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_EQ(comparison_.tally().samples, 10u);
  for (int i = 0; i < 40; ++i) Compare(1e9);
  EXPECT_EQ(comparison_.tally().samples, 11u);
  EXPECT_EQ(comparison_.tally().no_longer, 0u);
}

TEST_F(EmptyComparisonTest, LeavesOutTheTimeInWhichTheThreadWasOffItsCpu) {
  comparison_.Begin(variant_.get(), &state_, 0.5);
  for (int i = 0; i < 40; ++i) Compare(1e3, /*involuntary_switches=*/1, /*blocked_ns=*/0.5e9);
  if (comparison_.tally().samples == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_EQ(comparison_.tally().no_longer, 10u);
}

double LeastTicks(LoopForm form) {
  double least = EmptyIterationTicks(form);
  for (int i = 0; i < 20; ++i) least = std::min(least, EmptyIterationTicks(form));
  return least;
}

// KeepRunning may cost less than a range loop (Intel Xeon, Golden Cove: 0.52 and 0.70 ticks), and
// more than a call (with a thread sanitizer).
TEST(EmptyLoop, ACallCostsMoreThanARangeLoop) {
  const double range = LeastTicks(LoopForm::kRange);
  if (range == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_GT(range, 0);
  EXPECT_GT(LeastTicks(LoopForm::kKeepRunning), 0);
  EXPECT_GT(LeastTicks(LoopForm::kPointer), range);
}

}  // namespace
}  // namespace duetbench
