#include "duetbench/google_benchmark/default_statistics.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

std::vector<double> ValuesFor(const std::vector<double>& samples) {
  std::vector<double> values;
  for (const DuetStatistic& statistic : DefaultStatistics()) {
    values.push_back(statistic.compute(samples));
  }
  return values;
}

TEST(DefaultStatisticsTest, AreThoseOfGoogleBenchmark) {
  std::vector<std::string> names;
  for (const DuetStatistic& statistic : DefaultStatistics()) {
    names.push_back(statistic.name);
    EXPECT_EQ(statistic.unit, statistic.name == "cv" ? benchmark::kPercentage : benchmark::kTime);
  }
  EXPECT_THAT(names, ::testing::ElementsAre("mean", "median", "stddev", "cv"));
}

TEST(DefaultStatisticsTest, AreOfASample) {
  EXPECT_THAT(ValuesFor({4, 1, 10}),
              ::testing::ElementsAre(5, 4, std::sqrt(21), std::sqrt(21) / 5));
  EXPECT_THAT(ValuesFor({4, 1, 10, 5})[1], 4.5);
  EXPECT_THAT(ValuesFor({7}), ::testing::ElementsAre(7, 7, 0, 0));
}

}  // namespace
}  // namespace duetbench
