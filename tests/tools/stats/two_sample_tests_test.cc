#include "tools/stats/two_sample_tests.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

void ExpectMatches(const TTest& test, const nlohmann::json& golden, double level) {
  EXPECT_THAT(test.t, MatchesGolden(golden["t"]));
  EXPECT_THAT(test.degrees_of_freedom, MatchesGolden(golden["df"]));
  EXPECT_THAT(test.p, MatchesGolden(golden["p"]));
  const double quantile =
      boost::math::quantile(boost::math::students_t(test.degrees_of_freedom), (1 + level) / 2);
  EXPECT_THAT(test.difference - quantile * test.standard_error, MatchesGolden(golden["ci"][0]));
  EXPECT_THAT(test.difference + quantile * test.standard_error, MatchesGolden(golden["ci"][1]));
}

TEST(WelchTTest, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["t"];
  const auto x = golden["x"].get<std::vector<double>>();
  const auto y = golden["y"].get<std::vector<double>>();
  ExpectMatches(WelchTTest(x, y), golden["welch"], 0.95);
  ExpectMatches(WelchTTest(x, y), golden["welch99"], 0.99);
}

TEST(WelchTTest, WithoutSpread) {
  EXPECT_EQ(WelchTTest({2, 2}, {2, 2}).p, 1.0);
  EXPECT_EQ(WelchTTest({3, 3}, {2, 2}).p, 0.0);
  EXPECT_EQ(WelchTTest({3, 3}, {2, 2}).t, std::numeric_limits<double>::infinity());
}

TEST(WelchTTest, TheUnitDoesNotMatter) {
  const std::vector<double> x = {1, 2, 3.5};
  const std::vector<double> y = {2, 4, 7, 8};
  const TTest test = WelchTTest(x, y);
  for (double unit : {1e-140, 1e-100, 1e100, 1e140}) {
    std::vector<double> scaled_x = x;
    std::vector<double> scaled_y = y;
    for (double& value : scaled_x) value *= unit;
    for (double& value : scaled_y) value *= unit;
    const TTest scaled = WelchTTest(scaled_x, scaled_y);
    EXPECT_NEAR(scaled.p, test.p, 1e-12) << unit;
    EXPECT_NEAR(scaled.degrees_of_freedom, test.degrees_of_freedom, 1e-9) << unit;
  }
}

TEST(WelchTTestDeathTest, StopsOnTooFewValues) {
  EXPECT_DEATH(WelchTTest({1, 2}, {1.0}), "fewer than two");
}

TEST(RankSum, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["unpaired"];
  const auto x = golden["x"].get<std::vector<double>>();
  const auto y = golden["y"].get<std::vector<double>>();
  const RankTest two_sided = WilcoxonRankSum(x, y);
  EXPECT_TRUE(two_sided.exact);
  EXPECT_THAT(two_sided.statistic, MatchesGolden(golden["two_sided"]["statistic"]));
  EXPECT_THAT(two_sided.p, MatchesGolden(golden["two_sided"]["p"]));
  EXPECT_THAT(WilcoxonRankSum(x, y, /*may_be_exact=*/false).p,
              MatchesGolden(golden["two_sided_approx_cc"]["p"]));
}

TEST(RankSum, TiesAgreeWithScipy) {
  const nlohmann::json rows = GoldenJson("cliff.json")["cases"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const auto x = row["x"].get<std::vector<double>>();
    const auto y = row["y"].get<std::vector<double>>();
    const RankTest normal = WilcoxonRankSum(x, y, /*may_be_exact=*/false);
    EXPECT_THAT(normal.statistic, MatchesGolden(row["U"]));
    EXPECT_THAT(2 * normal.statistic / static_cast<double>(x.size() * y.size()) - 1,
                ::testing::DoubleNear(row["delta"].get<double>(), 1e-14));
    EXPECT_THAT(normal.p, MatchesGolden(row["mwu_p_asym_cc"]));
    const RankTest automatic = WilcoxonRankSum(x, y);
    EXPECT_EQ(automatic.exact, !row["mwu_p_exact_noties"].is_null());
    if (automatic.exact) {
      EXPECT_THAT(automatic.p, MatchesGolden(row["mwu_p_exact_noties"]));
    }
  }
}

// The exact test of two samples of n and m values without ties, whose U is `u`.
RankTest ExactTest(int u, int n, int m) {
  std::vector<double> x;
  std::vector<double> y;
  std::set<int> ranks;
  for (int i = n; i >= 1; --i) {
    const int raised = std::min(u, m);
    ranks.insert(i + raised);
    u -= raised;
  }
  for (int rank = 1; rank <= n + m; ++rank) (ranks.count(rank) > 0 ? x : y).push_back(rank);
  return WilcoxonRankSum(x, y);
}

// Against the definition: every way to choose which ranks belong to the first sample.
TEST(RankSum, ExactDistributionEqualsEnumeration) {
  constexpr int kN = 4;
  constexpr int kM = 7;
  std::vector<int> first(kN + kM, 0);
  std::fill(first.end() - kN, first.end(), 1);
  std::vector<double> counts(kN * kM + 1, 0.0);
  double total = 0;
  do {
    int u = -kN * (kN + 1) / 2;
    for (int i = 0; i < kN + kM; ++i) u += first[static_cast<std::size_t>(i)] * (i + 1);
    counts[static_cast<std::size_t>(u)] += 1;
    total += 1;
  } while (std::next_permutation(first.begin(), first.end()));
  double below = 0;
  for (int u = 0; u <= kN * kM; ++u) {
    const double count = counts[static_cast<std::size_t>(u)];
    const double tail = std::min(below + count, total - below) / total;
    EXPECT_NEAR(ExactTest(u, kN, kM).p, std::min(1.0, 2 * tail), 1e-14);
    EXPECT_NEAR(ExactTest(u, kM, kN).p, std::min(1.0, 2 * tail), 1e-14);
    below += count;
  }
}

TEST(RankTests, NormalApproximationMeetsTheExactOneAtTheLimit) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(49);
  std::vector<double> y(49);
  for (double& value : x) value = normal(engine) + 0.3;
  for (double& value : y) value = normal(engine);
  const RankTest exact = WilcoxonRankSum(x, y);
  ASSERT_TRUE(exact.exact);
  EXPECT_NEAR(WilcoxonRankSum(x, y, /*may_be_exact=*/false).p, exact.p, 0.002);
  x.push_back(9);
  EXPECT_FALSE(WilcoxonRankSum(x, y).exact);
}

TEST(RankTests, EqualValuesSayNothing) { EXPECT_EQ(WilcoxonRankSum({5, 5, 5}, {5, 5}).p, 1.0); }

TEST(RankTestsDeathTest, StopOnEmptySamples) {
  EXPECT_DEATH(WilcoxonRankSum({}, {1.0}), "a sample is empty");
}

}  // namespace
}  // namespace duetbench::stats
