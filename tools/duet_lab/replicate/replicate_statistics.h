#ifndef DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_STATISTICS_H_
#define DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_STATISTICS_H_

#include <limits>

#include "absl/types/span.h"
#include "tools/duet_lab/accuracy.h"

// Repeated experiments on the same pair: they show whether the intervals and verdicts of each hold
// when the measurement is repeated. Pure functions of values. All differences, widths and spreads
// are of natural logarithms of ratios: 0.02 is 2 %.
namespace duetbench::lab {

// Level of the intervals of the shares and factors below. Intervals of ratios have their own.
inline constexpr double kStatisticsLevel = 0.95;
// Differences up to this never count as disagreement, and limits of gates lie so far from the
// truth.
inline constexpr double kSmallDifference = 0.02;

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// count of `of`, with the exact binomial interval of the true share (Clopper and Pearson).
struct Share {
  int count = 0;
  int of = 0;
  double lo = 0;
  double hi = 1;
};
Share MakeShare(int count, int of);

// A ratio of standard deviations with its chi-squared interval; NaN without data.
struct Factor {
  double value = kNotANumber;
  double lo = kNotANumber;
  double hi = kNotANumber;
  double degrees_of_freedom = 0;
};

// The links of a program: how far their means lie apart, and how far the intervals say. NaN of
// fewer than two links.
struct LinkSpread {
  double deviation = kNotANumber;  // standard deviation between the weighted means of the links
  double error = kNotANumber;      // root mean square of the standard errors of these means
  // As that of replications; 1: the intervals know what the place of the code does.
  Factor overdispersion;
};

// The times of both functions in plain loops of Google Benchmark, each in its own process, one
// right after the other.
struct PlainVisit {
  double old_ns = 0;
  double new_ns = 0;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlainVisit, old_ns, new_ns)

struct PlainStatistics {
  int visits = 0;
  // Median of the ratios of the visits, with the interval that two order statistics bound: the
  // narrowest symmetric one at 99 % or more; all visits if there are too few for that.
  double ratio = kNotANumber;
  double lo = kNotANumber;
  double hi = kNotANumber;
};
// Visits without positive times are left out. `ratio` is NaN if none is left.
PlainStatistics SummarizePlain(absl::Span<const PlainVisit> visits);

// Pairs of replications that contradict each other.
struct Contradictions {
  int verdicts = 0;  // one FASTER, the other SLOWER
  // PASS and FAIL of gates with one limit: 2 % above and 2 % below the mean of all replications. A
  // gate passes if the interval lies below the limit, and fails if it lies above it.
  int gates = 0;
  // Single replications that FAIL the upper or PASS the lower limit.
  int wrong_gates = 0;
};

// The difference of two measurements of one pair, ln(a / b).
struct Agreement {
  double difference = kNotANumber;
  bool inside = false;  // each ratio lies in the other's interval, or the difference is at most 2 %
};
struct PairStatistics {
  int replications = 0;        // with a result
  int errors = 0;              // without
  double ratio = kNotANumber;  // geometric mean; NaN of no replication, as all numbers below
  double min = kNotANumber;
  double max = kNotANumber;
  double half_width = kNotANumber;  // median of the intervals; infinite if they are unbounded
  // Replications whose difference to the mean of the others, weighted by the inverse squares of
  // their standard errors, is at most what both errors allow at the level of the intervals. A mean
  // that counts all alike has the error of the widest interval, which a narrow one cannot contain.
  // The others are those of other links, if there are several. Of none if there are fewer than two.
  Share consistent;
  // The standard deviation between replications : the standard error that the intervals imply
  // (half of the width : quantile of t with runs - 1 degrees of freedom, of the normal distribution
  // without runs): root mean square of the deviations from the weighted mean in units of these
  // errors (Birge, Phys. Rev. 40, 1932). 1 is right of known errors, and 1.06, the root of 17/15,
  // of those that 18 runs estimate.
  Factor overdispersion;
  LinkSpread between_links;
  Contradictions contradictions;
  Agreement to_plain;  // CompareWithPlain, set by whoever has measured plain loops
};
// Replications with an error are counted, and left out otherwise.
PairStatistics SummarizeReplications(absl::Span<const Observation> replications);

// Uses the median half-width of one replication: what a user sees.
Agreement CompareWithPlain(const PairStatistics& replications, const PlainStatistics& plain);

// Over all pairs of a set.
struct SetStatistics {
  int pairs = 0;
  int errors = 0;
  Share consistent;
  Share agree;                // with plain loops
  double geometric_mean = 1;  // of the overdispersions
  double worst = kNotANumber;
  Factor pooled;             // root mean square overdispersion, with the interval of equal ones
  LinkSpread between_links;  // medians, and the root mean square overdispersion
  double median_half_width = 0;
  Contradictions contradictions;
};
SetStatistics SummarizeSet(absl::Span<const PairStatistics> pairs);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_STATISTICS_H_
