#include "duetbench/decide/hypothesis_tests.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"

namespace duetbench::stats {
namespace {

TEST(PairedTTest, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["t"];
  std::vector<double> d;
  for (std::size_t i = 0; i < golden["x"].size(); ++i) {
    d.push_back(golden["x"][i].get<double>() - golden["y"][i].get<double>());
  }
  const nlohmann::json& paired = golden["paired"];
  const TTest test = PairedTTest(d);
  EXPECT_THAT(test.t, MatchesGolden(paired["t"]));
  EXPECT_THAT(test.degrees_of_freedom, MatchesGolden(paired["df"]));
  EXPECT_THAT(test.p, MatchesGolden(paired["p"]));
  const double quantile =
      boost::math::quantile(boost::math::students_t(test.degrees_of_freedom), 0.975);
  EXPECT_THAT(test.difference - quantile * test.standard_error, MatchesGolden(paired["ci"][0]));
  EXPECT_THAT(test.difference + quantile * test.standard_error, MatchesGolden(paired["ci"][1]));
}

TEST(PairedTTest, DistributionAgreesWithR) {
  const nlohmann::json golden = GoldenJson("distributions.json");
  // Three values about a mean m at distance 1 have t = m sqrt(3): any t can be had from them, which
  // exercises our tails and not only Boost's.
  for (std::size_t i = 0; i < golden["pt"]["t"].size(); ++i) {
    const double t = golden["pt"]["t"][i];
    const double center = t / std::sqrt(3.0);
    const double p = golden["pt"]["p"][0][i];  // two degrees of freedom
    EXPECT_NEAR(PairedTTest({center - 1, center, center + 1}).p, 2 * (1 - p), 1e-12);
  }
}

TEST(PairedTTest, WithoutSpread) {
  EXPECT_EQ(PairedTTest({0, 0}).p, 1.0);
  EXPECT_EQ(PairedTTest({0, 0}).t, 0.0);
  EXPECT_EQ(PairedTTest({1, 1}).p, 0.0);
  EXPECT_EQ(PairedTTest({-1, -1}).t, -std::numeric_limits<double>::infinity());
}

TEST(HolmAdjusted, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["padjust"];
  const std::vector<double> adjusted = HolmAdjusted(golden["p"].get<std::vector<double>>());
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    EXPECT_THAT(adjusted[i], MatchesGolden(golden["holm"][i])) << i;
  }
}

TEST(BenjaminiHochbergAdjusted, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["padjust"];
  const std::vector<double> adjusted =
      BenjaminiHochbergAdjusted(golden["p"].get<std::vector<double>>());
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    EXPECT_THAT(adjusted[i], MatchesGolden(golden["BH"][i])) << i;
  }
}

}  // namespace
}  // namespace duetbench::stats
