#ifndef DUETBENCH_RUNNER_PACING_H_
#define DUETBENCH_RUNNER_PACING_H_

#include <cstdint>

#include "duetbench/runner/plan.h"

// How many operations an iteration gets, and how iterations are laid out in a run: pure functions
// of numbers that both sides know, so that both sides come to the same decision without asking.
namespace duetbench {

// One step of the calibration. `batch` operations took the faster side `faster_ns`; returns the
// batch to try next: `batch` itself once that is at least `plan.min_batch_ns` long, else more, at
// most ten times. Never above plan.max_batch.
uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, const RunPlan& plan);

// Above this number of operations an iteration that still is too short means that there is nothing
// to measure: the compiler removed the work.
inline constexpr uint64_t kMostOperations = uint64_t{1} << 32;

// The layout of a run in time.
struct Pacing {
  double warm_up_ns;            // before the first block
  uint32_t warm_up_iterations;  // at least
  uint32_t blocks;              // even: both assignments equally often
  double block_ns;              // from the first iteration of a block, discarded ones included
  double discard_ns;            // at the start of a block, after the variants swapped CPUs …
  uint32_t discard_iterations;  // … and at least so many
};

// Blocks are about 4 ms long, or one iteration where that takes longer: short enough that slow
// drifts of the machine hit both assignments alike, long enough that swapping CPUs (7-50 µs) and
// the discarded iterations cost a few per cent. What is discarded lets a first- and second-level
// cache refill (200 µs); of iterations that last longer than 2 ms none is discarded, since such a
// refill is a small part of one. The interleaved schedule has one block: nobody moves.
Pacing PaceRun(const RunPlan& plan, double iteration_ns);

// The largest number of iterations that a run so paced can have, for the size of its records.
uint64_t MostIterations(const RunPlan& plan, const Pacing& pacing, double iteration_ns);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_PACING_H_
