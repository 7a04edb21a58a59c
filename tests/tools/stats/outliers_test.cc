#include "tools/stats/outliers.h"

#include <cmath>
#include <string>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

TEST(FindOutlier, Golden) {
  const nlohmann::json golden = GoldenJson("winsor.json");
  for (const nlohmann::json& test_case : golden["cases"]) {
    const nlohmann::json& expected = test_case["range20"];
    auto x = test_case["x"].get<std::vector<double>>();
    const std::optional<Outlier> outlier = FindOutlier(x);
    ASSERT_EQ(outlier.has_value(), !expected["index"].is_null()) << test_case;
    if (outlier.has_value()) {
      EXPECT_EQ(outlier->index, expected["index"].get<std::size_t>()) << test_case;
      x[outlier->index] = outlier->replacement;
    }
    ExpectGolden(x, expected["x"], test_case.dump());
  }
}

TEST(Winsorize, GoldenDuets) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"]["winsor_range20_ratio"];
    const std::vector<RunPairs> runs = GoldenRuns(name + ".csv");
    std::vector<RunPairs> ratios;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      ratios.push_back(WinsorizeRatios(runs[r]));
      const nlohmann::json& index = golden["index_per_run"][r];
      for (std::size_t i = 0; i < runs[r].size(); ++i) {
        const bool replaced = ratios[r][i].new_time != runs[r][i].new_time;
        EXPECT_EQ(replaced, !index.is_null() && index == i) << name << " run " << r;
      }
    }
    const std::vector<double> logs = RunLogRatios(ratios, Estimator::kGeomean).value();
    ExpectGolden(logs, golden["log_gms"], name);
    EXPECT_THAT(std::exp(Mean(logs)), MatchesGolden(golden["ggms"])) << name;
  }
}

TEST(FindOutlier, EqualExtremesAreNoOutliers) {
  EXPECT_FALSE(FindOutlier({9, 1, 9, 1}).has_value());
  EXPECT_FALSE(FindOutlier({5, 5, 5}).has_value());
  EXPECT_FALSE(FindOutlier({}).has_value());
  const std::optional<Outlier> low = FindOutlier({9, 1, 9, 9});
  ASSERT_TRUE(low.has_value());
  EXPECT_EQ(low->index, 1u);
  EXPECT_EQ(low->replacement, 9);
}

}  // namespace
}  // namespace duetbench::stats
