#include <string>

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

TEST(QuantileTable, HasNumbersForEach) {
  const std::string html = QuantileTable(
      {ShownQuantileOf(0.5, "p50", 0.9), ShownQuantileOf(0.99, "p99", 1.2), WithoutInterval()});
  for (const char* text :
       {"<td>p50</td>", "0.9000 x [0.8910, 0.9090]", "1.200 x [1.188, 1.212]", "1.500 µs",
        "1.800 µs", "<td>p99.9</td>", "too few calls, 8 of 9 needed", "[99 %, all at once]"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  EXPECT_THAT(html, Not(HasSubstr("gate")));
}

TEST(QuantileTable, HasGates) {
  Facts::Quantile gated = ShownQuantileOf(0.99, "p99", 1.2);
  gated.gate = stats::GateStatus::kFail;
  gated.gate_limit = "limit <1.1>";
  const std::string html = QuantileTable({gated});
  EXPECT_THAT(html, HasSubstr("✗ FAIL</span> limit &lt;1.1&gt;"));
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
