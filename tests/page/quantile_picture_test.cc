#include "duetbench/page/quantile_picture.h"

#include <limits>
#include <regex>

#include "duetbench/page/page.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/page/shown_suites.h"

namespace duetbench::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Too few calls.
ShownQuantile WithoutInterval() {
  ShownQuantile shown;
  shown.quantile = 0.999;
  shown.name = "p99.9";
  shown.gap = "too few calls, 8 of 9 needed";
  return shown;
}

TEST(QuantileRatios, ArePointsAndBarsAndWords) {
  const std::string svg = QuantileRatios(
      {ShownQuantileOf(0.5, "p50", 0.9), ShownQuantileOf(0.99, "p99", 1.2), WithoutInterval()});
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Ratio of each quantile: p50 0.900 x [0.891, 0.909], "
                             "p99 1.200 x [1.188, 1.212]\""));
  EXPECT_THAT(svg, HasSubstr("99 % intervals are simultaneous"));
  EXPECT_THAT(svg, HasSubstr(">p99</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("p99.9")));
  // The reference line at 1, between the two; in the legend too.
  std::smatch one;
  ASSERT_TRUE(std::regex_search(svg, one, std::regex("class=\"one\" d=\"M52 ([0-9.]+)H426\"")));
  std::smatch dots;
  ASSERT_TRUE(std::regex_search(
      svg, dots, std::regex("class=\"p\" d=\"M[0-9.]+ ([0-9.]+)h0M[0-9.]+ ([0-9.]+)h0\"")));
  EXPECT_GT(std::stod(dots[1]), std::stod(one[1])) << "pixels go down";
  EXPECT_LT(std::stod(dots[2]), std::stod(one[1]));
  EXPECT_THAT(svg, Not(HasSubstr("limit")));
}

TEST(QuantileRatios, ShowLimitsThatAreNear) {
  ShownQuantile gated = ShownQuantileOf(0.99, "p99", 1.2);
  gated.allowed_hi = 1.1;
  EXPECT_THAT(QuantileRatios({gated}), HasSubstr(">limit</text>"));
  gated.allowed_hi = 300;
  EXPECT_THAT(QuantileRatios({gated}), Not(HasSubstr(">limit</text>")));
}

TEST(QuantileRatios, HaveFiniteCoordinatesForEveryInterval) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [lo, hi] : {std::pair{0.0, inf}, {0.0, 1.0}, {1.0, 1.0}, {1e-9, 1e9}}) {
    ShownQuantile shown = ShownQuantileOf(0.5, "p50", 1);
    shown.interval->lo = lo;
    shown.interval->hi = hi;
    EXPECT_FALSE(
        std::regex_search(QuantileRatios({shown}), std::regex("(d|x|y)=\"[^\"]*(inf|nan)")))
        << lo << " " << hi;
  }
}

TEST(QuantileRatios, OfManyQuantilesHaveSomeNames) {
  std::vector<ShownQuantile> many;
  for (int i = 0; i < 40; ++i) {
    many.push_back(ShownQuantileOf(0.5, "p" + std::to_string(10 + i), 1.1));
  }
  const std::string svg = QuantileRatios(many);
  EXPECT_THAT(svg, HasSubstr(">p10</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">p11</text>")));
}

TEST(QuantileTable, HasTimesGatesAndWhatIsMissing) {
  ShownQuantile gated = ShownQuantileOf(0.99, "p99", 1.2);
  gated.gate = GateMark::kFail;
  gated.gate_name = "FAIL";
  gated.gate_limit = "limit <1.1>";
  const std::string html = QuantileTable({gated, WithoutInterval()});
  for (const char* text : {"1.200 x [1.188, 1.212]", "1.5 µs", "1.8 µs", "✗ FAIL",
                           "limit &lt;1.1&gt;", "too few calls, 8 of 9 needed"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
}

TEST(QuantileTable, IsInThePageWithThePictureOnlyWhereQuantilesAre) {
  ShownBenchmark shown = ShownWithRatio("a", 1.1);
  EXPECT_EQ(QuantileTable({}), "");
  EXPECT_EQ(QuantileRatios({WithoutInterval()}), "");
  EXPECT_THAT(PageHtml({"bench", "", {}, {shown}}), Not(HasSubstr("quantile")));
  shown.quantiles = {ShownQuantileOf(0.5, "p50", 0.9)};
  const std::string html = PageHtml({"bench", "", {}, {shown}});
  EXPECT_THAT(html, HasSubstr(QuantileRatios(shown.quantiles)));
  EXPECT_THAT(html, HasSubstr(QuantileTable(shown.quantiles)));
}

}  // namespace
}  // namespace duetbench::page
