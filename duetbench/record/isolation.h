#ifndef DUETBENCH_RECORD_ISOLATION_H_
#define DUETBENCH_RECORD_ISOLATION_H_

#include <cstdint>

namespace duetbench {

// Resources that the two variants of a run share.
enum class Isolation : uint32_t {
  // A process: each variant has a thread in it, and what one writes the other reads.
  kThread = 0,
  // A start of the program, up to where the benchmark begins: each variant has the main thread of a
  // process that is forked there. What it measures is what a program does that has this variant
  // only: there is one thread, and nobody else has used the allocator.
  kFork = 2,
  // Nothing but the rendezvous: each variant has a start of the program.
  kProcess = 1,
  // As kFork, of one start that serves all runs: the program's own. For programs that can exist
  // only once, or whose start is expensive; all runs have the layouts of that start.
  kOnce = 3,
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_ISOLATION_H_
