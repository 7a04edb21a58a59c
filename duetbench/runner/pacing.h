#ifndef DUETBENCH_RUNNER_PACING_H_
#define DUETBENCH_RUNNER_PACING_H_

#include <cstdint>

#include "duetbench/runner/plan.h"

// How many operations an iteration gets, and how iterations are laid out in a run: pure functions
// of numbers that both sides know, so that both sides come to the same decision without asking.
namespace duetbench {

// One step of the calibration. `batch` operations took the faster side `faster_ns` and the slower
// one `slower_ns`; returns the batch to try next: `batch` itself once it is right, else more, at
// most ten times. It is right when it takes the faster side at least plan.min_batch_ns, or as long
// before that as the slower side can be waited for (10 ms), or at plan.max_batch.
uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, double slower_ns,
                              const RunPlan& plan);

// Whether a calibrated batch is too short to be measured at all: below 20 times what the clock
// resolves. As a rule the compiler has removed the work.
bool IsBelowResolution(double batch_ns, const RunPlan& plan);

// The layout of a run in time.
struct Pacing {
  double warm_up_ns;            // before the first block
  uint32_t warm_up_iterations;  // at least
  uint32_t blocks;              // at most, and even: both assignments equally often
  double block_ns;              // from the first iteration of a block, discarded ones included
  uint64_t most_in_block;       // measured iterations that end a block before its time; 0: no limit
  double discard_ns;            // at the start of a block, after the variants swapped CPUs …
  uint32_t discard_iterations;  // … and at least so many
};

// Blocks are about 0.75 ms long. One of the CPUs is often slower than the other for some
// milliseconds (a neighbour on its core, say), and what does not last for a pair of blocks cancels:
// 20 A/A experiments of a loop in registers had intervals of 0.08-0.13 % (median), 0.03-0.1 % and
// 0.02 % with blocks of 6.2, 1.6 and 0.8 ms. What is discarded lets a first- and second-level cache
// refill (200 µs) after the swap, which itself takes 7-50 µs: together less than a third of a
// block. Where 200 µs are one whole iteration, blocks have ten of them; of iterations longer than 2
// ms none is discarded, since the refill is a small part of one, and a block may be as short as one
// of them. The interleaved schedule has one block: nobody moves.
Pacing PaceRun(const RunPlan& plan, double iteration_ns);

// The layout of a run with a fixed number of operations (plan.operations). They are divided into
// pieces of plan.batch operations as nearly as they divide, one for each iteration, and the pieces
// into blocks as long as other runs have. The first eighth of a block, where it has eight pieces,
// is not measured: it warms up the CPU.
struct FixedPacing {
  uint64_t pieces;   // 1 to kMostPieces
  uint64_t blocks;   // one, or an even number
  uint64_t discard;  // pieces at the start of a block
};
inline constexpr uint64_t kMostPieces = 4096;
FixedPacing PaceFixed(const RunPlan& plan);

// Room for the measured iterations of a run so paced, with a wide margin.
uint64_t MostMeasured(const RunPlan& plan, const Pacing& pacing, double iteration_ns);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_PACING_H_
