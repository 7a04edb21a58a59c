#ifndef DUETBENCH_STATS_PLANNING_H_
#define DUETBENCH_STATS_PLANNING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/variance_components.h"

namespace duetbench::stats {

// How small a slow-down an experiment can find, and what it takes to find a given one. `spread`
// (written s below) is the standard deviation of the runs' ln(new/old); a slow-down of x means
// new/old = 1 + x. All of it holds for the t interval over runs. Arguments outside the stated
// ranges stop the program.

// What 'find' means: the two-sided t test at `alpha` (the interval at level 1 - alpha excludes 1)
// succeeds with probability `power`. Both in (0, 1); power above 1/2.
struct Detection {
  double alpha = 0.05;
  double power = 0.95;
};

// Smallest detectable effect in units of s: (t_{1-alpha/2,R-1} + t_{power,R-1}) / sqrt(R), the
// usual approximation. R >= 2. Against ExactEffectSize at 95 % power it is, for alpha = 5 %, 2 %
// too small at R = 4 and within 1 % from R = 5 on; for alpha = 1 %, 16 % too small at R = 4, 10 %
// at 5, 6 % at 7, 3 % at 10, 1 % at 20.
double EffectSize(int runs, const Detection& detection = {});

// The same without approximation: the d at which the power of the t test, from the non-central t
// distribution with d sqrt(R) as its parameter, is as asked (R's power.t.test with type =
// "one.sample", which solves it to an absolute 1e-4). `runs` >= 2 may be fractional.
// At alpha 5 %, power 95 %: 2.204 (R = 5), 1.286 (10), 0.850 (20), 0.681 (30). About 1 ms.
double ExactEffectSize(double runs, const Detection& detection = {});

// Probability that the two-sided t test of R = `runs` values finds an effect of d standard
// deviations on the side where it is. `runs` > 1 may be fractional; d >= 0.
double TTestPower(double runs, double d, double alpha);

// Minimal detectable slow-down MDS(R) = exp(EffectSize(R) s) - 1; 0.01 reads 1 %. Infinite where it
// exceeds the largest double.
double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection = {});

// Upper confidence limit of the spread that was estimated from R runs: s sqrt(nu /
// chi2_{1-confidence,nu}), nu = R - 1. The MDS of it is what one can promise: a spread estimated
// from ten runs may well be 1.47 times as large. Needs normal run values; R >= 2.
double UpperSpread(double spread, int runs, double confidence = 0.9);

// Smallest number of runs, at least 2 and at most `limit`, whose MDS is at most `slowdown` > 0.
// `limit` + 1 if more are needed. O(log limit).
int RunsNeeded(double spread, double slowdown, const Detection& detection = {},
               int limit = 1000000);

// The number of runs, fractional as R's power.t.test gives it, at which an effect of d > 0 standard
// deviations is found; at least 1.1. Round it up, to 2 or more.
double ExactRunsNeeded(double d, const Detection& detection = {});

// An experiment that finds a wished slow-down in the least time.
struct Plan {
  int runs;
  int iterations;  // pairs a run
  double seconds;  // runs * (run_cost + iterations * iteration_cost)
};

// What one more run and one more iteration cost, in seconds.
struct Costs {
  double run;        // start-up and set-up of a run; >= 0
  double iteration;  // one pair; > 0
};

// Kalibera and Jones: I* iterations a run (variance_components.h) and as many runs as the slow-down
// then needs, but at least `least_runs`; where these few runs would do with fewer iterations than
// I*, with as few as that. Iterations are taken as independent: with autocorrelated pairs pass the
// long-run variance for S_1^2 (T_1^2). A run has at least 2 iterations.
Plan CheapestPlan(const VarianceComponents& components, const Costs& costs, double slowdown,
                  const Detection& detection = {}, int least_runs = 10);

// Laaber et al., EMSE 2019, section 5.4, as a cross-check that assumes no distribution.
struct ResampledMds {
  double slowdown;              // smallest of the list that is found; infinite if none is
  int false_alarms;             // of the resamplings without slow-down
  std::vector<int> detections;  // for each slow-down of the list
};

struct ResampledMdsOptions {
  double alpha = 0.05;
  int resamplings = 100;
  int detections_needed = 95;
  // The paper allows 5 of 100, which an exactly valid test fails in 38 % of tries. 11 is the 99.5 %
  // limit of the binomial distribution.
  int false_alarms_allowed = 11;
  std::vector<double> slowdowns = {0.001, 0.002, 0.005, 0.01, 0.015, 0.02,
                                   0.05,  0.1,   0.5,   1.0,  10.0};
};

// Draws as many runs as there are, with replacement, from the log ratios less their mean (so that
// an A/B result can be used, too), adds ln(1 + slow-down), and counts how often the t interval says
// slower; without slow-down, how often it says slower or faster. InvalidArgument for fewer than
// 3 runs or a value that is not finite. The same draws serve each slow-down of the list.
absl::StatusOr<ResampledMds> ResampleMds(absl::Span<const double> run_log_ratios,
                                         const ResampledMdsOptions& options, std::uint64_t seed);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_PLANNING_H_
