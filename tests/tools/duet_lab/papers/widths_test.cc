#include "tools/duet_lab/papers/widths.h"

#include <cmath>
#include <vector>

#include "duetbench/stats/random.h"
#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

duet_stat::BenchmarkPairs Pairs(const std::vector<stats::RunPairs>& runs) {
  duet_stat::BenchmarkPairs pairs;
  pairs.runs = runs;
  pairs.origins.resize(runs.size());
  return pairs;
}

// Pairs whose variants move together by 20 % and apart by 1 %.
std::vector<stats::RunPairs> Tandem() {
  std::vector<stats::RunPairs> runs;
  stats::Random random(5);
  for (int r = 0; r < 10; ++r) {
    stats::RunPairs& run = runs.emplace_back();
    const double level = 100 * (1 + 0.2 * random.Uniform());
    for (int i = 0; i < 50; ++i) {
      run.push_back(
          {level * (1 + 0.01 * random.Uniform()), level * (1 + 0.01 * random.Uniform()), i % 2});
    }
  }
  return runs;
}

TEST(Widths, ShufflingTakesThePairingAway) {
  const duet_stat::BenchmarkPairs pairs = Pairs(Tandem());
  const double paired = PaperWidth(pairs, false, 1);
  const double shuffled = PaperWidth(pairs, true, 1);
  EXPECT_LT(paired, 0.01);
  EXPECT_GT(shuffled, 5 * paired);
  EXPECT_LT(OurWidth(pairs), 0.01);
}

TEST(Widths, OfTheStandardMethodFollowTheRuns) {
  StandardTimes times;
  for (const stats::RunPairs& run : Tandem()) {
    times.old_times.runs.emplace_back();
    times.new_times.runs.emplace_back();
    for (const stats::Pair& pair : run) {
      times.old_times.runs.back().push_back(pair.old_time);
      times.new_times.runs.back().push_back(pair.new_time);
    }
  }
  const double width = StandardWidth(times, stats::OutlierRule::kNone, 1);
  // Levels are uniform over 20 %: each mean of 10 has a standard error of 1.8 %.
  EXPECT_GT(width, 0.06);
  EXPECT_LT(width, 0.25);
  const stats::Sample half = FirstPart(times.old_times, 0.5);
  EXPECT_EQ(half.runs.size(), 10u);
  EXPECT_EQ(half.runs[0].size(), 25u);
  EXPECT_EQ(FirstPart({{{1, 2}}, {}}, 0.01).runs[0].size(), 1u);
}

TEST(Widths, AreNotANumberWithoutAnInterval) {
  EXPECT_TRUE(std::isnan(OurWidth(Pairs({{{1, 2, 0}}}))));
  EXPECT_TRUE(std::isnan(PaperWidth(Pairs({{{1, 2, 0}}}), false, 1)));
  EXPECT_TRUE(std::isnan(StandardWidth({}, stats::OutlierRule::kNone, 1)));
}

TEST(GeometricMean, LeavesOutWhatIsNone) {
  EXPECT_DOUBLE_EQ(GeometricMean({2, 8, NAN, 0, INFINITY}), 4);
  EXPECT_TRUE(std::isnan(GeometricMean({})));
}

}  // namespace
}  // namespace duetbench::lab
