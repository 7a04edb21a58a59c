#ifndef DUETBENCH_MEASURE_PACING_H_
#define DUETBENCH_MEASURE_PACING_H_

#include <cstdint>

#include "duetbench/record/plan.h"

// The iterations of a sample, and the layout of pairs in a run: pure functions of numbers that both
// loops know, so both decide alike.
namespace duetbench {

// Samples longer than this are a large part of a block: none is discarded after a swap of CPUs, and
// each can count events while it is timed.
inline constexpr double kLongSampleNs = 2e6;

// One step of the calibration. `batch` iterations took the faster variant `faster_ns`, and the
// slower one `slower_ns` with its pauses; returns the batch to try next: `batch` itself once it is
// right, else more, at most ten times as many. It is right when it takes the faster variant at
// least plan.min_batch_ns, or the slower one so long (10 ms, or 100 ms as long as the clock does
// not resolve the faster one) that nobody should wait longer. Each step costs the set-up of a call,
// `set_up_ns` in the mean: beside an expensive one, steps are longer, and so is the batch, which is
// then a tenth of it at least.
uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, double slower_ns,
                              const RunPlan& plan, double set_up_ns = 0);

// True if a calibrated batch is too short to be measured at all: below 20 times the resolution of
// the clock. As a rule the compiler has removed the work.
bool IsBelowResolution(double batch_ns, const RunPlan& plan);

// The same, or less than 0.05 ns for each of the `batch` iterations: no CPU executes a loop that
// fast. Beside a partner that takes time, the batch of a loop that was removed is large. Never
// where the variants report their times themselves: all that the clock sees may lie in pauses.
bool TakesNoTime(double batch_ns, uint64_t batch, const RunPlan& plan);

// The layout of a run in time.
struct Pacing {
  double warm_up_ns;       // before the first block
  uint32_t warm_up_pairs;  // at least
  uint32_t blocks;         // at most, and even: both assignments equally often
  double block_ns;         // from the first pair of a block, discarded ones included
  double discard_ns;       // at the start of a block, after the variants swapped CPUs …
  uint32_t discard_pairs;  // … and at least this number
};

// Blocks are about 0.75 ms long. One of the CPUs is often slower than the other for some
// milliseconds (a neighbour on its core, say), and what does not last for a pair of blocks cancels:
// 20 A/A experiments of a loop in registers had intervals of 0.08-0.13 % (median), 0.03-0.1 % and
// 0.02 % with blocks of 6.2, 1.6 and 0.8 ms. What is discarded lets a first- and second-level cache
// refill (200 µs) after the swap, which itself takes 7-50 µs: together less than a third of a
// block. Where 200 µs are one whole sample, blocks have ten of them; of long samples none is
// discarded, since the refill is a small part of one, and a block may be as short as one of them. A
// schedule in which the variants keep their CPUs has one block. Calls of 20 ms with their set-up
// have no warm-up: the set-up has warmed the CPU, and one more call is expensive.
Pacing PaceRun(const RunPlan& plan, double sample_ns);

// The layout of a run with plan.fixed_iterations. They are divided into pieces of about plan.batch
// iterations, one for each sample, and the pieces into blocks as long as other runs have. The first
// eighth of a block, where it has eight pieces, is not measured: it warms up the CPU.
struct FixedPacing {
  uint64_t pieces;   // 1 to kMaxPieces
  uint64_t blocks;   // one, or an even number
  uint64_t discard;  // pieces at the start of a block
};
inline constexpr uint64_t kMaxPieces = 4096;
FixedPacing PaceFixed(const RunPlan& plan);

// The segments of a run in which both variants are executed solo, in a block each.
struct SoloPacing {
  uint32_t segments;  // of a run
  uint64_t pairs;     // of a segment: the samples of each of its blocks
  uint64_t discard;   // samples at the start of a block, while caches fill
};

// plan.solo_share of the run is one segment, in its middle. A segment has at
// least three samples of each variant, or one if samples are long, and lasts 8 ms, or half of the
// run if that is shorter: where that is more than the share, some of the runs have a segment, and
// each of those before the first look (measuring_policy.h) has; where its samples take more than
// half of the run, or the run is shorter than 4 ms, none has. With kAlternating all of the run is
// one segment: a second block would leave out another part of the input at its start, and might do
// so in step with it. The first 10 ms of a block, but at most half of it, are the transient.
SoloPacing PaceSolo(const RunPlan& plan, double sample_ns);

// Room for the measured samples of a run with this pacing, with a wide margin.
uint64_t MaxMeasured(const RunPlan& plan, const Pacing& pacing, double sample_ns);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_PACING_H_
