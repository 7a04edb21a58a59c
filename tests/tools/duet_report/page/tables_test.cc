#include <limits>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/page.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Too few calls.
Facts::Quantile WithoutInterval() {
  Facts::Quantile shown;
  shown.quantile = 0.999;
  shown.name = "p99.9";
  shown.gap = "too few calls, 8 of 9 needed";
  return shown;
}

TEST(QuantileTable, HasAPointABarAndNumbersForEach) {
  const std::string html = QuantileTable(
      {ShownQuantileOf(0.5, "p50", 0.9), ShownQuantileOf(0.99, "p99", 1.2), WithoutInterval()});
  for (const char* text :
       {"<td>p50</td>", "0.9000 x [0.8910, 0.9090]", "1.200 x [1.188, 1.212]", "1.500 µs",
        "1.800 µs", "<td>p99.9</td>", "too few calls, 8 of 9 needed", "[99 %, all at once]"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  EXPECT_THAT(html, Not(HasSubstr("gate")));
  // The line at 1 lies between the two points, of 240 pixels.
  std::smatch one;
  ASSERT_TRUE(std::regex_search(html, one, std::regex("--one:([0-9.]+)%")));
  const std::regex dot("M([0-9.]+) 4v12\"");
  std::vector<double> dots;
  for (std::sregex_iterator it(html.begin(), html.end(), dot), end; it != end; ++it) {
    dots.push_back(std::stod((*it)[1]));
  }
  ASSERT_EQ(dots.size(), 2u) << "the third has no interval";
  EXPECT_LT(dots[0], 2.4 * std::stod(one[1]) - 5);
  EXPECT_GT(dots[1], 2.4 * std::stod(one[1]) + 5);
}

TEST(QuantileTable, HasGatesAndLimitsThatAreNear) {
  Facts::Quantile gated = ShownQuantileOf(0.99, "p99", 1.2);
  gated.gate = stats::GateStatus::kFail;
  gated.gate_limit = "limit <1.1>";
  gated.allowed_hi = 1.1;
  const std::string html = QuantileTable({gated});
  EXPECT_THAT(html, HasSubstr("✗ FAIL</span> limit &lt;1.1&gt;"));
  EXPECT_THAT(html, HasSubstr("class=\"lim\""));
  gated.allowed_hi = 300;
  EXPECT_THAT(QuantileTable({gated}), Not(HasSubstr("class=\"lim\"")));
}

TEST(QuantileTable, HasFiniteCoordinatesForEveryInterval) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [lo, hi] : {std::pair{0.0, inf}, {0.0, 1.0}, {1.0, 1.0}, {1e-9, 1e9}}) {
    Facts::Quantile shown = ShownQuantileOf(0.5, "p50", 1);
    shown.interval->lo = lo;
    shown.interval->hi = hi;
    EXPECT_FALSE(
        std::regex_search(QuantileTable({shown}), std::regex("(d|--one)[=:][^>]*(inf|nan)")))
        << lo << " " << hi;
  }
}

TEST(QuantileTable, IsInThePageOnlyWhereQuantilesAre) {
  Facts shown = ShownWithRatio("a", 1.1);
  EXPECT_EQ(QuantileTable({}), "");
  EXPECT_THAT(PageOf({shown}), Not(HasSubstr("<table class=\"q\"")));
  shown.quantiles = {ShownQuantileOf(0.5, "p50", 0.9)};
  EXPECT_THAT(PageOf({shown}), HasSubstr(QuantileTable(shown.quantiles)));
}

}  // namespace
}  // namespace duetbench::page
