#ifndef DUETBENCH_MEASURE_SHARED_BLOCK_H_
#define DUETBENCH_MEASURE_SHARED_BLOCK_H_

#include <cstdint>
#include <type_traits>

#include "duetbench/platform/rendezvous.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/sample_loop.h"

// Memory that the measuring loops of a run share. Trivially copyable and without pointers, so
// that it can lie in memory that two processes map; the futexes are not private to a process.
namespace duetbench {

// Counts the loops that have passed a point of the run.
class Stage {
 public:
  // One more loop has passed.
  void Pass();
  // Sleeps until `loops` have passed. False: a loop left before.
  bool Await(uint32_t loops) const;
  // A loop leaves the run: nobody waits here any more.
  void Leave();

 private:
  uint32_t passed_ = 0;  // the top bit: a loop has left
};

// Which of the loops that share a CPU has it: it alone runs, the others sleep.
class alignas(128) Turn {
 public:
  void Give(int variant);
  // Sleeps until it is the turn of `variant`. False: a loop left.
  bool Await(int variant) const;
  void Leave();

  // Times of the last samples, by variant, and the number of those that are left of a turn in which
  // each loop has one. The loop that has the CPU reads and writes them.
  uint64_t packed_time_of[kMaxVariants] = {};
  uint32_t samples_left = 0;

 private:
  uint32_t turn_ = 0;  // a variant; the top bit: a loop has left
};

// The activity of a loop (measuring_loop.h), on a cache line that it alone writes. Atomic.
struct alignas(128) LoopActivity {
  uint32_t activity = 0;
};

struct SharedBlock {
  RendezvousBlock rendezvous;
  Turn turn;  // where loops share a CPU
  LoopActivity activities[kMaxVariants];

  Stage set_up;
  Stage completed;
  Stage counted;  // loops that have counted allocations
  Stage torn_down;

  // Variants that are called anew for each sample ask before set_up.Pass(), that is one loop after
  // the other.
  uint64_t least_iterations;

  // Releases all loops that wait for another one here.
  void Leave();
};
static_assert(std::is_trivially_copyable_v<SharedBlock>);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_SHARED_BLOCK_H_
