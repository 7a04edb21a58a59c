#ifndef DUETBENCH_MEASURE_ALLOCATION_COUNTING_H_
#define DUETBENCH_MEASURE_ALLOCATION_COUNTING_H_

#include <benchmark/benchmark.h>

#include <cstdint>

#include "duetbench/measure/shared_block.h"

namespace duetbench {

// Counts the allocations of one variant in iterations after the measured ones. A memory manager
// counts those of the whole process: when all loops are done old executes a few iterations while
// the others wait, then new does, all still within their loops; in a group each variant in turn.
class AllocationCounting {
 public:
  // `manager` may be null: then nothing is counted.
  AllocationCounting(benchmark::MemoryManager* manager, int variant, uint32_t variants,
                     SharedBlock* block)
      : manager_(manager),
        turn_(static_cast<uint32_t>(variant)),
        variants_(variants),
        block_(block) {}

  // The loop has completed its samples. Waits for its turn and starts to count. Returns how many
  // iterations to execute, not more than `batch`; 0: none.
  uint64_t Begin(uint64_t batch);
  // Call it after Begin, when `iterations` were executed: ends the count and this variant's turn.
  void End(uint64_t iterations);

  bool is_counting() const { return is_counting_; }
  uint64_t allocations() const { return allocations_; }
  uint64_t iterations() const { return iterations_; }  // 0: none were counted
  // The most bytes that were allocated at once in these iterations; -1: the manager does not tell.
  double peak_bytes() const { return peak_bytes_; }

 private:
  benchmark::MemoryManager* const manager_;
  const uint32_t turn_;
  const uint32_t variants_;
  SharedBlock* const block_;
  bool is_counting_ = false;
  uint64_t allocations_ = 0;
  uint64_t iterations_ = 0;
  double peak_bytes_ = -1;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_ALLOCATION_COUNTING_H_
