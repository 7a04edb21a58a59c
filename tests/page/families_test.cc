#include "duetbench/page/families.h"

#include "duetbench/page/page.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/page/shown_suites.h"

namespace duetbench::page {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
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

}  // namespace
}  // namespace duetbench::page
