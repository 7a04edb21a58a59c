#ifndef DUETBENCH_EXPERIMENT_PILOT_RULES_H_
#define DUETBENCH_EXPERIMENT_PILOT_RULES_H_

#include <vector>

#include "duetbench/experiment/policy.h"

// The rules for the runs before those that measure: a calibration and, for variants that take about
// the same time, one short run or two. They also tell what a run costs and whether the variants
// start threads. Each takes a fortieth of the time.
//
// Each variant has to be measured in its steady state. In samples of 50 us that take turns, caches
// and branch predictors are those of a mixture. Of variants that are alike the ratio is the same
// nevertheless, and what the machine does in these microseconds hits both: short turns are many
// times as precise. Of others it may be far away (0.85 in place of 0.6, linear against binary
// search, AMD Zen 3 VM, 2026-11-25): they are measured in blocks, of which the first part is left
// out (kAlternating). So the bias decides. Of the short turns, those at the same time hit both
// variants alike whatever the machine does, if both CPUs are free; else those on one CPU are
// measured where the other one is busy. Their widths are the same within 12 % (eight workloads of
// samples/same, 240 intervals, AMD Zen 4 VM, quiet and beside a busy process, 2026-11-26).
namespace duetbench {

// The next of these runs, by the one before it:
//
//   none                    the calibration. A single run calibrates itself, unless its number of
//                           iterations is fixed
//   any                     the variants start threads: a calibration on all CPUs, and no pilot
//   calibration, in blocks  none, where the schedule is not to be chosen; none but blocks, where
//                           set-ups are expensive, or a sample is longer than a pilot; one more in
//                           blocks, where the times differ by more than 5 %; else one with crossed
//                           samples, or on one CPU in turns
//   one more in blocks      none but blocks, where the times differ by more than 5 % beyond what
//                           the pilots in blocks vary; another one, where that is not clear
//   crossed                 one in turns, where it waited for its CPUs; else as after that
//   in turns                none: this schedule, if its ratio is that of the blocks and within 5 %
//                           of 1, else blocks; one more in blocks, where it is not clear that it
//                           is that of the blocks; one more like it, where it is not within 5 %
//
// A group has no crossed pilot. The times in its blocks, one of each variant, may differ by a
// factor of 1.8; if they differ by more than 5 % in turns, it is measured in blocks.
//
// False: there is none, and the course is that of the runs that measure.
bool NextPilot(const Evidence& evidence, const Setting& setting, Step* step);

// The ratio of these runs in short turns is farther from 1 than that of alike variants, beyond
// noise: a one-sided t test over the runs at MeasuringPolicy's disturbance_alpha. Where the ratios
// of pilots vary, three are too few to show it. O(pairs).
bool AreUnlike(absl::Span<const RunResult> runs);

// The distance of log-ratios of `tried` pilots or runs from 0: farther than the part `limit`,
// beyond noise, or not. A single one may be disturbed: it shows only that they are near. Others
// shall follow where it is unclear. Values of fewer than were tried: the others show nothing.
enum class Distance { kNear, kFar, kUnclear };
Distance DistanceOf(const std::vector<double>& log_ratios, size_t tried, double limit);

// new / old: the median of the pairs of a pilot that are not solo. Disturbed ones count, because
// there may be few others. 1 if there are none.
double PilotRatio(const RunResult& pilot);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PILOT_RULES_H_
