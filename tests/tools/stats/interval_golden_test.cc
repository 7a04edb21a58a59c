// The intervals of the three golden duets, and the half-widths of a golden table. Values of runs
// and drawn percentiles are compared through the whole program (duet_stat/golden_test.cc).

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/stats/golden.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

TEST(TInterval, OfTheGoldenDuets) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"];
    const std::vector<double> values =
        RunLogRatios(GoldenRuns(name + ".csv"), Estimator::kGeomean).value();
    for (const std::string level : {"90", "95", "99"}) {
      const RatioInterval interval = TInterval(values, std::stod(level) / 100).value();
      ExpectGolden({interval.lo, interval.hi}, golden["ci" + level]["t"], name + level);
    }
  }
}

TEST(TInterval, GoldenHalfWidths) {
  const nlohmann::json golden = GoldenJson("t_halfwidths.json");
  for (const nlohmann::json& row : golden["rows"]) {
    // Values of mean 0 and standard deviation 1: half of them -c, half +c, and a 0 if n is odd.
    const auto n = row["n"].get<std::size_t>();
    const double c = std::sqrt(static_cast<double>(n - 1) / static_cast<double>(n - n % 2));
    std::vector<double> values(n, 0.0);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      values[i] = c;
      values[i + 1] = -c;
    }
    const RatioInterval interval = TInterval(values, 1 - row["alpha"].get<double>()).value();
    // The quantiles of t of scipy 1.10 are off by up to 1.3e-9, and what depends on them steeply by
    // 1.6e-8.
    EXPECT_NEAR(std::log(interval.hi) / row["halfwidth"].get<double>(), 1, 3e-8) << row;
  }
}

}  // namespace
}  // namespace duetbench::stats
