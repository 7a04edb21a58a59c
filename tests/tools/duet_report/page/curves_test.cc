#include "tools/duet_report/page/curves.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/page.h"

namespace duetbench::page {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Facts> Suite(const std::vector<std::string>& names) {
  std::vector<Facts> suite;
  for (const std::string& name : names) suite.push_back(ShownWithRatio(name, 1.5));
  return suite;
}

std::vector<std::string> FamiliesOf(const std::vector<std::string>& names) {
  std::vector<std::string> families;
  for (const Curve& curve : CurvesOf(Suite(names))) families.push_back(curve.family);
  return families;
}

TEST(CurvesOf, FindsTheArgumentInTheNames) {
  const std::vector<Curve> curves =
      CurvesOf(Suite({"a/size:64/manual_time", "a/size:8/manual_time", "a/size:512/manual_time"}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].family, "a/size:…/manual_time");
  EXPECT_EQ(curves[0].argument, "size");
  ASSERT_EQ(curves[0].points.size(), 3u);
  EXPECT_EQ(curves[0].points[0].x, 8);
  EXPECT_EQ(curves[0].points[2].x, 512);
  EXPECT_EQ(CurvesOf(Suite({"b/1", "b/2", "b/3"}))[0].argument, "n");
}

TEST(CurvesOf, NeedsThreeSizes) {
  EXPECT_THAT(FamiliesOf({"a/1", "a/2", "b/1", "c"}), IsEmpty());
  EXPECT_THAT(FamiliesOf({"a/1", "a/2", "a/2", "a/0", "a/-4"}), IsEmpty());
  EXPECT_THAT(FamiliesOf({"a/iterations:1", "a/iterations:2", "a/iterations:3"}), IsEmpty());
  std::vector<Facts> suite = Suite({"a/1", "a/2", "a/3"});
  suite[1].error = "threw";
  EXPECT_THAT(CurvesOf(suite), IsEmpty());
}

TEST(CurvesOf, OtherArgumentsMakeCurvesOfTheirOwn) {
  EXPECT_THAT(FamiliesOf({"a/1/7", "a/2/7", "a/3/7", "a/1/8", "a/2/8", "a/3/8"}),
              ElementsAre("a/…/7", "a/…/8"));
}

}  // namespace
}  // namespace duetbench::page
