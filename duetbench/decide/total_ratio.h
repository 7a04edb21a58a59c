#ifndef DUETBENCH_DECIDE_TOTAL_RATIO_H_
#define DUETBENCH_DECIDE_TOTAL_RATIO_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// The ratio of the total times of the two variants. The typical ratio, a trimmed mean of
// log-ratios, does not see slow paths in less than a tenth of the samples; a program that calls the
// variants does. Both agree unless one variant has slow samples that the other one has not.

// The samples of one variant that took much longer than its others, as single calls. All 0 if there
// are none, or if nothing can be said.
struct SlowCalls {
  double one_in;  // one in this number of calls
  double factor;  // takes `factor` times as long as the others
};

// The times of the samples of one run, reduced to what the ratio of totals needs. Arrays are
// indexed by variant, 0 old and 1 new, unless they say otherwise.
struct RunTotals {
  double time[2][2] = {};    // weighted sums, by assignment, then by variant
  double pairs[2] = {0, 0};  // sums of the weights, by assignment
  double median[2] = {0, 0};
  // Separate moments in which this variant alone was slow.
  double slow_moments[2] = {0, 0};
  // The times above three times the median, as weights of events; none, where the sums are of whole
  // passes through an input, which has them.
  struct Excess {
    double sum = 0;
    double squares = 0;
    double largest = 0;
  } excess[2];
  // The samples that took at least half as long again as the first decile of the run; their times
  // over that are in units of it.
  struct SlowSamples {
    double count = 0;
    double sum = 0;
    double squares = 0;
  } slow[2];
};

// The weight of sample `i` of `n` in sums over a run; its mean is 1. Weights rise from 0 over the
// first part `taper` of the samples, at most half, and fall to 0 over the last one; 0: all are
// alike. These are the sums of all windows of this length, or of the rest: of an input that repeats
// after this number of samples, the ratio of whole passes.
double Weight(double taper, std::size_t i, std::size_t n);

// `run` must pass CheckPairs. O(n).
RunTotals TotalsOf(const RunPairs& run, double taper = 0);

// Combines runs that count as one: medians are means by the number of pairs.
RunTotals Merged(absl::Span<const RunTotals> runs);

struct TotalRatio {
  // Interval of S_new / S_old, with S_v the sum over both assignments of the mean time of v under
  // it. Means are taken over all pairs of all runs, so a run has the weight of its pairs: runs end
  // by time, and means of runs would be biased by the slow calls that end them.
  RatioInterval interval;
  // Jackknife pseudo-values of ln(S_new / S_old), one for each run, shifted to have it as their
  // mean: their t interval is the jackknife interval, and AnalysisPValue takes them.
  std::vector<double> run_values;
  // p-value of the hypothesis that neither variant has slow samples that the other one lacks.
  double p;
  // The total ratio differs from the typical one: p <= kDecision.tail_alpha, and by at least
  // `least`.
  bool differs;
  SlowCalls slow_calls[2];  // by variant, 0 old and 1 new
};

// An experiment as the total ratio needs it.
struct TotalInput {
  absl::Span<const RunTotals> runs;  // of all pairs with times of what the variants did
  // The typical ratio of each run.
  absl::Span<const double> run_log_ratios;
  double iterations[2] = {1, 1};  // of a sample of each variant
  double least = 0;               // a smaller difference of the logarithms does not count
};

// Interval: ln(S_new / S_old) -+ t_{R-1} times the jackknife error over the runs. Where slow
// samples are few the spread of the runs does not know how many there might have been, so each end
// is moved out to that of the gamma interval for weighted sums of Poisson counts (Fay and Feuer,
// Statistics in Medicine 1997), taken for the excess of each variant over three times its median.
//
// p is twice the smaller of two:
// - a t test over runs that the pseudo-values and the typical log-ratios have the same mean;
// - a binomial test of the numbers of pairs in which only old, or only new, took at least the
//   median time of the slower one more than its own median. Interference falls on both in
//   proportion to their times. Consecutive such pairs count once, and the run with the most counts
//   against the test's direction is left out, since chance may give one run a slow side.
//
// Simulated with 5 to 40 runs (200 or 300 experiments each, intervals at 99 %): 98 to 100 % of the
// intervals contain the ratio where one call in 10^3 or 10^4 of new is slow, and all of them
// decide; of one in 10^6, ten slow calls in all, 93 % decide. Interference alone, also of 2 ms,
// decided in none of 1,500.
//
// Fewer than two runs, spans that do not match, a level outside (0, 1) and a `share` outside (0, 1]
// stop the program.
TotalRatio ComputeTotalRatio(const TotalInput& input, double level, double share = 1);

// The total ratio where it lies more than 5 % from the typical one and does not count as different:
// its slow samples are too few to tell whose they are. Five calls in a second that are all of new's
// are a reason not to conclude that new is as fast, though chance puts them all on one side in one
// case of 16. A/A comparisons of functions without slow calls lie within 2 %.
std::optional<double> OpenTotal(const TotalRatio& total, const RatioInterval& typical);

// The least difference of the logarithms that matters beside a margin (verdict.h).
double LeastNotable(double margin);

// The rarest kind of calls that is seen among `calls` with 99 %: 1 in calls / ln 100.
double RarestSeen(double calls);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_TOTAL_RATIO_H_
