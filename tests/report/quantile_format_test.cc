#include "duetbench/report/comparison_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

stats::QuantileRatio P99() {
  stats::QuantileRatio ratio;
  ratio.quantile = 0.99;
  ratio.interval = Interval(1.213, 1.18, 1.251);
  ratio.time[0] = 1520;
  ratio.time[1] = 1.85e6;
  ratio.calls = 60'000;
  ratio.runs = 18;
  return ratio;
}

TEST(QuantileFormat, NamesArePercentiles) {
  EXPECT_EQ(QuantileName(0.5), "p50");
  EXPECT_EQ(QuantileName(0.999), "p99.9");
}

TEST(QuantileFormat, ALineForEach) {
  Estimate estimate;
  EXPECT_THAT(QuantileLines(estimate), ElementsAre());
  stats::QuantileRatio calls;
  calls.quantile = 0.999;
  calls.calls = 8400;
  calls.calls_needed = 50'000;
  stats::QuantileRatio runs = calls;
  runs.runs = 5;
  runs.runs_needed = 10;
  estimate.quantiles = {P99(), calls, runs};
  EXPECT_THAT(QuantileLines(estimate),
              ElementsAre("p99: 1.213 x [1.180, 1.251], a call 1.52 µs -> 1.85 ms",
                          "p99.9: too few calls for 3 quantiles at once, 8400 of 50000 needed",
                          "p99.9: too few runs for 3 quantiles at once, 5 of 10 needed"));
}

}  // namespace
}  // namespace duetbench
