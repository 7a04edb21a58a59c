// The golden duets through the whole program, as a user would run it.

#include "tests/decide/golden.h"

#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

using stats::ExpectGolden;
using stats::GoldenJson;
using stats::MatchesGolden;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

class GoldenFile : public testing::TestWithParam<std::string> {
 protected:
  // The benchmark of the golden file in the JSON that the program prints.
  nlohmann::json Run(std::vector<std::string> arguments) const {
    arguments.push_back("--format=json");
    arguments.push_back(std::string(DUETBENCH_TESTDATA) + "/golden/" + GetParam() + ".csv");
    const Outcome outcome = RunDuetStat(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    nlohmann::json json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["benchmarks"].size(), 1u);
    return json["benchmarks"][0];
  }

  const nlohmann::json golden_ = GoldenJson(GetParam() + ".json")["results"];
};

INSTANTIATE_TEST_SUITE_P(Duets, GoldenFile, testing::Values("duet_tiny", "duet_r3", "duet_r10"));

std::vector<double> Numbers(const nlohmann::json& list) { return list; }

TEST_P(GoldenFile, RunsAndEstimate) {
  const nlohmann::json result = Run({"--estimator=geomean", "--ci=t"});
  EXPECT_EQ(result["runs"], golden_["R"]);
  std::size_t pairs = 0;
  for (const nlohmann::json& count : golden_["I"]) pairs += count.get<std::size_t>();
  EXPECT_EQ(result["pairs"], pairs);
  EXPECT_EQ(result["dropped"], 0);
  ExpectGolden(Numbers(result["run_log_ratios"]), golden_["log_gms"], "log_gms");
  const nlohmann::json& interval = result["intervals"][0];
  EXPECT_THAT(interval["ratio"].get<double>(), MatchesGolden(golden_["ggms"]));
  ExpectGolden(Numbers({interval["lo"], interval["hi"]}), golden_["ci99"]["t"], "t");
}

TEST_P(GoldenFile, PaperReproducesTheWinsorizedRuns) {
  const nlohmann::json result = Run({"--paper"});
  const nlohmann::json& golden = golden_["winsor_range20_ratio"];
  ExpectGolden(Numbers(result["run_log_ratios"]), golden["log_gms"], "log_gms");
  ASSERT_EQ(result["intervals"].size(), 1u);
  const nlohmann::json& interval = result["intervals"][0];
  EXPECT_EQ(interval["method"], "percentile");
  EXPECT_EQ(interval["level"], 0.99);
  EXPECT_EQ(interval["estimator"], "geomean");
  EXPECT_THAT(interval["ratio"].get<double>(), MatchesGolden(golden["ggms"]));
}

TEST_P(GoldenFile, PaperIntervalIsInsideTheMonteCarloBand) {
  const auto inside = [](const nlohmann::json& band) {
    return AllOf(Ge(band[0].get<double>() * (1 - 1e-12)), Le(band[1].get<double>() * (1 + 1e-12)));
  };
  for (const char* seed : {"--seed=1", "--seed=2", "--seed=3"}) {
    for (const std::string level : {"95", "99"}) {
      const nlohmann::json interval =
          Run({"--paper", "--winsorize=none", seed, "--level=0." + level})["intervals"][0];
      const nlohmann::json& golden = golden_["ci" + level];
      EXPECT_THAT(interval["lo"].get<double>(), inside(golden["percentile_mc_band_lo"]));
      EXPECT_THAT(interval["hi"].get<double>(), inside(golden["percentile_mc_band_hi"]));
    }
  }
}

TEST_P(GoldenFile, VarianceComponents) {
  const nlohmann::json planning = Run({})["planning"];
  EXPECT_THAT(planning["s1_2"].get<double>(), MatchesGolden(golden_["KJ"]["T1_2"]));
  EXPECT_THAT(planning["t2_2"].get<double>(), MatchesGolden(golden_["KJ"]["T2_2"]));
}

}  // namespace
}  // namespace duetbench::duet_stat
