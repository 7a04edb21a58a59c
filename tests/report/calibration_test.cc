#include "duetbench/report/calibration.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

SuiteEntry Measured(double spread) {
  SuiteEntry entry = Ungated("BM_Parse/1024");
  for (int run = 0; run < 40; ++run) {
    entry.comparison.estimate()->run_log_ratios.push_back(run % 2 == 0 ? spread : -spread);
  }
  entry.comparison.wall_s = 1.2;
  entry.comparison.estimate()->measuring_s = 1;
  return entry;
}

TEST(Calibrate, TellsWhatTheseRunsFind) {
  const Calibration calibration = Calibrate(*Measured(0.005).comparison.estimate(), 1.2, 0);
  EXPECT_NEAR(calibration.spread, 0.00506, 1e-5);
  // (t(0.995, 39) + t(0.95, 39)) / sqrt(40) * spread
  EXPECT_NEAR(calibration.detectable, std::expm1((2.70791 + 1.68488) / std::sqrt(40) * 0.0050637),
              1e-6);
  EXPECT_GT(calibration.surely, 1.1 * calibration.detectable);
  EXPECT_LT(calibration.surely, 1.3 * calibration.detectable);
  EXPECT_EQ(calibration.runs, 0);
}

TEST(Calibrate, TellsWhatAWishTakes) {
  const Calibration calibration = Calibrate(*Measured(0.005).comparison.estimate(), 1.2, 0.001);
  EXPECT_GT(calibration.runs, 400);
  EXPECT_LT(calibration.runs, 500);
  EXPECT_NEAR(calibration.seconds, 1.2 * calibration.runs / 40, 1e-9);
  EXPECT_NEAR(calibration.min_time, 1.0 * calibration.runs / 40, 1e-9);
  EXPECT_LE(Calibrate(*Measured(0.005).comparison.estimate(), 1.2, 0.5).runs, 5);
  EXPECT_EQ(Calibrate(*Measured(0.005).comparison.estimate(), 1.2, 1e-9).runs, 0)
      << "not in this life";
}

TEST(CalibrationLines, OneForEachDuet) {
  SuiteEntry alone = Ungated("alone");
  alone.comparison.estimate()->run_log_ratios = {0.1};
  const std::vector<std::string> lines =
      CalibrationLines({Measured(0.005), alone, Broken("broken")}, 0.001);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1],
            "BM_Parse/1024: 0.35 % with 40 runs in 1.2 s (at 99 %; at most 0.41 %, with the spread "
            "at its upper 90 % limit); 0.1 %: 461 runs, 14 s (--duet_runs=461 "
            "--benchmark_min_time=12)");
  EXPECT_THAT(lines[2], HasSubstr("alone: nothing is known: it takes two runs"));
  EXPECT_THAT(lines[3], HasSubstr("broken: nothing is known: new threw"));
  EXPECT_THAT(CalibrationLines({Measured(0.005)}, 1e-9)[1], HasSubstr("more than a million runs"));
}

}  // namespace
}  // namespace duetbench
