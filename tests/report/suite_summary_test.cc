#include "duetbench/report/suite_summary.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SuiteEntry Of(const std::string& family, double ratio) {
  SuiteEntry entry;
  entry.name = family + "/64";
  entry.family = family;
  const stats::RatioInterval interval = Interval(ratio, ratio / 1.001, ratio * 1.001);
  entry.comparison = WithVerdict(stats::Decide(interval, 0.01), interval);
  return entry;
}

SuiteEntry Named(SuiteEntry entry, const VariantNames& names) {
  entry.comparison.names = names;
  return entry;
}

TEST(SuiteSummaryLines, AreOfSeveralDuets) {
  EXPECT_THAT(SuiteSummaryLines({}), IsEmpty());
  EXPECT_THAT(SuiteSummaryLines({Of("a", 0.5)}), IsEmpty());
  EXPECT_THAT(SuiteSummaryLines({Of("a", 0.5), Broken("b")}), IsEmpty());
}

TEST(SuiteSummaryLines, HaveTheGeometricMeanOfEachFamily) {
  const VariantNames maps = {"StdMap", "BTreeMap"};
  EXPECT_THAT(
      SuiteSummaryLines({Named(Of("StdMap_vs_BTreeMap", 0.25), maps), Of("single", 1),
                         Named(Of("StdMap_vs_BTreeMap", 1), maps), Of("twice", 2), Of("twice", 8)}),
      ElementsAre(
          "duetbench: 5 duets: 1 FASTER, 2 SLOWER, 2 EQUAL; geometric mean 1.32 ×",
          "  BTreeMap takes 0.5 × the time of StdMap (geometric mean of 2, from 0.25 to 1 ×)",
          "  twice: new takes 4 × the time of old (geometric mean of 2, from 2 to 8 ×)"));
}

TEST(SuiteSummaryLines, SayWhatWouldDecideTheUndecided) {
  SuiteEntry shorter = Ungated("a");
  SuiteEntry longer = Ungated("b");
  longer.comparison.wall_s = 10;
  EXPECT_THAT(SuiteSummaryLines({longer, shorter}),
              ElementsAre("duetbench: 2 duets: 2 INCONCLUSIVE; geometric mean 1 ×",
                          testing::_,  // both are of one family, the unnamed one
                          "duetbench: measured longer, what is INCONCLUSIVE would be decided: "
                          "--benchmark_min_time=18"));
}

TEST(SuiteSummaryLines, NameTheUndecidedWhereTheyAreFew) {
  const auto line = [](std::vector<SuiteEntry> suite) { return SuiteSummaryLines(suite).back(); };
  EXPECT_THAT(line({Ungated("a/8"), Of("b", 2)}),
              testing::HasSubstr("decided: '--benchmark_filter=^a/8$' --benchmark_min_time="));
  EXPECT_THAT(line({Ungated("f<1>"), Of("b", 2), Ungated("c")}),
              testing::HasSubstr("decided: '--benchmark_filter=^(f<1>|c)$' --benchmark_min_time="));
  EXPECT_THAT(line({Ungated("a"), Ungated("b"), Ungated("c"), Ungated("d"), Of("e", 2)}),
              testing::HasSubstr("decided: --benchmark_min_time="));
}

TEST(SuiteSummaryLines, VerdictsOfGatesAreNotCounted) {
  EXPECT_EQ(SuiteSummaryLines({Passing("a"), Passing("b")})[0],
            "duetbench: 2 duets; geometric mean 1 ×");
}

}  // namespace
}  // namespace duetbench
