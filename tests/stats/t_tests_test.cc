#include "duetbench/stats/t_tests.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

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

TEST(TTests, AgreeWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["t"];
  const auto x = golden["x"].get<std::vector<double>>();
  const auto y = golden["y"].get<std::vector<double>>();
  ExpectMatches(WelchTTest(x, y), golden["welch"], 0.95);
  ExpectMatches(WelchTTest(x, y), golden["welch99"], 0.99);
  ExpectMatches(StudentTTest(x, y), golden["student"], 0.95);
  std::vector<double> d;
  for (std::size_t i = 0; i < x.size(); ++i) d.push_back(x[i] - y[i]);
  ExpectMatches(PairedTTest(d), golden["paired"], 0.95);
  EXPECT_THAT(Tost(d, golden["tost_paired_margin"]).p, MatchesGolden(golden["tost_p"]));
}

TEST(TTests, OfTheDuetFilesAgreeWithScipy) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"];
    const auto runs = golden["log_gms"].get<std::vector<double>>();
    EXPECT_THAT(PairedTTest(runs).t, MatchesGolden(golden["t_stat"])) << name;
    EXPECT_THAT(PairedTTest(runs).p, MatchesGolden(golden["t_p"])) << name;
    for (const double margin : {0.01, 0.02, 0.05}) {
      std::ostringstream key;
      key << "tost_" << margin;
      const TostResult tost = Tost(runs, std::log1p(margin));
      EXPECT_THAT(tost.p_lower, MatchesGolden(golden[key.str()]["p_lower"])) << name << key.str();
      EXPECT_THAT(tost.p_upper, MatchesGolden(golden[key.str()]["p_upper"])) << name << key.str();
      EXPECT_THAT(tost.p, MatchesGolden(golden[key.str()]["p"])) << name << key.str();
    }
  }
}

TEST(TTests, DistributionAgreesWithR) {
  const nlohmann::json golden = GoldenJson("distributions.json");
  // Two values at distance 1 from a mean m have t = m, one degree of freedom and so on: any t can
  // be had from three values, which exercises our tails and not only Boost's.
  for (std::size_t i = 0; i < golden["pt"]["t"].size(); ++i) {
    const double t = golden["pt"]["t"][i];
    const double centre = t / std::sqrt(3.0);
    const std::vector<double> d = {centre - 1, centre, centre + 1};
    const double p = golden["pt"]["p"][0][i];  // two degrees of freedom
    EXPECT_NEAR(PairedTTest(d, 0, Alternative::kLess).p, p, 1e-12);
    EXPECT_NEAR(PairedTTest(d, 0, Alternative::kGreater).p, 1 - p, 1e-12);
    EXPECT_NEAR(PairedTTest(d).p, 2 * (1 - p), 1e-12);
  }
}

TEST(TTests, SwappingTheSamplesNegates) {
  const std::vector<double> x = {1, 2, 4, 8};
  const std::vector<double> y = {3, 3, 5};
  EXPECT_DOUBLE_EQ(WelchTTest(x, y).t, -WelchTTest(y, x).t);
  EXPECT_DOUBLE_EQ(WelchTTest(x, y).p, WelchTTest(y, x).p);
  EXPECT_DOUBLE_EQ(WelchTTest(x, y, Alternative::kLess).p,
                   WelchTTest(y, x, Alternative::kGreater).p);
}

TEST(TTests, WithoutSpread) {
  EXPECT_EQ(WelchTTest({2, 2}, {2, 2}).p, 1.0);
  EXPECT_EQ(WelchTTest({3, 3}, {2, 2}).p, 0.0);
  EXPECT_EQ(WelchTTest({3, 3}, {2, 2}).t, std::numeric_limits<double>::infinity());
  EXPECT_EQ(PairedTTest({1, 1}, 2, Alternative::kGreater).p, 1.0);
  EXPECT_EQ(PairedTTest({1, 1}, 2, Alternative::kLess).p, 0.0);
  EXPECT_EQ(Tost({0, 0}, 0.01).p, 0.0);
}

TEST(TTests, TheUnitDoesNotMatter) {
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

TEST(Tost, IsTheNinetyPercentInterval) {
  const nlohmann::json golden = GoldenJson("tests.json")["t"];
  std::vector<double> d;
  for (std::size_t i = 0; i < golden["x"].size(); ++i) {
    d.push_back(golden["x"][i].get<double>() - golden["y"][i].get<double>());
  }
  const double end = -golden["ci90"][0].get<double>();
  EXPECT_LT(Tost(d, end * 1.001).p, 0.05);
  EXPECT_GT(Tost(d, end * 0.999).p, 0.05);
}

TEST(TTestsDeathTest, StopOnTooFewValues) {
  EXPECT_DEATH(WelchTTest({1, 2}, {1.0}), "fewer than two");
  EXPECT_DEATH(Tost({1, 2}, 0), "margin");
}

}  // namespace
}  // namespace duetbench::stats
