#include <string>

#include "duetbench/page/page.h"
#include "duetbench/page/pictures.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/page/shown_suites.h"

namespace duetbench::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ShownRange Range() {
  ShownRange shown;
  shown.sentence = "fastest is a<b> from 8 to 64; then flat";
  shown.range.argument = "n";
  shown.range.stretches = {{"a<b>", 8, 64, {}},
                           {"flat", 512, 4096, stats::Crossing{130, 110, 160, true}}};
  return shown;
}

TEST(FastestOverArgument, HasABarForEachStretchAndALineForTheCrossing) {
  const std::string html = FastestOverArgument(Range());
  EXPECT_EQ(CountOf(html, "class=\"e\""), 2u);
  EXPECT_EQ(CountOf(html, "class=\"one\""), 1u);
  EXPECT_EQ(CountOf(html, "class=\"x\""), 1u);
  EXPECT_THAT(html, HasSubstr(">a&lt;b&gt;</text>"));
  EXPECT_THAT(html, HasSubstr(">flat</text>"));
  for (const char* size : {">8</text>", ">64</text>", ">512</text>", ">4096</text>"}) {
    EXPECT_THAT(html, HasSubstr(size));
  }
  EXPECT_THAT(html, HasSubstr("<figcaption>fastest is a&lt;b&gt; from 8 to 64; then flat."));
}

TEST(FastestOverArgument, AStretchMayHaveOneSize) {
  ShownRange shown = Range();
  shown.range.stretches = {{"a", 8, 8, {}}, {"b", 9, 9, {}}};
  const std::string html = FastestOverArgument(shown);
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_EQ(CountOf(html, "class=\"one\""), 0u);
}

TEST(FastestOverArgument, IsAPartOfThePage) {
  ShownSuite suite{"bench", "", {}, {ShownWithRatio("a/1", 2)}};
  EXPECT_THAT(PageHtml(suite), Not(HasSubstr("Over arguments")));
  suite.ranges = {Range()};
  EXPECT_THAT(PageHtml(suite), HasSubstr("<h2>Over arguments</h2>"));
}

}  // namespace
}  // namespace duetbench::page
