#include "duetbench/decide/clusters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(FindClusters, TwoGroups) {
  const auto clusters = FindClusters({1.00, 3.01, 1.01, 0.99, 3.00, 1.02, 2.99, 1.00});
  ASSERT_THAT(clusters, SizeIs(2));
  EXPECT_EQ(clusters[0].size, 5u);
  EXPECT_EQ(clusters[1].size, 3u);
  EXPECT_NEAR(clusters[0].center, 1.004, 1e-12);
  EXPECT_NEAR(clusters[1].center, 3.0, 1e-12);
}

TEST(FindClusters, OneOrTwoOutliersAreNoGroup) {
  EXPECT_THAT(FindClusters({1, 1.01, 0.99, 1, 1.02, 0.98, 1, 50}), SizeIs(1));
  EXPECT_THAT(FindClusters({1, 1.01, 0.99, 1, 1.02, 0.98, 50, 50}), SizeIs(1));
}

TEST(FindClusters, FewOrEqualValues) {
  EXPECT_THAT(FindClusters({}), IsEmpty());
  EXPECT_THAT(FindClusters({1, 1, 1, 9, 9}), SizeIs(1));
  EXPECT_THAT(FindClusters(std::vector<double>(20, 0.7)), SizeIs(1));
  EXPECT_THAT(FindClusters({1, 1, 1, 9, 9, 9}), SizeIs(2));
}

TEST(FindClusters, DoesNotDependOnOrderScaleAndLocation) {
  std::vector<double> values = {5, 5.1, 5.2, 4.9, 9, 9.1, 9.2, 9.1};
  const auto clusters = FindClusters(values);
  ASSERT_THAT(clusters, SizeIs(2));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = -2 * value + 7;
  const auto other = FindClusters(values);
  ASSERT_THAT(other, SizeIs(2));
  EXPECT_NEAR(other[0].center, -2 * clusters[1].center + 7, 1e-12);
  EXPECT_EQ(other[0].size, clusters[1].size);
}

// The header's promise: at most 0.5 % of samples without clusters are split.
TEST(FindClusters, SeldomSplitsWhatHasNoClusters) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> exponential;
  std::student_t_distribution<double> heavy(2);
  const std::vector<std::function<double()>> families = {
      [&] { return normal(engine); },
      [&] { return uniform(engine); },
      [&] { return exponential(engine); },
      [&] { return heavy(engine); },
      [&] { return std::exp(normal(engine)); },
      [&] { return (uniform(engine) < 0.1 ? 10 : 1) * normal(engine); },
  };
  constexpr int kTrials = 4000;
  for (std::size_t family = 0; family < families.size(); ++family) {
    for (const std::size_t n : {6u, 10u, 20u, 40u}) {
      int split = 0;
      std::vector<double> values(n);
      for (int trial = 0; trial < kTrials; ++trial) {
        for (double& value : values) value = families[family]();
        if (FindClusters(values).size() > 1) ++split;
      }
      EXPECT_LE(split, 0.005 * kTrials + 14) << "family " << family << ", n = " << n;  // 3 sd
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
