#include "duetbench/decide/stopping_rule.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

TEST(StoppingRule, TimeOfRunsThatWereGivenUpIsNotExpectedOfTheNextOne) {
  ExperimentOptions options;
  options.gates = {GateSpec::MaxRatio(1.05)};
  options.max_time = 10;
  StoppingRule rule(options, /*ns_per_tick=*/1);
  std::vector<RunResult> runs;  // undecided: six runs on both sides of the limit
  for (const double time : {1000.0, 1100.0, 1020.0, 1080.0, 1050.0, 1040.0}) {
    runs.push_back(EqualPairs(1000, time));
  }
  // Eight seconds for six runs of 0.1 s: others were given up.
  EXPECT_TRUE(rule.Continue(runs, /*wall_ns=*/8e9, /*run_ns=*/0.1e9));
  EXPECT_FALSE(rule.time_spent());
  EXPECT_FALSE(rule.Continue(runs, /*wall_ns=*/8e9, /*run_ns=*/2.1e9));
  EXPECT_TRUE(rule.time_spent());
}

}  // namespace
}  // namespace duetbench
