#include "tools/stats/outliers.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/decide/golden.h"

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
