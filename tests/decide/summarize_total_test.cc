#include <vector>

#include "duetbench/decide/comparison.h"
#include "gtest/gtest.h"
#include "tests/decide/summarized.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

TEST(SummarizeTotal, FewSpikesOnOneSideDoNotCount) {
  RunResult run = EqualPairs(100, 103, 40);
  run.pairs[4].ticks[1] = 5000;
  run.pairs[17].ticks[1] = 9000;
  const Comparison comparison = Summarized({run, run});
  EXPECT_FALSE(comparison.total_decides);
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1] / comparison.time_ns[0], 1.03, 1e-9);
  // Four spikes may be interference, but the time was spent.
  const double mean = (38 * 103 + 5000 + 9000) / 40.0;
  EXPECT_NEAR(comparison.time_ns[0] * comparison.time_ns[1], 100 * mean, 1e-6);
  ASSERT_TRUE(comparison.total.has_value());
  EXPECT_NEAR(comparison.total->interval.ratio, mean / 100, 1e-9);
}

// Every tenth sample of new takes 20 times as long.
RunResult WithSlowCalls(int run, int every = 10) {
  RunResult result = EqualPairs(100, 100 + 0.1 * run, 200);
  for (size_t i = static_cast<size_t>(7 * run % every); i < 200; i += static_cast<size_t>(every)) {
    result.pairs[i].ticks[1] *= 20;
  }
  return result;
}

TEST(SummarizeTotal, ASlowPathOfOneVariantMakesTheTotalsDecide) {
  std::vector<RunResult> runs;
  for (int r = 0; r < 10; ++r) runs.push_back(WithSlowCalls(r, 20));
  ExperimentOptions options;
  options.margin = 0.02;
  const Comparison comparison = Summarized(runs, options);
  EXPECT_EQ(stats::Decide(comparison.typical, options.margin), stats::Verdict::kEqual);
  EXPECT_TRUE(comparison.total_decides);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kSlower);
  EXPECT_NEAR(comparison.interval.ratio, 1.95 * 1.0045, 0.01);
  EXPECT_NEAR(comparison.time_ns[1] / comparison.time_ns[0], comparison.interval.ratio, 1e-9);
  EXPECT_NEAR(comparison.total->slow_calls[1].one_in, 20, 0.5);
  EXPECT_NEAR(comparison.total->slow_calls[1].factor, 20, 0.5);
  EXPECT_EQ(comparison.run_log_ratios.size(), 10u);
}

// Three calls that make up half of new's time, each in another run.
TEST(SummarizeTotal, FewSlowCallsLeaveAnEqualTypicalRatioInconclusive) {
  std::vector<RunResult> runs;
  for (int r = 0; r < 10; ++r) {
    runs.push_back(EqualPairs(100, 100 + 0.1 * r, 200));
    if (r % 4 == 0) runs.back().pairs[static_cast<size_t>(17 * r + 3)].ticks[1] = 67'000;
  }
  ExperimentOptions options;
  options.margin = 0.02;
  const Comparison comparison = Summarized(runs, options);
  EXPECT_FALSE(comparison.total_decides);
  EXPECT_EQ(stats::Decide(comparison.typical, options.margin), stats::Verdict::kEqual);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  ASSERT_TRUE(comparison.open_total.has_value());
  EXPECT_NEAR(*comparison.open_total, 2, 0.1);
  options.estimand = stats::Estimand::kTypical;
  EXPECT_EQ(Summarized(runs, options).verdict, stats::Verdict::kEqual);
  // SLOWER holds for both.
  options.estimand = stats::Estimand::kAuto;
  for (RunResult& run : runs) {
    for (PairRecord& pair : run.pairs) pair.ticks[1] *= 3;
  }
  const Comparison slower = Summarized(runs, options);
  EXPECT_TRUE(slower.open_total.has_value());
  EXPECT_EQ(slower.verdict, stats::Verdict::kSlower);
}

TEST(SummarizeTotal, TheUserSaysWhichRatioDecides) {
  std::vector<RunResult> runs;
  for (int r = 0; r < 10; ++r) runs.push_back(WithSlowCalls(r, 20));
  ExperimentOptions options;
  options.margin = 0.02;
  options.estimand = stats::Estimand::kTypical;
  EXPECT_EQ(Summarized(runs, options).verdict, stats::Verdict::kEqual);
  options.estimand = stats::Estimand::kTotal;
  runs.assign(10, EqualPairs(100, 100));
  EXPECT_TRUE(Summarized(runs, options).total_decides);
}

// New takes ten times as long in a tenth of the samples, and is preempted in each of them.
TEST(SummarizeTotal, SlowSamplesThatWerePreemptedCountInTheTotal) {
  std::vector<RunResult> runs;
  for (int r = 0; r < 10; ++r) {
    RunResult run = EqualPairs(100, 100 + 0.01 * r, 200);
    for (size_t i = static_cast<size_t>(r); i < 200; i += 20) {
      run.pairs[i].ticks[1] *= 10;
      run.pairs[i].flags = kNewPreempted | kOnCpuTime;
    }
    runs.push_back(run);
  }
  const Comparison comparison = Summarized(runs);
  EXPECT_TRUE(comparison.total_decides);
  EXPECT_NEAR(comparison.typical.ratio, 1, 0.001);
  EXPECT_NEAR(comparison.interval.ratio, 1.45, 0.001);
  EXPECT_EQ(comparison.dropped, 100u);
}

}  // namespace
}  // namespace duetbench
