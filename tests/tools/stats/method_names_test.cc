#include "tools/stats/method_names.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;

TEST(MethodNames, RoundTrip) {
  for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean, Estimator::kMedian}) {
    EXPECT_EQ(ParseEstimator(EstimatorName(estimator)).value(), estimator);
  }
  for (OutlierRule rule : {OutlierRule::kNone, OutlierRule::kRange20, OutlierRule::kValue20}) {
    EXPECT_EQ(ParseOutlierRule(OutlierRuleName(rule)).value(), rule);
  }
}

TEST(MethodNames, UnknownOnesListTheNamesThatExist) {
  EXPECT_THAT(std::string(ParseEstimator("mean").status().message()),
              HasSubstr("estimator 'mean': use one of trimmed, geomean, median"));
  EXPECT_THAT(std::string(ParseOutlierRule("tukey").status().message()),
              HasSubstr("none, range20, value20"));
  EXPECT_THAT(std::string(ParseIntervalKind("students").status().message()),
              HasSubstr("interval kind 'students': use one of robust, t,"));
}

}  // namespace
}  // namespace duetbench::stats
