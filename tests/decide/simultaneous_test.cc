#include "duetbench/decide/simultaneous.h"

#include <boost/math/distributions/students_t.hpp>
#include <cstddef>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Log-ratios of `variants` - 1 variants to a base whose runs vary `of_base` times as much as
// theirs: columns of a Hadamard matrix of 16 runs, which are orthogonal.
std::vector<std::vector<double>> LogRatios(std::size_t variants, double of_base) {
  const auto sign = [](std::size_t row, std::size_t column) {
    return __builtin_parityll(row & column) != 0 ? -1.0 : 1.0;
  };
  std::vector<std::vector<double>> log_ratios(variants - 1, std::vector<double>(16));
  for (std::size_t v = 1; v < variants; ++v) {
    for (std::size_t run = 0; run < 16; ++run) {
      log_ratios[v - 1][run] = 0.1 + sign(run, v) - of_base * sign(run, 15);
    }
  }
  return log_ratios;
}

std::vector<VariantPair> WithBase(std::size_t variants) {
  std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(variants));
  pairs.resize(variants - 1);
  return pairs;
}

double TwoSidedTail(double t, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  return 2 * boost::math::cdf(boost::math::complement(distribution, t));
}

double Share(std::size_t variants, double of_base, double alpha) {
  return SimultaneousShare(LogRatios(variants, of_base), WithBase(variants), 7, alpha);
}

// Dunnett, New Tables for Multiple Comparisons with a Control (1964): two-sided, correlation 0.5,
// 60 degrees of freedom. His variances are those of all variants together, which makes no
// difference there.
TEST(SimultaneousShare, IsThatOfDunnettsTablesForManyRuns) {
  const struct {
    std::size_t others;
    double alpha;
    double critical;
  } kRows[] = {{2, 0.05, 2.27}, {4, 0.05, 2.51}, {7, 0.05, 2.69}};
  for (const auto& row : kRows) {
    const double share = SimultaneousShare(LogRatios(row.others + 1, 1), WithBase(row.others + 1),
                                           /*degrees_of_freedom=*/60, row.alpha);
    const double expected = TwoSidedTail(row.critical, 60) / row.alpha;
    EXPECT_NEAR(share, expected, 0.1 * expected) << row.others << " " << row.alpha;
    EXPECT_GT(share, 1.0 / static_cast<double>(row.others)) << "more than Bonferroni's";
  }
}

TEST(SimultaneousShare, DependsOnWhatTheComparisonsHaveInCommon) {
  EXPECT_NEAR(Share(5, 0, 0.05), 0.25, 0.03) << "independent: nearly Bonferroni's";
  EXPECT_LT(Share(5, 0, 0.05), Share(5, 2, 0.05));
  EXPECT_LT(Share(5, 2, 0.05), Share(5, 10, 0.05));
  EXPECT_GT(Share(5, 10, 0.05), 0.6) << "nearly one comparison";
  EXPECT_GT(Share(5, 10, 0.01), 0.5);
}

TEST(SimultaneousShare, OneComparisonHasAll) {
  EXPECT_EQ(SimultaneousShare(LogRatios(2, 1), WithBase(2), 7, 0.01), 1);
  EXPECT_EQ(SimultaneousShare({}, {}, 7, 0.01), 1);
}

TEST(SimultaneousShare, ComparisonsThatFollowFromOthersCostNothing) {
  // Twice the same variant: its comparisons are one, and that of both has no variance.
  std::vector<std::vector<double>> log_ratios = LogRatios(2, 1);
  log_ratios.push_back(log_ratios.front());
  const std::vector<VariantPair> all = {{0, 1}, {0, 2}, {1, 2}};
  EXPECT_NEAR(SimultaneousShare(log_ratios, all, 7, 0.01), 1, 0.1);
}

TEST(SimultaneousShare, WithoutCommonRunsItIsThatOfBonferroni) {
  EXPECT_DOUBLE_EQ(SimultaneousShare({}, WithBase(5), 7, 0.01), 0.25);
  EXPECT_DOUBLE_EQ(SimultaneousShare({{0.1, 0.2}, {0.1, 0.3}}, WithBase(3), 1, 0.01), 0.5);
  std::vector<std::vector<double>> unlike = LogRatios(3, 1);
  unlike[1].pop_back();
  EXPECT_DOUBLE_EQ(SimultaneousShare(unlike, WithBase(3), 7, 0.01), 0.5);
}

}  // namespace
}  // namespace duetbench::stats
