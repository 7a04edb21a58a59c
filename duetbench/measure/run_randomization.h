#ifndef DUETBENCH_MEASURE_RUN_RANDOMIZATION_H_
#define DUETBENCH_MEASURE_RUN_RANDOMIZATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "duetbench/record/plan.h"

namespace duetbench {

// Random choices of a run. Identical variants measured in fixed roles differ by 0.1 to 2 %: the one
// set up second, the one on the thread created first, the one that starts on the faster CPU. So the
// roles are drawn; and they are balanced, each of the eight combinations once in every eight runs,
// so that chance gives no experiment one combination more often than another.
struct RunRandomization {
  int variant_of_thread[2];  // 0 old, 1 new
  int thread_set_up_first;   // 0 or 1
  int first_assignment;      // which CPU old runs on in the first block: cpus[0] or cpus[1]
  int first_of_group;        // the loop of a group that is set up first, in turns
  // The layout of memory, one for all variants of the run: the place in a page at which the stack
  // of a variant begins (a multiple of 16 below 4096), and the seed of its heap (HeapPlacement).
  // Where a run has several processes, the kernel draws no addresses for them, if it can be asked
  // not to (SetLayoutFixed): containers may forbid it. These are common random numbers: each
  // variant meets as many layouts as with its own draw, and what a layout does to both alike
  // cancels in the ratio. Source: copying 16 KiB takes 210 to 9,600 ns by the layout; the
  // ln(new/old) of 24 runs of the same code had a standard deviation of 1.76 with a draw for each
  // variant, and of 0.16 with one for both (AMD Zen 3 VM, 2026-11-26); README.md.
  std::size_t stack_offset;
  uint64_t heap_seed;
};

// The streams of the experiment's seed: each use of random numbers draws from its own stream.
enum RandomStream : uint64_t {
  kRoleOrder = 1,
  kLayout = 2,
  kCountedPairs = 4,
  kTurnOrder = 6,
  kInputs = 7,
};

// The number of the stream's `index`-th part, for stats::Random.
inline uint64_t StreamOf(RandomStream stream, uint64_t index) { return index * 8 + stream; }

RunRandomization DrawRandomization(uint64_t seed, uint32_t run);

// State::seed() of a run.
uint64_t SeedOfInputs(uint64_t seed, uint32_t run);

// The number of loops that are set up before the loop `loop` of `loops`. Of a group each one is the
// first in its turn.
int SetUpPosition(const RunRandomization& randomization, int loop, int loops);

// The variant at `place` of the turn number `turn`, where variants take turns on a CPU. The orders
// of `variants` consecutive turns, runs counted on, are the rows of a cyclic Latin square: each
// variant is once in each place. Which variants follow each other is drawn for each such square:
// two have the orders ABBA or BAAB. A run may have a single turn of blocks: then the next run has
// another order.
int VariantAtPlace(uint64_t seed, uint64_t turn, int variants, int place);

// Decides where in the heap of the calling thread a variant finds memory. Two blocks that a program
// allocates in a row lie in a row, at a distance that is the same in each of its processes; and
// copying 4 KiB from one to the other takes 94 or 330 ns by this distance (27 processes: 193 to 284
// ns in all of them without this, 54 to 89 ns in 23 and 246 to 252 ns in 4 with it). So the heap
// gets free blocks before the set-up: of 64 blocks, whose sizes are drawn from 16 B to 64 KiB with
// equal weight for each power of two, every other one is free again, and those in between stay
// until the end. What is allocated next lies at the start of the smallest free one that has room
// for it. Blocks from 128 KiB on are separate mappings, which follow each other from a page on that
// is drawn from 512.
//
// Does not change the distances of blocks below 1 KiB, of which many lie in a row in one free
// block. Takes 0.02 ms and up to 2.4 MiB of address space, most of which is never touched.
class HeapPlacement {
 public:
  explicit HeapPlacement(uint64_t seed);
  ~HeapPlacement();
  HeapPlacement(const HeapPlacement&) = delete;
  HeapPlacement& operator=(const HeapPlacement&) = delete;

 private:
  std::size_t mapped_bytes_;
  void* mapping_;
  std::vector<std::unique_ptr<char[]>> kept_;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_RANDOMIZATION_H_
