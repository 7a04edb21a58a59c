#ifndef DUETBENCH_DECIDE_PLANNING_H_
#define DUETBENCH_DECIDE_PLANNING_H_

namespace duetbench::stats {

// The smallest slow-down that an experiment can find, and the cost of finding a given one. `spread`
// (written s below) is the standard deviation of the runs' ln(new/old); a slow-down of x means
// new/old = 1 + x. All of it holds for the t interval over runs. Arguments outside the stated
// ranges stop the program.

// Definition of 'find': the two-sided t test at `alpha` (the interval at level 1 - alpha excludes
// 1) succeeds with probability `power`. Both in (0, 1); power above 1/2.
struct Detection {
  double alpha = 0.05;
  double power = 0.95;
};

// Smallest detectable effect in units of s: (t_{1-alpha/2,R-1} + t_{power,R-1}) / sqrt(R), the
// usual approximation. R >= 2. Against R's exact power.t.test at 95 % power it is, for alpha = 5 %,
// 2 % too small at R = 4 and within 1 % from R = 5 on; for alpha = 1 %, 16 % too small at R = 4, 10
// % at 5, 6 % at 7, 3 % at 10, 1 % at 20.
double EffectSize(int runs, const Detection& detection = {});

// Minimal detectable slow-down MDS(R) = exp(EffectSize(R) s) - 1; 0.01 reads 1 %. Infinite where it
// exceeds the largest double.
double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection = {});

// Upper 90 % confidence limit of the spread that was estimated from R runs: s sqrt(nu /
// chi2_{0.1,nu}), nu = R - 1. The MDS of it is what one can promise: a spread estimated from ten
// runs may well be 1.47 times as large. Needs normal run values; R >= 2.
double UpperSpread(double spread, int runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_PLANNING_H_
