// Lazy initialisation: where the first iterations of a process are expensive there are few runs.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(Lazy, ExpensiveFirstIterationsLeaveFiveRunsAndALineThatSaysSo) {
  Request request;
  request.program = "env";
  request.arguments = {"-u", "DUET_RUNS", PathOf("lazy"), "--benchmark_min_time=0.2",
                       "--duet_profile"};
  const Outcome outcome = Execute(request);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("(5 runs"));
  EXPECT_THAT(outcome.out, ContainsRegex("only 5 runs: each took [0-9.]+ (s|ms)"));
  EXPECT_THAT(outcome.out, HasSubstr("the first iterations of a run take too long"));
}

}  // namespace
}  // namespace duetbench::integration
