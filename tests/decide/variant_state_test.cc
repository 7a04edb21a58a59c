#include <cstddef>
#include <vector>

#include "duetbench/decide/notice.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// Runs whose iterations take 1 us.
std::vector<RunResult> Runs(const FirstIteration& first, size_t count = 5) {
  RunResult run;
  for (int i = 0; i < 20; ++i) {
    PairRecord pair{};
    pair.iterations[0] = pair.iterations[1] = 100;
    pair.ticks[0] = pair.ticks[1] = 50e3;  // of 2 ns
    run.pairs.push_back(pair);
  }
  run.first_iteration[1] = first;
  return std::vector<RunResult>(count, run);
}

FirstIteration Iteration(double ns, uint64_t faults = 0) { return {ns, 1, faults}; }

TEST(FindSlowFirstIteration, TellsWhatTheFirstOneTakes) {
  const auto slow = FindSlowFirstIteration(Runs(Iteration(1.1e6)), 1, 2);
  ASSERT_TRUE(slow.has_value());
  EXPECT_NEAR(slow->first_ns, 1.1e6, 1e-3);
  EXPECT_NEAR(slow->usual_ns, 1e3, 1e-6);
}

TEST(FindSlowFirstIteration, ColdCachesAndFirstTouchesExplainMuch) {
  EXPECT_FALSE(FindSlowFirstIteration(Runs(Iteration(100e3)), 1, 2).has_value());
  EXPECT_FALSE(FindSlowFirstIteration(Runs(Iteration(200e3)), 1, 2).has_value());
  EXPECT_FALSE(FindSlowFirstIteration(Runs(Iteration(1.1e6, 300)), 1, 2).has_value());
  EXPECT_TRUE(FindSlowFirstIteration(Runs(Iteration(1.1e6, 100)), 1, 2).has_value());
}

TEST(FindSlowFirstIteration, NeedsMostRuns) {
  std::vector<RunResult> runs = Runs(Iteration(1.1e6), 4);
  for (size_t i = 0; i < 2; ++i) runs[i].first_iteration[1].ns = 100e3;
  EXPECT_FALSE(FindSlowFirstIteration(runs, 1, 2).has_value());
  runs[0].first_iteration[1] = {};
  EXPECT_TRUE(FindSlowFirstIteration(runs, 1, 2).has_value());
}

TEST(FindSlowFirstIteration, IsNothingWhereNoneWasSeen) {
  EXPECT_FALSE(FindSlowFirstIteration(Runs({}), 1, 2).has_value());
  EXPECT_FALSE(FindSlowFirstIteration(Runs(Iteration(1.1e6)), 0, 2).has_value());
  EXPECT_TRUE(FindSlowFirstIteration(Runs({1.1e6, 50, 0}), 1, 2).has_value()) << "a group of 50";
  EXPECT_FALSE(FindSlowFirstIteration(Runs({200e3, 50, 0}), 1, 2).has_value());
  EXPECT_FALSE(FindSlowFirstIteration({}, 1, 2).has_value());
}

// Runs in which the first sample took about `ns` an iteration.
std::vector<RunResult> RunsFrom(double ns, size_t count = 5) {
  std::vector<RunResult> runs = Runs({500, 1, 0}, count);
  for (size_t run = 0; run < count; ++run) {
    runs[run].first_iteration[1].next_ns = ns * (1 + 0.02 * static_cast<double>(run));
  }
  return runs;
}

TEST(FindSlowerThanFirst, TellsHowMuchLongerLaterOnesTake) {
  const auto times = FindSlowerThanFirst(RunsFrom(10), 1, 2);
  ASSERT_TRUE(times.has_value());
  EXPECT_NEAR(*times, 96, 2);
  EXPECT_FALSE(FindSlowerThanFirst(RunsFrom(10), 0, 2).has_value()) << "it was not timed";
  EXPECT_FALSE(FindSlowerThanFirst(RunsFrom(800), 1, 2).has_value()) << "too little";
  EXPECT_FALSE(FindSlowerThanFirst(RunsFrom(5000), 1, 2).has_value()) << "that is warm-up";
  EXPECT_FALSE(FindSlowerThanFirst(RunsFrom(10, 2), 1, 2).has_value()) << "too few runs";
  std::vector<RunResult> noisy = RunsFrom(500);
  for (size_t run = 0; run < 3; ++run) noisy[run].first_iteration[1].next_ns *= 2;
  EXPECT_FALSE(FindSlowerThanFirst(noisy, 1, 2).has_value()) << "half of the runs only";
}

}  // namespace
}  // namespace duetbench
