#include "duetbench/stats/rank_tests.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

RankTestOptions With(Alternative alternative, RankMethod method = RankMethod::kAuto,
                     bool correction = true) {
  RankTestOptions options;
  options.alternative = alternative;
  options.method = method;
  options.continuity_correction = correction;
  return options;
}

std::vector<double> Differences(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> d;
  for (std::size_t i = 0; i < x.size(); ++i) d.push_back(x[i] - y[i]);
  return d;
}

TEST(MidRanks, EqualValuesShareTheirRanks) {
  EXPECT_THAT(MidRanks({30, 10, 20, 20, 40, 20}), ElementsAre(5, 1, 3, 3, 6, 3));
}

TEST(SignedRank, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["paired"];
  const auto d = Differences(golden["x"], golden["y"]);
  const RankTest two_sided = WilcoxonSignedRank(d);
  EXPECT_TRUE(two_sided.exact);
  EXPECT_THAT(two_sided.statistic, MatchesGolden(golden["two_sided"]["statistic"]));
  EXPECT_THAT(two_sided.p, MatchesGolden(golden["two_sided"]["p"]));
  EXPECT_THAT(WilcoxonSignedRank(d, With(Alternative::kGreater)).p,
              MatchesGolden(golden["greater"]["p"]));
  EXPECT_THAT(WilcoxonSignedRank(d, With(Alternative::kTwoSided, RankMethod::kNormal)).p,
              MatchesGolden(golden["two_sided_approx_cc"]["p"]));
  EXPECT_THAT(WilcoxonSignedRank(d, With(Alternative::kTwoSided, RankMethod::kNormal, false)).p,
              MatchesGolden(golden["two_sided_approx_nocc"]["p"]));
  EXPECT_THAT(SignTest(d), MatchesGolden(golden["sign_test_p"]));
}

TEST(SignedRank, SmallSamplesAgreeWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["hl_small"];
  const auto z = golden["z"].get<std::vector<double>>();
  for (const auto& [key, n] : std::vector<std::pair<std::string, std::size_t>>{
           {"n10", 10}, {"n10_99", 10}, {"n6", 6}, {"n8_99", 8}, {"n7", 7}}) {
    const RankTest test = WilcoxonSignedRank(absl::MakeConstSpan(z).first(n));
    EXPECT_THAT(test.statistic, MatchesGolden(golden[key]["statistic"])) << key;
    EXPECT_THAT(test.p, MatchesGolden(golden[key]["p"])) << key;
  }
}

TEST(SignedRank, RunsOfTheDuetFilesAgreeWithScipy) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"];
    const RankTest test = WilcoxonSignedRank(golden["log_gms"].get<std::vector<double>>());
    EXPECT_THAT(std::min(test.statistic, test.other), MatchesGolden(golden["signed_rank"]["W"]));
    EXPECT_THAT(test.p, MatchesGolden(golden["signed_rank"]["p_exact"])) << name;
  }
}

TEST(SignedRank, ZerosAndTiesAgreeWithScipy) {
  const nlohmann::json golden = GoldenJson("wilcoxon_scipy.json");
  const RankTest darwin = WilcoxonSignedRank(golden["d"].get<std::vector<double>>());
  EXPECT_THAT(std::min(darwin.statistic, darwin.other), MatchesGolden(golden["exact"]["W"]));
  EXPECT_THAT(darwin.p, MatchesGolden(golden["exact"]["p"]));

  const auto d = golden["d_zeros_ties"].get<std::vector<double>>();
  for (const auto& [key, rule] :
       std::vector<std::pair<std::string, ZeroRule>>{{"wilcox", ZeroRule::kDrop},
                                                     {"pratt", ZeroRule::kPratt},
                                                     {"zsplit", ZeroRule::kSplit}}) {
    for (const bool correction : {false, true}) {
      RankTestOptions options;
      options.zero_rule = rule;
      options.continuity_correction = correction;
      const RankTest test = WilcoxonSignedRank(d, options);
      const nlohmann::json& expected = golden["zero_methods"][key + (correction ? "_cc1" : "_cc0")];
      EXPECT_FALSE(test.exact);
      EXPECT_THAT(std::min(test.statistic, test.other), MatchesGolden(expected["W"])) << key;
      EXPECT_THAT(test.p, MatchesGolden(expected["p"])) << key << correction;
    }
  }
}

TEST(SignedRank, CriticalValuesAgreeWithR) {
  const nlohmann::json rows = GoldenJson("distributions.json")["signrank_crit"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const int n = row["n"];
    const double q025 = row["q025"];
    EXPECT_THAT(SignedRankCdf(q025, n), MatchesGolden(row["cdf_q025"]));
    // qsignrank: the smallest value whose probability reaches the one asked for.
    EXPECT_LT(SignedRankCdf(q025 - 1, n), 0.025);
    EXPECT_GE(SignedRankCdf(row["q005"].get<double>(), n), 0.005);
    EXPECT_LT(SignedRankCdf(row["q005"].get<double>() - 1, n), 0.005);
  }
}

TEST(RankSum, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["unpaired"];
  const auto x = golden["x"].get<std::vector<double>>();
  const auto y = golden["y"].get<std::vector<double>>();
  const RankTest two_sided = WilcoxonRankSum(x, y);
  EXPECT_TRUE(two_sided.exact);
  EXPECT_THAT(two_sided.statistic, MatchesGolden(golden["two_sided"]["statistic"]));
  EXPECT_THAT(two_sided.p, MatchesGolden(golden["two_sided"]["p"]));
  EXPECT_THAT(WilcoxonRankSum(x, y, With(Alternative::kGreater)).p,
              MatchesGolden(golden["greater"]["p"]));
  EXPECT_THAT(WilcoxonRankSum(y, x, With(Alternative::kLess)).p,
              MatchesGolden(golden["greater"]["p"]));
  EXPECT_THAT(WilcoxonRankSum(x, y, With(Alternative::kTwoSided, RankMethod::kNormal)).p,
              MatchesGolden(golden["two_sided_approx_cc"]["p"]));
  EXPECT_THAT(WilcoxonRankSum(x, y, With(Alternative::kTwoSided, RankMethod::kNormal, false)).p,
              MatchesGolden(golden["two_sided_approx_nocc"]["p"]));
}

TEST(RankSum, TiesAgreeWithScipy) {
  const nlohmann::json rows = GoldenJson("cliff.json")["cases"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const auto x = row["x"].get<std::vector<double>>();
    const auto y = row["y"].get<std::vector<double>>();
    const RankTest normal =
        WilcoxonRankSum(x, y, With(Alternative::kTwoSided, RankMethod::kNormal));
    EXPECT_THAT(normal.statistic, MatchesGolden(row["U"]));
    EXPECT_THAT(normal.p, MatchesGolden(row["mwu_p_asym_cc"]));
    const RankTest automatic = WilcoxonRankSum(x, y);
    EXPECT_EQ(automatic.exact, !row["mwu_p_exact_noties"].is_null());
    if (automatic.exact) {
      EXPECT_THAT(automatic.p, MatchesGolden(row["mwu_p_exact_noties"]));
    }
  }
}

TEST(RankSum, CriticalValuesAgreeWithR) {
  const nlohmann::json rows = GoldenJson("distributions.json")["wilcox_crit"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double q025 = row["q025"];
    EXPECT_THAT(RankSumCdf(q025, row["m"], row["n"]), MatchesGolden(row["cdf"]));
    EXPECT_LT(RankSumCdf(q025 - 1, row["m"], row["n"]), 0.025);
  }
}

// Against the definition: every way to choose which ranks belong to the first sample.
TEST(RankSum, ExactDistributionEqualsEnumeration) {
  constexpr int kN = 4;
  constexpr int kM = 7;
  std::vector<int> first(kN + kM, 0);
  std::fill(first.end() - kN, first.end(), 1);
  std::vector<double> counts(kN * kM + 1, 0.0);
  double total = 0;
  do {
    int u = -kN * (kN + 1) / 2;
    for (int i = 0; i < kN + kM; ++i) u += first[static_cast<std::size_t>(i)] * (i + 1);
    counts[static_cast<std::size_t>(u)] += 1;
    total += 1;
  } while (std::next_permutation(first.begin(), first.end()));
  double sum = 0;
  for (int u = 0; u <= kN * kM; ++u) {
    sum += counts[static_cast<std::size_t>(u)];
    EXPECT_NEAR(RankSumCdf(u, kN, kM), sum / total, 1e-14);
    EXPECT_NEAR(RankSumCdf(u, kM, kN), sum / total, 1e-14);
  }
}

TEST(RankTests, NormalApproximationMeetsTheExactOneAtTheLimit) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(49);
  std::vector<double> y(49);
  for (double& value : x) value = normal(engine) + 0.3;
  for (double& value : y) value = normal(engine);
  const RankTest exact = WilcoxonRankSum(x, y);
  ASSERT_TRUE(exact.exact);
  EXPECT_NEAR(WilcoxonRankSum(x, y, With(Alternative::kTwoSided, RankMethod::kNormal)).p, exact.p,
              0.002);
  x.push_back(9);
  EXPECT_FALSE(WilcoxonRankSum(x, y).exact);
  EXPECT_TRUE(WilcoxonRankSum(x, y, With(Alternative::kTwoSided, RankMethod::kExact)).exact);
}

TEST(RankTests, SwappingTheSamplesSwapsTheStatistics) {
  std::mt19937_64 engine(8);
  std::uniform_int_distribution<int> value(0, 12);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> x(10);
    std::vector<double> y(15);
    for (double& v : x) v = value(engine);
    for (double& v : y) v = value(engine);
    const RankTest forward = WilcoxonRankSum(x, y);
    const RankTest backward = WilcoxonRankSum(y, x);
    EXPECT_EQ(forward.statistic, backward.other);
    EXPECT_NEAR(forward.p, backward.p, 1e-14);

    std::vector<double> d(x);
    for (double& v : d) v -= 6;
    std::vector<double> negated(d);
    for (double& v : negated) v = -v;
    EXPECT_EQ(WilcoxonSignedRank(d).statistic, WilcoxonSignedRank(negated).other);
    EXPECT_NEAR(WilcoxonSignedRank(d).p, WilcoxonSignedRank(negated).p, 1e-14);
  }
}

TEST(RankTests, PValuesOfNullDataAreUniform) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  constexpr int kTrials = 2000;
  int rank_sum = 0;
  int signed_rank = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> x(60);
    std::vector<double> y(60);
    for (double& v : x) v = normal(engine);
    for (double& v : y) v = normal(engine);
    if (WilcoxonRankSum(x, y).p <= 0.05) ++rank_sum;
    if (WilcoxonSignedRank(Differences(x, y)).p <= 0.05) ++signed_rank;
  }
  // 100 expected; sd 9.7.
  EXPECT_NEAR(rank_sum, 100, 35);
  EXPECT_NEAR(signed_rank, 100, 35);
}

TEST(RankTests, EqualValuesSayNothing) {
  EXPECT_EQ(WilcoxonRankSum({5, 5, 5}, {5, 5}).p, 1.0);
  EXPECT_EQ(WilcoxonSignedRank({0, 0, 0}).p, 1.0);
  EXPECT_EQ(SignTest({0.0, 0.0}), 1.0);
}

TEST(RankTestsDeathTest, StopOnEmptySamples) {
  EXPECT_DEATH(WilcoxonRankSum({}, {1.0}), "a sample is empty");
  EXPECT_DEATH(WilcoxonSignedRank({}), "no differences");
}

}  // namespace
}  // namespace duetbench::stats
