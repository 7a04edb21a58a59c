#include "tools/stats/two_sample_tests.h"

#include <boost/math/distributions/students_t.hpp>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"

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

TEST(RankTests, EqualValuesSayNothing) { EXPECT_EQ(WilcoxonRankSum({5, 5, 5}, {5, 5}).p, 1.0); }

TEST(FalseAlarmLimit, IsTheQuantileOfTheBinomialDistribution) {
  EXPECT_EQ(FalseAlarmLimit(0, 0.99), 0);
  EXPECT_EQ(FalseAlarmLimit(1, 0.99), 1);
  EXPECT_EQ(FalseAlarmLimit(20, 0.99), 2);
  EXPECT_EQ(FalseAlarmLimit(100, 0.99), 4);
  EXPECT_EQ(FalseAlarmLimit(1000, 0.99), 19);
  EXPECT_EQ(FalseAlarmLimit(100, 0.95), 11);
}

}  // namespace
}  // namespace duetbench::stats
