// The intervals of the three golden duets, and of the golden tables of single formulas. The values
// of runs and the drawn percentiles are compared through the whole program
// (duet_stat/golden_test.cc).

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "boost/math/distributions/normal.hpp"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden_agreement.h"
#include "tests/tools/stats/exact_bootstrap.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/hodges_lehmann.h"

namespace duetbench::stats {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

// The quantiles of t in the golden files made with scipy 1.10 are off by up to 1.3e-9, and what
// depends on them steeply by 1.6e-8. Those of R (distributions.json) have no such error.
constexpr double kScipyTQuantile = 3e-8;

std::vector<double> Exp(double lo, double hi) { return {std::exp(lo), std::exp(hi)}; }

class GoldenDuet : public testing::TestWithParam<std::string> {
 protected:
  GoldenDuet()
      : golden_(GoldenJson(GetParam() + ".json")["results"]),
        runs_(GoldenRuns(GetParam() + ".csv")),
        log_ratios_(RunLogRatios(runs_, Estimator::kGeomean).value()),
        mean_(Mean(log_ratios_)) {}

  const nlohmann::json& Level(double level) const {
    return golden_["ci" + std::to_string(std::lround(100 * level))];
  }

  nlohmann::json golden_;
  std::vector<RunPairs> runs_;
  std::vector<double> log_ratios_;
  double mean_;
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
      options.estimator = Estimator::kGeomean;
      const RatioInterval interval = ComputeInterval(runs_, options).value();
      EXPECT_EQ(interval.kind, kind);
      EXPECT_EQ(interval.level, level);
      return std::vector<double>{interval.lo, interval.hi};
    };
    expect(golden["t"], compute(IntervalKind::kT), "t");
    expect(golden["hodges_lehmann"]["ci"], compute(IntervalKind::kHodgesLehmann), "hl");
    const HodgesLehmann location = HodgesLehmannLocation(log_ratios_, level);
    agreement.Expect(std::exp(location.estimate), golden["hodges_lehmann"]["est"], "hl est");
    agreement.Expect(location.achieved_level, golden["hodges_lehmann"]["achieved"], "hl level");

    const double tail = (1 - level) / 2;
    const double lo = bootstrap.Quantile(tail);
    const double hi = bootstrap.UpperQuantile(tail);
    expect(golden["percentile_exact"], Exp(lo, hi), "percentile");

    std::vector<double> influence = log_ratios_;
    for (double& value : influence) value -= mean_;
    const double acceleration = Acceleration(influence);
    const double z0 = boost::math::quantile(boost::math::normal(), bootstrap.MidProbability(mean_));
    const Ends p = BcaProbabilities(z0, acceleration, level);
    agreement.Expect(z0, golden["bca"]["z0"], "z0");
    agreement.Expect(acceleration, golden["bca"]["acc"], "acceleration");
    expect(golden["bca"]["alpha"], {p.lo, p.hi}, "bca probabilities");
    expect(golden["bca"]["exact"], Exp(bootstrap.Quantile(p.lo), bootstrap.Quantile(p.hi)), "bca");
  }
}

// With so few runs that all resamples fit in memory, our own bias correction on them.
class SmallGoldenDuet : public GoldenDuet {};

INSTANTIATE_TEST_SUITE_P(Duets, SmallGoldenDuet, testing::Values("duet_tiny", "duet_r3"));

TEST_P(SmallGoldenDuet, BiasCorrectionOfAllResamples) {
  GoldenAgreement agreement(GetParam() + ".json (all resamples)");
  const std::vector<double> means = ExactBootstrap(log_ratios_).AllMeans();
  for (double level : {0.90, 0.95, 0.99}) {
    const nlohmann::json& golden = Level(level);
    agreement.Expect(BiasCorrection(mean_, means, /*ties_as_half=*/true), golden["bca"]["z0"],
                     "z0");
  }
}

// No band is given for BCa: its ends are those of the exact distribution within what 10,000 draws
// leave open.
TEST_P(GoldenDuet, MonteCarloEndsOfBcaAreThoseOfTheExactDistribution) {
  const ExactBootstrap bootstrap(log_ratios_);
  for (double level : {0.90, 0.95, 0.99}) {
    const Ends p{Level(level)["bca"]["alpha"][0], Level(level)["bca"]["alpha"][1]};
    const RatioInterval interval =
        IntervalOfRuns(log_ratios_, {IntervalKind::kBca, level, Estimator::kGeomean, {10000, 7}})
            .value();
    EXPECT_THAT(interval.lo, AllOf(Ge(std::exp(bootstrap.Quantile(p.lo * 0.7 - 1e-3))),
                                   Le(std::exp(bootstrap.Quantile(p.lo * 1.3 + 1e-3)))));
    EXPECT_THAT(interval.hi,
                AllOf(Ge(std::exp(bootstrap.Quantile(1 - (1 - p.hi) * 1.3 - 1e-3))),
                      Le(std::exp(bootstrap.Quantile(1 - (1 - p.hi) * 0.7 + 1e-3)) * (1 + 1e-12))));
  }
}

TEST(TInterval, GoldenHalfWidths) {
  GoldenAgreement agreement("anytime_t.json (fixed n)", kScipyTQuantile);
  const nlohmann::json golden = GoldenJson("anytime_t.json");
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
    agreement.Expect(std::log(interval.hi), row["fixed_n_t_halfwidth"], row.dump());
  }
}

TEST(HodgesLehmann, GoldenPairedSample) {
  GoldenAgreement agreement("tests.json (Hodges-Lehmann)");
  const nlohmann::json golden = GoldenJson("tests.json")["paired"];
  std::vector<double> differences;
  for (std::size_t i = 0; i < golden["x"].size(); ++i) {
    differences.push_back(golden["x"][i].get<double>() - golden["y"][i].get<double>());
  }
  for (const auto& [level, key] : {std::pair(0.95, "two_sided"), std::pair(0.99, "HL99")}) {
    const HodgesLehmann location = HodgesLehmannLocation(differences, level);
    agreement.Expect(location.estimate, golden[key]["est"], key);
    agreement.Expect({location.lo, location.hi}, golden[key]["ci"], key);
  }
}

}  // namespace
}  // namespace duetbench::stats
