#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;

// Two runs a variant: the replicates of a mean are 10 (1/4), 11 (1/2) and 12 (1/4), so those of the
// difference reach from -2 to 2, each extreme with probability 1/16.
TEST(DifferenceOfMeans, ResamplesEachVariantOnItsOwn) {
  const Sample sample{{{10}, {12}}, {}};
  const auto wide = DifferenceOfMeans(sample, sample, 0.99);
  ASSERT_TRUE(wide.ok());
  EXPECT_DOUBLE_EQ(wide->difference, 0);
  EXPECT_DOUBLE_EQ(wide->lo * 11, -2);
  EXPECT_DOUBLE_EQ(wide->hi * 11, 2);
  // Beyond +-2 lie 6.25 % on each side: at 80 % the ends are +-1.
  const auto narrow = DifferenceOfMeans(sample, sample, 0.8);
  ASSERT_TRUE(narrow.ok());
  EXPECT_DOUBLE_EQ(narrow->lo * 11, -1);
  EXPECT_DOUBLE_EQ(narrow->hi * 11, 1);
}

TEST(DifferenceOfMeans, WinsorizationTakesTheOutlierOfARun) {
  std::vector<double> even;  // no value is further out than 20 % of the range of the others
  for (int i = 0; i < 11; ++i) even.push_back(10 + 0.1 * i);
  std::vector<double> with_spike = even;
  with_spike.back() = 100;
  const Sample spiked{{with_spike, even}, {}};
  std::vector<double> cut = even;
  cut.back() = 10.9;
  const Sample plain{{cut, even}, {}};
  const auto as_it_is = DifferenceOfMeans(plain, spiked, 0.99);
  const auto winsorized = DifferenceOfMeans(plain, spiked, 0.99, {}, /*winsorize=*/true);
  ASSERT_TRUE(as_it_is.ok() && winsorized.ok());
  EXPECT_GT(as_it_is->Width(), 20 * winsorized->Width());
  EXPECT_DOUBLE_EQ(winsorized->difference, 0);
}

TEST(DifferenceOfMeans, NeedsTwoRunsOfEach) {
  const Sample one{{{1, 2}}, {}};
  const Sample two{{{1, 2}, {1}}, {}};
  EXPECT_THAT(std::string(DifferenceOfMeans(one, two, 0.99).status().message()),
              HasSubstr("needs two runs of each variant"));
  EXPECT_FALSE(DifferenceOfMeans(two, one, 0.99).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, two, 1).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, two, 0.99, {1, 1}).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, {{{1}, {0}}, {}}, 0.99).ok());
}

}  // namespace
}  // namespace duetbench::stats
