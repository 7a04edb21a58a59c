#ifndef DUETBENCH_EXPERIMENT_CALIBRATION_H_
#define DUETBENCH_EXPERIMENT_CALIBRATION_H_

#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/policy.h"

// The run before those that measure. It tells the iterations of a sample, what a run costs, whether
// the variants start threads, and with which schedule the experiment begins. Nothing of it is in
// the result, since its samples grow.
//
// Each variant has to be measured in its steady state. In samples of 50 us that take turns, caches
// and branch predictors are those of a mixture. Of variants that are alike the ratio is the same
// nevertheless, and what the machine does in these microseconds hits both: short turns are many
// times as precise. Of others it may be far away (0.85 in place of 0.6, linear against binary
// search, AMD Zen 3 VM, 2026-11-25): they are measured in blocks, of which the first part is left
// out (kAlternating). So the bias decides. A calibration may be disturbed: where it leads to
// blocks, the first two runs that measure have to show the same (policy.cc).
namespace duetbench {

// The calibration; a second one on all CPUs, where the first one finds that the variants start
// threads. A single run calibrates itself, unless its number of iterations is fixed. False: there
// is none any more, and the course is that of the runs that measure.
bool Calibrate(const Evidence& evidence, Step* step);

// new / old: the median of the pairs of a run that are not solo. Disturbed ones count, because
// there may be few others. 1 if there are none.
double MedianRatio(const RunResult& run);

// Most of the time of these runs after their warm-up passed without the variants: they waited for a
// CPU, or were preempted. Such runs do not show that variants are alike: who runs in between leaves
// caches and branch predictors cold.
bool Waited(const TimeAccount& runs);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_CALIBRATION_H_
