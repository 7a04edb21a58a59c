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

TEST(StoppingRule, FewRunsThatTookLessTimeThanExpectedLeaveItToOthers) {
  ExperimentOptions options;
  options.min_time = 1;
  StoppingRule rule(options, /*ns_per_tick=*/1);
  rule.Plan(/*runs=*/5, /*seconds=*/1, /*limit_ns=*/3e9);
  const std::vector<RunResult> runs(5, EqualPairs(1000, 1000));
  EXPECT_TRUE(rule.Continue(runs, /*wall_ns=*/0.5e9, /*run_ns=*/0.1e9));
  EXPECT_EQ(rule.runs(), 6);
  const std::vector<RunResult> more(6, EqualPairs(1000, 1000));
  EXPECT_FALSE(rule.Continue(more, /*wall_ns=*/0.95e9, /*run_ns=*/0.1e9));
  const std::vector<RunResult> enough(10, EqualPairs(1000, 1000));
  rule.Plan(/*runs=*/10, /*seconds=*/1, /*limit_ns=*/3e9);
  EXPECT_FALSE(rule.Continue(enough, /*wall_ns=*/0.5e9, /*run_ns=*/0.1e9)) << "not few";
}

}  // namespace
}  // namespace duetbench
