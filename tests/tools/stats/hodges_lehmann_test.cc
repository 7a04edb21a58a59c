#include "tools/stats/hodges_lehmann.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "duetbench/stats/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<double> SortedWalshAverages(const std::vector<double>& values) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) {
      averages.push_back((values[i] + values[j]) / 2);
    }
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

TEST(HodgesLehmann, PicksWalshAverages) {
  Random random(8);
  for (std::size_t n : {1u, 2u, 3u, 7u, 20u}) {
    for (bool ties : {false, true}) {
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i) {
        const double u = random.Uniform() - 0.5;
        values.push_back(ties ? std::round(4 * u) : u);
      }
      const std::vector<double> averages = SortedWalshAverages(values);
      const HodgesLehmann location = HodgesLehmannLocation(values, 0.9);
      const std::size_t m = averages.size();
      EXPECT_EQ(location.estimate, (averages[(m - 1) / 2] + averages[m / 2]) / 2) << n;
      const auto lo = std::find(averages.begin(), averages.end(), location.lo);
      ASSERT_NE(lo, averages.end()) << n;
      // The ends are symmetric ranks.
      const auto from_top = std::find(averages.rbegin(), averages.rend(), location.hi);
      ASSERT_NE(from_top, averages.rend());
      if (!ties) {
        EXPECT_EQ(from_top - averages.rbegin(), lo - averages.begin());
      }
    }
  }
}

TEST(HodgesLehmann, AchievesAtLeastTheLevelOnceThereAreEnoughValues) {
  for (double level : {0.90, 0.95, 0.99}) {
    for (std::size_t n = 2; n <= 40; ++n) {
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * i));
      const double achieved = HodgesLehmannLocation(values, level).achieved_level;
      const double most = 1 - std::pow(2.0, 1 - static_cast<double>(n));  // the whole range
      EXPECT_LE(achieved, most + 1e-12);
      if (most >= level) {
        EXPECT_GE(achieved, level) << n;
      } else {
        EXPECT_NEAR(achieved, most, 1e-12) << n;
      }
    }
  }
}

TEST(HodgesLehmann, NormalApproximationContinuesTheExactDistribution) {
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 0.0);
  const HodgesLehmann exact = HodgesLehmannLocation(values, 0.95);
  values.push_back(100);
  const HodgesLehmann approximate = HodgesLehmannLocation(values, 0.95);
  EXPECT_NEAR(approximate.achieved_level, exact.achieved_level, 5e-4);
  EXPECT_NEAR(approximate.hi - approximate.lo, exact.hi - exact.lo, 0.51);
}

TEST(HodgesLehmann, OneRunFarOffMovesItLittle) {
  std::vector<double> values = {0.010, 0.012, 0.008, 0.011, 0.009, 0.013, 0.007, 0.010, 0.012};
  const HodgesLehmann clean = HodgesLehmannLocation(values, 0.95);
  values.push_back(5);
  const HodgesLehmann disturbed = HodgesLehmannLocation(values, 0.95);
  EXPECT_NEAR(disturbed.estimate, clean.estimate, 0.002);
}

TEST(HodgesLehmannInterval, SaysWhichLevelItAttains) {
  const std::vector<double> five = {0.1, 0.2, 0.3, 0.4, 0.6};
  EXPECT_THAT(HodgesLehmannInterval(five, 0.95).value().warning,
              HasSubstr("5 runs attain 93.75 % instead of 95 %"));
  EXPECT_THAT(HodgesLehmannInterval(five, 0.90).value().warning, IsEmpty());
}

TEST(SignedRankCdf, CriticalValuesAgreeWithR) {
  const nlohmann::json rows = GoldenJson("distributions.json")["signrank_crit"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const int n = row["n"];
    const double q025 = row["q025"];
    EXPECT_THAT(SignedRankCdf(q025, n), MatchesGolden(row["cdf_q025"]));
    // qsignrank: the smallest value whose probability reaches the one asked for.
    EXPECT_LT(SignedRankCdf(q025 - 1, n), 0.025);
    EXPECT_GE(SignedRankCdf(row["q005"].get<double>(), n), 0.005);
    EXPECT_LT(SignedRankCdf(row["q005"].get<double>() - 1, n), 0.005);
  }
}

}  // namespace
}  // namespace duetbench::stats
