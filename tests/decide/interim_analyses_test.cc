#include "duetbench/decide/interim_analyses.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

TEST(InterimAnalyses, TimeOfRunsThatWereGivenUpIsNotExpectedOfTheNextOne) {
  ExperimentOptions options;
  options.gates = {GateSpec::MaxRatio(1.05)};
  options.max_time = 10;
  InterimAnalyses analyses(options, /*ns_per_tick=*/1);
  std::vector<RunResult> runs;  // undecided: six runs on both sides of the limit
  for (const double time : {1000.0, 1100.0, 1020.0, 1080.0, 1050.0, 1040.0}) {
    runs.push_back(EqualPairs(1000, time));
  }
  // Eight seconds for six runs of 0.1 s: others were given up.
  EXPECT_TRUE(analyses.Continue(runs, /*wall_ns=*/8e9, /*run_ns=*/0.1e9));
  EXPECT_FALSE(analyses.time_spent());
  EXPECT_FALSE(analyses.Continue(runs, /*wall_ns=*/8e9, /*run_ns=*/2.1e9));
  EXPECT_TRUE(analyses.time_spent());
}

}  // namespace
}  // namespace duetbench
