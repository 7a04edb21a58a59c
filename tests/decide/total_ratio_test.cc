#include "duetbench/decide/total_ratio.h"

#include <cmath>

#include "duetbench/platform/random.h"
#include "duetbench/record/robust.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Runs of pairs of 100 against `new_time`, both with 1 % uniform noise.
std::vector<RunPairs> NoisyRuns(std::size_t count, std::size_t pairs, double new_time) {
  Random random(3);
  std::vector<RunPairs> runs(count);
  for (RunPairs& run : runs) {
    for (std::size_t i = 0; i < pairs; ++i) {
      run.push_back({100 + random.Uniform(), new_time * (1 + random.Uniform() / 100),
                     static_cast<int>(i % 2)});
    }
  }
  return runs;
}

std::vector<RunTotals> Reduced(const std::vector<RunPairs>& runs) {
  std::vector<RunTotals> totals;
  for (const RunPairs& run : runs) totals.push_back(TotalsOf(run));
  return totals;
}

TotalRatio TotalOf(const std::vector<RunPairs>& runs, double iterations = 1) {
  std::vector<double> typical;
  for (const RunPairs& run : runs) {
    typical.push_back(RunLogRatio(run).value());
  }
  return ComputeTotalRatio({Reduced(runs), typical, {iterations, iterations}, 0.002}, 0.99);
}

TEST(TotalRatio, IsTheQuotientOfTheTotals) {
  const std::vector<RunPairs> runs = {{{100, 100, 0}, {100, 500, 1}},
                                      {{200, 200, 0}, {200, 200, 1}}};
  const TotalRatio total = TotalOf(runs);
  EXPECT_NEAR(total.interval.ratio, 1000.0 / 600, 1e-12);
  EXPECT_LT(total.interval.lo, 1);
  EXPECT_GT(total.interval.hi, 5);
  EXPECT_NEAR(Mean(total.run_values), std::log(1000.0 / 600), 1e-12);
}

// Two and a half passes of 40 samples, the second half of which is slow in new.
TEST(TotalRatio, OfWholePassesIsThatOfTheInput) {
  RunPairs run;
  for (int i = 0; i < 100; ++i) run.push_back({10, i % 40 < 20 ? 10.0 : 40.0, i % 2});
  const auto ratio = [&](double taper) {
    const RunTotals totals = TotalsOf(run, taper);
    return (totals.time[0][1] + totals.time[1][1]) / (totals.time[0][0] + totals.time[1][0]);
  };
  EXPECT_NEAR(ratio(0), 2.2, 1e-9);
  EXPECT_NEAR(ratio(0.4), 2.5, 0.01);
}

// One CPU takes twice as long, and most pairs had old on it.
TEST(TotalRatio, ASlowCpuFavorsNobody) {
  RunPairs run;
  for (int i = 0; i < 30; ++i) run.push_back({200, 103, 0});
  for (int i = 0; i < 10; ++i) run.push_back({100, 206, 1});
  EXPECT_NEAR(TotalOf({run, run}).interval.ratio, 1.03, 1e-12);
}

TEST(TotalRatio, AgreesWithTheTypicalOneWithoutTails) {
  const TotalRatio total = TotalOf(NoisyRuns(20, 100, 110));
  EXPECT_FALSE(total.differs);
  EXPECT_LT(total.interval.lo, 1.1);
  EXPECT_GT(total.interval.hi, 1.1);
  EXPECT_LT(total.interval.hi / total.interval.lo, 1.002);
}

TEST(TotalRatio, FindsTheSlowCallsOfOneVariant) {
  for (const int variant : {0, 1}) {
    std::vector<RunPairs> runs = NoisyRuns(8, 100, 100);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      for (std::size_t i = r; i < 100; i += 20) {
        (variant == 0 ? runs[r][i].old_time : runs[r][i].new_time) += 2000;
      }
    }
    const TotalRatio total = TotalOf(runs, 50);
    EXPECT_TRUE(total.differs);
    const double ratio = variant == 0 ? 1 / 2.0 : 2.0;
    EXPECT_LT(total.interval.lo, ratio);
    EXPECT_GT(total.interval.hi, ratio);
    // 1 of 20 samples of 50 calls, by 20 samples' time.
    EXPECT_NEAR(total.slow_calls[variant].one_in, 1000, 1);
    EXPECT_NEAR(total.slow_calls[variant].factor, 1001, 15);
    EXPECT_EQ(total.slow_calls[1 - variant].one_in, 0);
  }
}

TEST(TotalRatio, SlowCallsOfBothVariantsAreInterference) {
  std::vector<RunPairs> runs = NoisyRuns(10, 100, 100);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = r; i < 100; i += 7)
      (i % 2 == 0 ? runs[r][i].old_time : runs[r][i].new_time) += 2000;
  }
  const TotalRatio total = TotalOf(runs);
  EXPECT_FALSE(total.differs);
  EXPECT_GT(total.p, 0.05);
  EXPECT_GT(total.interval.hi / total.interval.lo, 1.2) << "it is not known how much hits whom";
}

// The median of its two samples of new is half of the time for which the process was stopped.
TEST(TotalRatio, ARunOfTwoPairsDoesNotSayHowOftenEitherIsSlow) {
  std::vector<RunPairs> runs = NoisyRuns(10, 100, 100);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    (r % 2 == 0 ? runs[r][50].old_time : runs[r][50].new_time) += 2000;
  }
  runs.push_back({{100, 100, 0}, {100, 200'000, 1}});
  EXPECT_FALSE(TotalOf(runs).differs);
}

TEST(TotalRatio, OneRunMayBeUnlucky) {
  std::vector<RunPairs> runs = NoisyRuns(10, 100, 100);
  for (std::size_t i = 0; i < 100; i += 3) runs[4][i].new_time += 2000;
  EXPECT_FALSE(TotalOf(runs).differs);
}

TEST(TotalRatio, ALevelOfAlmostOneHasEnds) {
  std::vector<RunPairs> runs = NoisyRuns(10, 100, 100);
  for (std::size_t i = 0; i < 5; ++i) runs[i][0].new_time *= 100;
  std::vector<double> typical;
  for (const RunPairs& run : runs) {
    typical.push_back(RunLogRatio(run).value());
  }
  const TotalRatio total = ComputeTotalRatio({Reduced(runs), typical, {1, 1}, 0.002}, 1 - 1.1e-16);
  EXPECT_LE(total.interval.lo, total.interval.ratio);
  EXPECT_GE(total.interval.hi, total.interval.ratio);
}

TEST(TotalRatioDeathTest, RefusesWhatItCannotUse) {
  const std::vector<RunTotals> runs = Reduced(NoisyRuns(2, 10, 100));
  const std::vector<double> two = {0, 0};
  const std::vector<double> three = {0, 0, 0};
  EXPECT_DEATH(ComputeTotalRatio({runs, three}, 0.99), "two runs");
  EXPECT_DEATH(ComputeTotalRatio({runs, two}, 1), "the level");
  EXPECT_DEATH(ComputeTotalRatio({runs, two}, 0.99, 0), "the share");
  EXPECT_DEATH(ComputeTotalRatio({{}, {}}, 0.99), "two runs");
  EXPECT_DEATH(ComputeTotalRatio({absl::MakeConstSpan(runs).first(1), {0.0}}, 0.99), "two runs");
}

// Runs that count as one have the totals of their pairs together.
TEST(RunTotals, AreMerged) {
  const std::vector<RunPairs> runs = NoisyRuns(2, 100, 110);
  RunPairs joined = runs[0];
  joined.insert(joined.end(), runs[1].begin(), runs[1].end());
  const RunTotals merged = Merged(Reduced(runs));
  const RunTotals expected = TotalsOf(joined);
  for (int v = 0; v < 2; ++v) {
    EXPECT_NEAR(merged.time[0][v], expected.time[0][v], 1e-9);
    EXPECT_NEAR(merged.time[1][v], expected.time[1][v], 1e-9);
    EXPECT_EQ(merged.pairs[v], expected.pairs[v]);
    EXPECT_NEAR(merged.median[v] / expected.median[v], 1, 0.001);
    EXPECT_EQ(merged.excess[v].sum, 0);
  }
}

TEST(OpenTotal, IsFarFromTheTypicalRatioWithoutProof) {
  TotalRatio total;
  total.differs = false;
  total.interval = PointInterval(1.2);
  EXPECT_EQ(OpenTotal(total, PointInterval(1.0)), 1.2);
  EXPECT_EQ(OpenTotal(total, PointInterval(1.5)), 1.2);
  EXPECT_EQ(OpenTotal(total, PointInterval(1.16)), std::nullopt);
  total.differs = true;
  EXPECT_EQ(OpenTotal(total, PointInterval(1.0)), std::nullopt);
}

TEST(RarestSeen, WithNinetyNinePerCent) {
  const double one_in = RarestSeen(1e7);
  EXPECT_NEAR(1 - std::pow(1 - 1 / one_in, 1e7), 0.99, 1e-6);
}

}  // namespace
}  // namespace duetbench::stats
