#ifndef DUETBENCH_STATS_CORE_STATE_H_
#define DUETBENCH_STATS_CORE_STATE_H_

#include <optional>
#include <vector>

#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/run_value.h"

// Where the variants of a pair are measured one after the other, in blocks of milliseconds, another
// guest on the core may come or go between them: it slows down one variant, and moves the log-ratio
// of the run by up to ln 2. A probe of the core's speed before each sample sees such a change, and
// a regression over the runs takes it out of their log-ratios.
namespace duetbench::stats {

// What the regression of the log-ratios on the log-ratios of the probes' times has found.
struct CoreState {
  double slope = 0;         // 1: the variants are slowed down as much as the probe
  double explained = 0;     // share of the variance of the log-ratios
  double error_factor = 1;  // of the standard error of their mean: the slope is estimated, too
};

// The typical ln(new/old) of the probes' times of a run; NaN where a pair has none. O(n).
double LogProbeRatio(const RunPairs& run, Estimator estimator);

// Changes the log-ratios of the runs to what they would be if the core had been as fast for new as
// for old: analysis of covariance with one slope (Cochran, Biometrics 13, 1957). Changes nothing,
// and returns nothing, where fewer than kDecision.min_runs_of_core_state runs have probes, where a
// run has none, or where the slope is not significant and positive (t test at
// kDecision.core_state_alpha). O(R).
std::optional<CoreState> RemoveCoreState(std::vector<RunValue>* runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_CORE_STATE_H_
