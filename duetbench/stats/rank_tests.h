#ifndef DUETBENCH_STATS_RANK_TESTS_H_
#define DUETBENCH_STATS_RANK_TESTS_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/alternative.h"

namespace duetbench::stats {

// Tests on ranks: Wilcoxon (1945), Mann and Whitney (1947), in the conventions of R's wilcox.test.
// Values must be finite. An empty sample stops the program.

// Ranks 1..n of the values; equal values share the mean of their ranks. O(n log n).
std::vector<double> MidRanks(absl::Span<const double> values);

// Which distribution of the statistic gives the p-value.
enum class RankMethod {
  kAuto,    // exact below 50 values (in each sample) without ties and zeros, else normal, as R
  kExact,   // exact even if long; with ties or zeros, where it would be wrong, normal
  kNormal,  // normal approximation, its variance corrected for ties
};

// What the signed-rank test does with differences that are exactly zero.
enum class ZeroRule {
  kDrop,   // drops them (Wilcoxon; R; scipy 'wilcox')
  kPratt,  // ranks them, then drops their ranks (Pratt 1959; scipy 'pratt')
  kSplit,  // ranks them and gives half of their ranks to either sign (scipy 'zsplit')
};

struct RankTestOptions {
  Alternative alternative = Alternative::kTwoSided;
  RankMethod method = RankMethod::kAuto;
  bool continuity_correction = true;     // moves the statistic by 1/2; normal method only
  ZeroRule zero_rule = ZeroRule::kDrop;  // signed-rank test only
};

struct RankTest {
  double statistic;  // rank-sum: R's W, the U of Mann and Whitney of the first sample, ties counted
                     // one half; signed-rank: R's V, the sum of the ranks of positive differences
  double other;      // the same of the second sample, or of the negative differences; scipy's
                     // signed-rank statistic is the smaller of the two
  double p;          // 1 when all values are equal
  bool exact;        // whether p came from the exact distribution
};

// Wilcoxon rank-sum test (= Mann-Whitney U test) that x and y have one distribution. Unpaired.
// Needs n + m >= 8 or so before p can fall below 5 %. It takes all values as independent: fed with
// the iterations of few runs it raises false alarms in up to 92 % of A/A comparisons (Laaber et
// al., EMSE 2019, section 5.3). Normal: O((n+m) log(n+m)); exact: O((n m)^2) time, O(n m^2) memory
// at most, n the larger sample.
RankTest WilcoxonRankSum(absl::Span<const double> x, absl::Span<const double> y,
                         const RankTestOptions& options = {});

// Wilcoxon signed-rank test that the differences d are symmetric about zero. For paired samples
// d = x - y. Needs 6 differences before a two-sided p can fall below 5 %, 8 for 1 %.
// Normal: O(n log n); exact: O(n^3).
RankTest WilcoxonSignedRank(absl::Span<const double> d, const RankTestOptions& options = {});

// Two-sided p-value of the sign test (exact binomial; zeros are dropped; 1 if nothing is left).
double SignTest(absl::Span<const double> d);

// P(U <= u) of Mann and Whitney's U for sample sizes n and m without ties; R's pwilcox.
double RankSumCdf(double u, int n, int m);

// P(V <= v) of Wilcoxon's signed-rank statistic for n differences without ties; R's psignrank.
double SignedRankCdf(double v, int n);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_RANK_TESTS_H_
