#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "tests/decide/golden.h"
#include "tools/stats/planning.h"

namespace duetbench::stats {
namespace {

// The effects that power.t.test of R finds at 95 % power, and what the header states of them.
TEST(EffectSize, IsTooSmallForFewRuns) {
  constexpr double kExact[] = {2.204, 1.286, 0.850, 0.681};
  constexpr int kRuns[] = {5, 10, 20, 30};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(EffectSize(kRuns[i]) / kExact[i] - 1, 0, 0.01) << kRuns[i];
  }
  // power.t.test solves to an absolute 2^-13 in the unit of the data.
  for (const auto& row : GoldenCsv("power_mde.csv")) {
    if (row[0] < 10) continue;
    EXPECT_NEAR(EffectSize(static_cast<int>(row[0]), {row[3], row[2]}) * row[1], row[4],
                1.3e-4 + 0.03 * row[4]);
  }
}

TEST(MinimalDetectableSlowdown, IsTheFormula) {
  // t_{0.975,9} = 2.262157, t_{0.95,9} = 1.833113.
  EXPECT_NEAR(MinimalDetectableSlowdown(0.01, 10),
              std::exp((2.26215716 + 1.83311293) * 0.01 / std::sqrt(10.0)) - 1, 1e-9);
  EXPECT_EQ(MinimalDetectableSlowdown(0, 10), 0.0);
}

TEST(UpperSpread, IsTheLimitOfChiSquare) {
  EXPECT_NEAR(UpperSpread(1, 10), std::sqrt(9 / 4.168159), 1e-6);  // qchisq(0.1, 9)
  EXPECT_GT(UpperSpread(1, 3), UpperSpread(1, 30));
}

TEST(UpperSpread, CoversTheSpreadInNineOfTen) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    double squares = 0;
    for (int i = 0; i < 9; ++i) {
      const double z = normal(engine);
      squares += z * z;
    }
    if (UpperSpread(std::sqrt(squares / 9), 10) >= 1) ++covered;
  }
  EXPECT_NEAR(covered, 3600, 63);  // 3.3 standard deviations
}

TEST(DetectionDeathTest, StopsOutsideItsRange) {
  EXPECT_DEATH(EffectSize(1), "two runs");
  EXPECT_DEATH(EffectSize(5, {0.05, 0.3}), "power");
}

}  // namespace
}  // namespace duetbench::stats
