#include "duetbench/stats/few_runs.h"

#include <cmath>
#include <limits>
#include <vector>

#include "duetbench/stats/interim_analysis.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(WidenToLeastSpread, FewRunsThatLieCloseTogether) {
  const std::vector<double> equal(10, std::log(1.05));
  RatioInterval interval = *AnalysisInterval(equal, 0.99, 1);
  WidenToLeastSpread(equal, 1, &interval);
  // t of 9 degrees of freedom at 99 % is 3.2498.
  EXPECT_NEAR(std::log(interval.hi / 1.05), 3.2498 * 0.001 / std::sqrt(10), 1e-7);
  EXPECT_NEAR(std::log(1.05 / interval.lo), 3.2498 * 0.001 / std::sqrt(10), 1e-7);
  EXPECT_EQ(interval.ratio, AnalysisInterval(equal, 0.99, 1)->ratio);
}

TEST(WidenToLeastSpread, RunsThatSpreadOrAreManyStayAsTheyAre) {
  for (const auto& [runs, spread] : {std::pair(10, 0.01), std::pair(18, 1e-6)}) {
    std::vector<double> values;
    for (int run = 0; run < runs; ++run) values.push_back(run % 2 == 0 ? spread : -spread);
    const RatioInterval plain = *AnalysisInterval(values, 0.99, 0.5);
    RatioInterval interval = plain;
    WidenToLeastSpread(values, 0.5, &interval);
    EXPECT_EQ(interval.lo, plain.lo);
    EXPECT_EQ(interval.hi, plain.hi);
  }
}

TEST(MayPassEarly, WithAMarginOfManySpreads) {
  const std::vector<double> few(5, 0.0);
  EXPECT_TRUE(MayPassEarly(few, 0, 1.05));
  EXPECT_TRUE(MayPassEarly(few, 1 / 1.02, 1.02));
  EXPECT_FALSE(MayPassEarly(few, 0, 1.01));
  EXPECT_FALSE(MayPassEarly(few, 0.99, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(MayPassEarly(std::vector<double>(17, 0.04), 0, 1.05));
  EXPECT_TRUE(MayPassEarly(std::vector<double>(18, 0.0), 0, 1.001));
}

// What FAILs at a level has a p-value up to it.
TEST(AnalysisPValue, AgreesWithTheIntervalOfTheLeastSpread) {
  const std::vector<double> equal(5, std::log(1.06));
  for (const double share : {1.0, 0.5, 1.0 / 24}) {
    for (double limit = 1.04; limit < 1.06; limit += 0.0007) {
      RatioInterval interval = *AnalysisInterval(equal, 0.99, share);
      WidenToLeastSpread(equal, share, &interval);
      EXPECT_EQ(AnalysisPValue(equal, 0, limit, share, LeastSpread(5)) <= 0.01, interval.lo > limit)
          << share << " " << limit;
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
