#ifndef DUETBENCH_MEASURE_HEAP_PLACEMENT_H_
#define DUETBENCH_MEASURE_HEAP_PLACEMENT_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace duetbench {

// Decides where in the heap of the calling thread a variant finds memory. Two blocks that a program
// allocates in a row lie in a row, at a distance that is the same in each of its processes; and
// copying 4 KiB from one to the other takes 94 or 330 ns by this distance (27 processes: 193 to 284
// ns in all of them without this, 54 to 89 ns in 23 and 246 to 252 ns in 4 with it). So the heap
// gets free blocks before the set-up: of 64 blocks, whose sizes are drawn from 16 B to 64 KiB with
// equal weight for each power of two, every other one is free again, and those in between stay
// until the end. What is allocated next lies at the start of the smallest free one that has room
// for it.
//
// Does not change where blocks from 128 KiB on lie, which are separate mappings, nor the
// distances of blocks below 1 KiB, of which many lie in a row in one free block. Takes 0.02 ms and
// 0.4 MiB of address space, most of which is never touched.
class HeapPlacement {
 public:
  explicit HeapPlacement(uint64_t seed);

 private:
  std::vector<std::unique_ptr<char[]>> kept_;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_HEAP_PLACEMENT_H_
