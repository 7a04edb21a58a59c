#include "duetbench/variant/empty_loop.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

double LeastTicks(LoopForm form) {
  double least = EmptyIterationTicks(form);
  for (int i = 0; i < 20; ++i) least = std::min(least, EmptyIterationTicks(form));
  return least;
}

TEST(EmptyLoop, CallsAndKeepRunningCostMoreThanARangeLoop) {
  const double range = LeastTicks(LoopForm::kRange);
  if (range == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_GT(range, 0);
  EXPECT_GT(LeastTicks(LoopForm::kPointer), range);
  EXPECT_GT(LeastTicks(LoopForm::kKeepRunning), range);
}

}  // namespace
}  // namespace duetbench
