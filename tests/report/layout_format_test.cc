#include "duetbench/report/layout_format.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Estimate WithLayouts() {
  Estimate estimate;
  estimate.interval = Interval(1.001, 0.998, 1.004);
  stats::LayoutSpread layouts;
  layouts.layouts = 8;
  layouts.own_effect = std::log(1.012);
  layouts.layout_sd = 0.009;
  layouts.run_sd = 0.002;
  estimate.layouts = layouts;
  return estimate;
}

TEST(LayoutLine, DividesTheRatioIntoCodeAndLayout) {
  EXPECT_EQ(LayoutLine(WithLayouts()),
            "code +0.1 ± 0.3 %, this layout adds +1.2 %; spread between layouts 0.9 %, between the "
            "runs of one 0.2 %");
}

TEST(LayoutLine, LeavesOutWhatIsNotKnown) {
  Estimate estimate = WithLayouts();
  estimate.layouts->own_effect.reset();
  estimate.layouts->layout_sd.reset();
  estimate.layouts->run_sd.reset();
  EXPECT_EQ(LayoutLine(estimate), "code +0.1 ± 0.3 %");
}

TEST(LayoutLine, IsEmptyForOneLayout) {
  EXPECT_EQ(LayoutLine(Estimate()), "");
  EXPECT_THAT(LayoutKeys(Estimate()), IsEmpty());
}

TEST(LayoutKeys, HasTheSameNumbers) {
  EXPECT_THAT(LayoutKeys(WithLayouts()),
              UnorderedElementsAre(Pair("layouts", 8),
                                   Pair("layout_effect", ::testing::DoubleNear(0.012, 1e-12)),
                                   Pair("layout_spread", 0.009), Pair("run_spread", 0.002)));
}

}  // namespace
}  // namespace duetbench
