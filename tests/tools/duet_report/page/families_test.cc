#include "tools/duet_report/page/families.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/page.h"

namespace duetbench::page {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(SummariesOf, NamesDifferInArgumentsOnly) {
  ShownBenchmark broken = ShownWithRatio("BM_B/1", 1);
  broken.error = "threw";
  const std::vector<FamilySummary> families = SummariesOf(
      {ShownWithRatio("Fixture/A_vs_B/8/iterations:5", 0.5), ShownWithRatio("BM_B/small", 3),
       ShownWithRatio("Fixture/A_vs_B/n:-1", 2), broken, ShownWithRatio("64", 1)});
  EXPECT_THAT(families, ElementsAre(Field(&FamilySummary::name, "Fixture/A_vs_B"),
                                    Field(&FamilySummary::name, "BM_B/small"),
                                    Field(&FamilySummary::name, "64")));
  EXPECT_EQ(families[0].count, 2u);
  EXPECT_DOUBLE_EQ(families[0].mean, 1);
  EXPECT_EQ(families[0].least, 0.5);
  EXPECT_EQ(families[0].largest, 2);
  EXPECT_EQ(families[0].verdicts[static_cast<size_t>(stats::Verdict::kFaster)], 1u);
  EXPECT_EQ(families[0].verdicts[static_cast<size_t>(stats::Verdict::kSlower)], 1u);
}

TEST(FamilyTable, HasFamiliesOfSeveralAndAll) {
  const std::string html =
      FamilyTable({ShownWithRatio("BM_A<1>/8", 2), ShownWithRatio("BM_A<1>/64", 8),
                   ShownWithRatio("BM_Alone", 0.25)});
  EXPECT_THAT(html, HasSubstr("A&lt;1&gt;"));
  EXPECT_THAT(html, HasSubstr("4 x"));
  EXPECT_THAT(html, HasSubstr("2 to 8 x"));
  EXPECT_THAT(html, HasSubstr("2 SLOWER"));
  EXPECT_THAT(html, Not(HasSubstr("Alone")));
  EXPECT_THAT(html, HasSubstr("all benchmarks"));
  EXPECT_THAT(html, HasSubstr("1.59 x")) << "the cube root of 2 · 8 / 4";
  EXPECT_EQ(FamilyTable({ShownWithRatio("BM_A", 2)}), "");
  EXPECT_THAT(PageHtml({"bench", "", {}, {ShownWithRatio("a/1", 2), ShownWithRatio("a/2", 2)}}),
              HasSubstr("<h2>Geometric means</h2>"));
}

std::vector<ShownBenchmark> Suite(const std::vector<std::string>& names) {
  std::vector<ShownBenchmark> suite;
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
  std::vector<ShownBenchmark> suite = Suite({"a/1", "a/2", "a/3"});
  suite[1].error = "threw";
  EXPECT_THAT(CurvesOf(suite), IsEmpty());
}

TEST(CurvesOf, OtherArgumentsMakeCurvesOfTheirOwn) {
  EXPECT_THAT(FamiliesOf({"a/1/7", "a/2/7", "a/3/7", "a/1/8", "a/2/8", "a/3/8"}),
              ElementsAre("a/…/7", "a/…/8"));
}

}  // namespace
}  // namespace duetbench::page
