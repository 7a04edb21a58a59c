#include "tools/stats/narrowness.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(NarrownessWarning, QuotesTheCoverage) {
  EXPECT_EQ(NarrownessWarning(IntervalKind::kPercentile, 10, 0.99),
            "not enough runs for this interval kind: with 10 runs its nominal 99 % cover about "
            "96 %");
  EXPECT_EQ(NarrownessWarning(IntervalKind::kPercentile, 10, 0.95),
            "not enough runs for this interval kind: with 10 runs its nominal 95 % cover about "
            "90 %");
}

TEST(NarrownessWarning, EndsWithEnoughRuns) {
  for (IntervalKind kind : {IntervalKind::kPercentile, IntervalKind::kNMinus1, IntervalKind::kBasic,
                            IntervalKind::kBca, IntervalKind::kHierarchical}) {
    EXPECT_THAT(NarrownessWarning(kind, 2, 0.95), Not(IsEmpty()));
    EXPECT_THAT(NarrownessWarning(kind, 5, 0.95), Not(IsEmpty()));
    EXPECT_THAT(NarrownessWarning(kind, 100, 0.95), IsEmpty());
    EXPECT_THAT(NarrownessWarning(kind, 100, 0.99), IsEmpty());
  }
  EXPECT_THAT(NarrownessWarning(IntervalKind::kExpanded, 5, 0.99), Not(IsEmpty()));
  EXPECT_THAT(NarrownessWarning(IntervalKind::kExpanded, 10, 0.99), IsEmpty());
  for (IntervalKind kind : {IntervalKind::kT, IntervalKind::kBootT, IntervalKind::kHodgesLehmann,
                            IntervalKind::kAnytime}) {
    EXPECT_THAT(NarrownessWarning(kind, 3, 0.99), IsEmpty());
  }
}

TEST(SimulatedCoverage, RisesTowardsTheNominalOne) {
  double previous = 0;
  for (std::size_t runs : {2u, 3u, 4u, 5u, 7u, 10u, 15u, 20u, 25u, 30u, 40u, 50u, 80u, 1000u}) {
    const double coverage = SimulatedCoverage(IntervalKind::kPercentile, runs, 0.99);
    EXPECT_GE(coverage, previous) << runs;
    previous = coverage;
  }
  EXPECT_NEAR(previous, 99, 0.1);
  EXPECT_EQ(SimulatedCoverage(IntervalKind::kT, 5, 0.95), 95);
}

}  // namespace
}  // namespace duetbench::stats
