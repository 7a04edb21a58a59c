#ifndef DUETBENCH_STATS_T_TESTS_H_
#define DUETBENCH_STATS_T_TESTS_H_

#include "absl/types/span.h"
#include "duetbench/stats/alternative.h"

namespace duetbench::stats {

// Tests of means by Student's t distribution, as R's t.test. Values must be finite. Each function
// needs at least two values in every sample, or the program stops. O(n).

// When the standard error is zero, t is 0 (p = 1) for equal means, otherwise infinite (p = 0, or 1
// for the alternative on the other side).
struct TTest {
  double t;
  double degrees_of_freedom;
  double p;
  double difference;      // mean of x less mean of y, or the mean of the differences
  double standard_error;  // of `difference`; its interval is difference +- t_{df} standard_error
};

// Welch's test (1947) that x and y have one mean; variances may differ. The base rule of MMTests.
TTest WelchTTest(absl::Span<const double> x, absl::Span<const double> y,
                 Alternative alternative = Alternative::kTwoSided);

// Student's test with one variance pooled from both samples.
TTest StudentTTest(absl::Span<const double> x, absl::Span<const double> y,
                   Alternative alternative = Alternative::kTwoSided);

// That the mean of the differences d is `null_value`. For paired samples d = x - y; for the runs of
// a duet d are their log ratios.
TTest PairedTTest(absl::Span<const double> d, double null_value = 0.0,
                  Alternative alternative = Alternative::kTwoSided);

// Two one-sided tests (Schuirmann 1987) of equivalence: small p speaks for a mean of d between
// -margin and +margin. Equivalent at level alpha exactly if the 1 - 2 alpha t interval of d lies in
// that range. For a duet margin = ln(1 + delta). `margin` > 0.
struct TostResult {
  double p_lower;  // that the mean is not above -margin
  double p_upper;  // that the mean is not below +margin
  double p;        // the larger of the two
};
TostResult Tost(absl::Span<const double> d, double margin);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_T_TESTS_H_
