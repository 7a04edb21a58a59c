#include "tools/duet_report/page/figure.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/duet_report/page/html.h"

namespace duetbench::page {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> TextsOf(const Axis& axis, int most) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.Ticks(most)) texts.push_back(tick.text);
  return texts;
}

TEST(Axis, MapsValuesToPixels) {
  const Axis linear(Axis::Scale::kLinear, 0, 10, 100, 200);
  EXPECT_DOUBLE_EQ(linear.At(5), 150);
  EXPECT_DOUBLE_EQ(linear.At(-5), 100);
  EXPECT_DOUBLE_EQ(linear.At(std::numeric_limits<double>::infinity()), 200);
  const Axis log(Axis::Scale::kLog, 1, 100, 200, 0);
  EXPECT_DOUBLE_EQ(log.At(10), 100);
  EXPECT_DOUBLE_EQ(log.At(0), 200);
}

TEST(Axis, TicksAreRoundAndToldApart) {
  EXPECT_THAT(TextsOf({Axis::Scale::kLinear, 0, 10, 0, 1}, 5),
              ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(TextsOf({Axis::Scale::kLog, 0.985, 1.021, 0, 1}, 4),
              ElementsAre("0.99", "1.00", "1.01", "1.02"));
  EXPECT_THAT(TextsOf({Axis::Scale::kLog, 0.08, 12, 0, 1}, 8),
              ElementsAre("0.1", "0.2", "0.5", "1", "2", "5", "10"));
  EXPECT_THAT(TextsOf({Axis::Scale::kLog, 1, 1e12, 0, 1}, 5).size(), 5u);
  EXPECT_THAT(TextsOf({Axis::Scale::kLinear, 0, 3e9, 0, 1}, 3),
              ElementsAre("0", "1e+09", "2e+09", "3e+09"));
}

TEST(Html, EscapesMarkupAndShortensNumbers) {
  EXPECT_EQ(Escaped("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  EXPECT_EQ(Pixels(12), "12");
  EXPECT_EQ(Pixels(3.14159), "3.1");
  EXPECT_EQ(Pixels(-2.25), "-2.3");
}

TEST(Extent, LeavesOutWhatALogarithmicAxisCannotShow) {
  Extent extent;
  for (const double value : {2.0, 0.0, -1.0, std::numeric_limits<double>::infinity(), 8.0, 4.0}) {
    extent.Add(value);
  }
  EXPECT_EQ(extent.lo, 2);
  EXPECT_EQ(extent.hi, 8);
  const Axis axis = extent.ToAxis(0, 100);
  EXPECT_LT(axis.lo(), 2);
  EXPECT_GT(axis.hi(), 8);
}

}  // namespace
}  // namespace duetbench::page
