#ifndef DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_LOOP_TIMES_H_
#define DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_LOOP_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/experiment/machine.h"
#include "duetbench/stats/interval.h"
#include "duetbench/variant/duet_functions.h"

// The same loop timed by duetbench and by Google Benchmark: alone on one CPU, in batches of about
// a millisecond.
namespace duetbench::lab {

// Batches of one repetition, in either loop; their median is not moved by one that was interrupted.
inline constexpr int kBatchesOfRepetition = 10;

// The functions of a run in this process: `loop` as both variants.
DuetFunctions FunctionsOf(void (*loop)(State&), std::vector<int64_t> ranges = {});

// Time per iteration in ns of duetbench's loop: a run in this process on the first of the machine's
// CPUs, both variants of `functions`, which are the same, in turns. `batch` is calibrated when it
// is 0, and kept.
absl::StatusOr<double> TimeOfOurLoop(const DuetFunctions& functions, const Machine& machine,
                                     uint64_t seed, uint64_t* batch);

// The same in Google Benchmark's loop: repetitions of the benchmark that is registered as `name`,
// which has as many iterations as our batch and kBatchesOfRepetition repetitions, on a thread that
// is pinned to the same CPU.
absl::StatusOr<double> TimeOfTheirLoop(const std::string& name, const Machine& machine);

// The ratio ours/theirs from the times of the repetitions, which are paired: both were measured
// within a few hundred milliseconds. Hodges-Lehmann at 99 %, since other work on the machine spoils
// single repetitions.
absl::StatusOr<stats::RatioInterval> RatioOfLoops(const std::vector<double>& ours_ns,
                                                  const std::vector<double>& theirs_ns);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_LOOP_TIMES_H_
