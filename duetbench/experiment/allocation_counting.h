#ifndef DUETBENCH_EXPERIMENT_ALLOCATION_COUNTING_H_
#define DUETBENCH_EXPERIMENT_ALLOCATION_COUNTING_H_

#include <benchmark/benchmark.h>

#include <cstdint>

#include "duetbench/platform/rendezvous.h"

namespace duetbench {

// Counts the allocations of one variant in iterations after the measured ones. A memory manager
// counts those of the whole process: old executes a few iterations while new waits, then new does
// while old waits, both still within their loops.
class AllocationCounting {
 public:
  // `manager` may be null: then nothing is counted.
  AllocationCounting(benchmark::MemoryManager* manager, int variant, Rendezvous* rendezvous)
      : manager_(manager), variant_(variant), rendezvous_(rendezvous) {}

  // Waits for this variant's turn and starts to count. Returns how many iterations to execute, not
  // more than `batch`; 0: none.
  uint64_t Begin(uint64_t batch);
  // Call it after Begin, when `iterations` were executed: ends the count and this variant's turn.
  void End(uint64_t iterations);

  bool is_counting() const { return is_counting_; }
  uint64_t allocations() const { return allocations_; }
  uint64_t iterations() const { return iterations_; }  // 0: none were counted

 private:
  benchmark::MemoryManager* const manager_;
  const int variant_;
  Rendezvous* const rendezvous_;
  bool is_counting_ = false;
  uint64_t allocations_ = 0;
  uint64_t iterations_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_ALLOCATION_COUNTING_H_
