// The intervals of the three golden duets, and of the golden tables of single formulas. The values
// of runs and the drawn percentiles are compared through the whole program
// (duet_stat/golden_test.cc).

#include <cmath>
#include <string>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gtest/gtest.h"
#include "tests/stats/golden_agreement.h"
#include "tests/tools/stats/exact_bootstrap.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

// The quantiles of t in the golden files made with scipy 1.10 are off by up to 1.3e-9, and what
// depends on them steeply by 1.6e-8. Those of R (distributions.json) have no such error.
constexpr double kScipyTQuantile = 3e-8;

std::vector<double> Exp(double lo, double hi) { return {std::exp(lo), std::exp(hi)}; }

class GoldenDuet : public testing::TestWithParam<std::string> {
 protected:
  GoldenDuet()
      : golden_(GoldenJson(GetParam() + ".json")["results"]),
        runs_(GoldenRuns(GetParam() + ".csv")),
        log_ratios_(RunLogRatios(runs_, Estimator::kGeomean).value()) {}

  const nlohmann::json& Level(double level) const {
    return golden_["ci" + std::to_string(std::lround(100 * level))];
  }

  nlohmann::json golden_;
  std::vector<RunPairs> runs_;
  std::vector<double> log_ratios_;
};

INSTANTIATE_TEST_SUITE_P(Duets, GoldenDuet, testing::Values("duet_tiny", "duet_r3", "duet_r10"));

TEST_P(GoldenDuet, ExactIntervals) {
  GoldenAgreement agreement(GetParam() + ".json (intervals)");
  const ExactBootstrap bootstrap(log_ratios_);
  for (double level : {0.90, 0.95, 0.99}) {
    const nlohmann::json& golden = Level(level);
    const auto expect = [&](const nlohmann::json& value, const std::vector<double>& ends,
                            const char* what) { agreement.Expect(ends, value, what); };
    const auto compute = [&](IntervalKind kind) {
      IntervalOptions options;
      options.kind = kind;
      options.level = level;
      const RatioInterval interval = IntervalOfRuns(log_ratios_, options).value();
      EXPECT_EQ(interval.kind, kind);
      EXPECT_EQ(interval.level, level);
      return std::vector<double>{interval.lo, interval.hi};
    };
    expect(golden["t"], compute(IntervalKind::kT), "t");

    const double tail = (1 - level) / 2;
    const double lo = bootstrap.Quantile(tail);
    const double hi = bootstrap.UpperQuantile(tail);
    expect(golden["percentile_exact"], Exp(lo, hi), "percentile");
  }
}

TEST(TInterval, GoldenHalfWidths) {
  GoldenAgreement agreement("t_halfwidths.json", kScipyTQuantile);
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
    agreement.Expect(std::log(interval.hi), row["halfwidth"], row.dump());
  }
}

}  // namespace
}  // namespace duetbench::stats
