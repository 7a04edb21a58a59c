#include "duetbench/registry/duet_benchmark.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

DuetBenchmark* Register() {
  return RegisterDuet(
      "DuetBenchmarkTest", [] { return 1; }, [] { return 2; });
}

// A mistake in the program ends it in every build, with a message that names the benchmark.
TEST(DuetBenchmarkDeathTest, ImpossibleOptionsStopTheProgram) {
  EXPECT_DEATH(Register()->Runs(0), "duetbench: DuetBenchmarkTest: Runs.n. needs n >= 1");
  EXPECT_DEATH(Register()->Level(0), "DuetBenchmarkTest: Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Level(1), "Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Level(99), "Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Margin(-0.01), "Margin.d. needs 0 <= d < 1");
  EXPECT_DEATH(Register()->Margin(1), "Margin.d. needs 0 <= d < 1");
  EXPECT_DEATH(Register()->MinTime(0), "MinTime.t. needs t > 0 seconds");
}

}  // namespace
}  // namespace duetbench
