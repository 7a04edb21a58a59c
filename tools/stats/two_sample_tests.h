#ifndef DUETBENCH_TOOLS_STATS_TWO_SAMPLE_TESTS_H_
#define DUETBENCH_TOOLS_STATS_TWO_SAMPLE_TESTS_H_

#include "absl/types/span.h"
#include "duetbench/decide/hypothesis_tests.h"

namespace duetbench::stats {

// The tests of two unpaired samples in the decision rules of the papers. Values must be finite; a
// sample that is too small stops the program.

// Welch's test (1947) that x and y have one mean; variances may differ. As R's t.test, two-sided;
// the difference is mean(x) - mean(y). The base rule of MMTests. At least two values in each. O(n).
TTest WelchTTest(absl::Span<const double> x, absl::Span<const double> y);

struct RankTest {
  // R's W, the U of Mann and Whitney of the first sample, ties counted one half. 2 U / (n m) - 1 is
  // Cliff's delta, which says how separable samples are: 1 when every x is above every y.
  double statistic;
  double p;    // two-sided; 1 when all values are equal
  bool exact;  // whether p came from the exact distribution
};

// Wilcoxon rank-sum test (= Mann-Whitney U test) that x and y have one distribution, in the
// conventions of R's wilcox.test: exact below 50 values in each sample and without ties, else (or
// unless it `may_be_exact`) the normal approximation, corrected for continuity and ties. Needs n +
// m >= 8 or so before p can fall below 5 %. It takes all values as independent, which the
// iterations of one run are not: Laaber et al. (EMSE 2019) find at most 5 % false alarms with it in
// only 18 of 190 configurations, with one trial on each of two instances (section 5.3.2). At least
// one value in each. Normal: O((n+m) log(n+m)); exact: O((n m)^2) time, O(n^2 m) memory at most.
RankTest WilcoxonRankSum(absl::Span<const double> x, absl::Span<const double> y,
                         bool may_be_exact = true);

// The largest number of false alarms that is still compatible with `experiments` independent
// intervals at `level`: by chance more are raised in less than 0.5 % of cases (binomial). 0 without
// experiments.
//   FalseAlarmLimit(100, 0.95)  ->  11
int FalseAlarmLimit(int experiments, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_TWO_SAMPLE_TESTS_H_
