#include "duetbench/stats/multiplicity.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Adjustment kAdjustments[] = {Adjustment::kBonferroni, Adjustment::kHolm,
                                       Adjustment::kHochberg, Adjustment::kBenjaminiHochberg,
                                       Adjustment::kBenjaminiYekutieli};

TEST(AdjustPValues, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("tests.json")["padjust"];
  const auto p = golden["p"].get<std::vector<double>>();
  const char* const keys[] = {"bonferroni", "holm", "hochberg", "BH", "BY"};
  for (std::size_t k = 0; k < 5; ++k) {
    const std::vector<double> adjusted = AdjustPValues(p, kAdjustments[k]);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_THAT(adjusted[i], MatchesGolden(golden[keys[k]][i])) << keys[k] << i;
    }
  }
}

TEST(AdjustPValues, KeepsTheOrderOfItsInput) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> p(40);
  for (double& value : p) value = uniform(engine) * uniform(engine);
  std::vector<double> reversed(p.rbegin(), p.rend());
  for (const Adjustment adjustment : kAdjustments) {
    std::vector<double> adjusted = AdjustPValues(p, adjustment);
    std::vector<double> other = AdjustPValues(reversed, adjustment);
    std::reverse(other.begin(), other.end());
    EXPECT_EQ(adjusted, other);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_GE(adjusted[i], p[i]);
      EXPECT_LE(adjusted[i], 1.0);
      for (std::size_t j = 0; j < p.size(); ++j) {
        if (p[i] < p[j]) {
          EXPECT_LE(adjusted[i], adjusted[j]);
        }
      }
    }
  }
}

TEST(AdjustPValues, SmallLists) {
  EXPECT_THAT(AdjustPValues({}, Adjustment::kHolm), IsEmpty());
  for (const Adjustment adjustment : kAdjustments) {
    EXPECT_THAT(AdjustPValues({0.03}, adjustment), ElementsAre(0.03));
  }
  EXPECT_THAT(AdjustPValues({0.01, 0.04, 0.03}, Adjustment::kHolm), ElementsAre(0.03, 0.06, 0.06));
}

// Under the null hypothesis Holm lets any false alarm through in at most alpha of the suites.
TEST(AdjustPValues, HolmHoldsTheFamilywiseErrorRate) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform;
  constexpr int kSuites = 4000;
  int alarms = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    std::vector<double> p(50);
    for (double& value : p) value = uniform(engine);
    const std::vector<double> adjusted = AdjustPValues(p, Adjustment::kHolm);
    if (*std::min_element(adjusted.begin(), adjusted.end()) <= 0.05) ++alarms;
  }
  EXPECT_NEAR(alarms, 0.0488 * kSuites, 45);  // 1 - (1 - 0.05/50)^50; sd 13.6
}

TEST(AdjustPValuesDeathTest, StopsOnWhatIsNoProbability) {
  EXPECT_DEATH(AdjustPValues({0.5, 1.5}, Adjustment::kHolm), "not in");
}

}  // namespace
}  // namespace duetbench::stats
