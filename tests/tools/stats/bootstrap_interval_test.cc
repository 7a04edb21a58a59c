#include "tools/stats/bootstrap_interval.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(BootstrapInterval, WarnsWhereTheKindIsTooNarrow) {
  const std::vector<double> ten = {0.1, 0.2, 0.3, 0.15, 0.2, 0.12, 0.22, 0.18, 0.25, 0.21};
  IntervalOptions options;
  options.kind = IntervalKind::kPercentile;
  EXPECT_THAT(IntervalOfRuns(ten, options).value().warning,
              HasSubstr("not enough runs for this interval kind: with 10 runs"));
  options.kind = IntervalKind::kExpanded;
  EXPECT_THAT(IntervalOfRuns(ten, options).value().warning, IsEmpty());
  EXPECT_THAT(IntervalOfRuns({0.1, 0.2, 0.3}, options).value().warning, Not(IsEmpty()));
  options.kind = IntervalKind::kT;
  EXPECT_THAT(IntervalOfRuns({0.1, 0.2, 0.3}, options).value().warning, IsEmpty());
}

TEST(BootstrapInterval, DependsOnTheSeedOnly) {
  const std::vector<double> runs = {0.11, 0.2, 0.31, 0.15, 0.27, 0.24, 0.19, 0.22, 0.26};
  IntervalOptions options;
  options.kind = IntervalKind::kBca;
  const RatioInterval first = IntervalOfRuns(runs, options).value();
  const RatioInterval again = IntervalOfRuns(runs, options).value();
  EXPECT_EQ(first.lo, again.lo);
  EXPECT_EQ(first.hi, again.hi);
  options.resampling.seed = 2;
  const RatioInterval other = IntervalOfRuns(runs, options).value();
  EXPECT_TRUE(other.lo != first.lo || other.hi != first.hi);
}

TEST(BootstrapInterval, OrderOfWidths) {
  const std::vector<double> runs = {0.10, 0.20, 0.30, 0.15, 0.27, 0.18, 0.22, 0.12, 0.26, 0.19};
  const auto width = [&](IntervalKind kind) {
    IntervalOptions options;
    options.kind = kind;
    options.level = 0.95;
    const RatioInterval interval = IntervalOfRuns(runs, options).value();
    return std::log(interval.hi / interval.lo);
  };
  EXPECT_LT(width(IntervalKind::kPercentile), width(IntervalKind::kNMinus1));
  EXPECT_LT(width(IntervalKind::kNMinus1), width(IntervalKind::kExpanded));
  EXPECT_NEAR(width(IntervalKind::kExpanded) / width(IntervalKind::kT), 1, 0.1);
  EXPECT_NEAR(width(IntervalKind::kBasic) / width(IntervalKind::kPercentile), 1, 1e-9);
  EXPECT_GT(width(IntervalKind::kAnytime), 1.5 * width(IntervalKind::kT));
}

TEST(BootstrapInterval, RefusesWrongRequests) {
  IntervalOptions options;
  options.kind = IntervalKind::kPercentile;
  options.resampling.replicates = 1;
  EXPECT_THAT(std::string(IntervalOfRuns({0, 1}, options).status().message()),
              HasSubstr("replicates must lie in 2..100000000"));
  options.resampling.replicates = 10;
  options.kind = IntervalKind::kEwc;
  EXPECT_THAT(std::string(IntervalOfRuns({0, 1}, options).status().message()),
              HasSubstr("not a bootstrap of the runs"));
}

}  // namespace
}  // namespace duetbench::stats
