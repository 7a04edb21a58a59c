#ifndef DUETBENCH_MEASURE_SHARED_BLOCK_H_
#define DUETBENCH_MEASURE_SHARED_BLOCK_H_

#include <cstdint>
#include <type_traits>

#include "duetbench/platform/rendezvous.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/sample_loop.h"

// Memory that the measuring loops of a round share. Trivially copyable and without pointers, so
// that it can lie in memory that two processes map; the futexes are not private to a process.
namespace duetbench {

inline constexpr int kMaxLoops = kMaxVariants;

// Counts the loops that have passed a point of the round.
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

// Which of the loops of a lane has the CPU: it alone runs, the others sleep.
class alignas(128) LaneTurn {
 public:
  void Give(int variant);
  // Sleeps until it is the turn of `variant`. False: a loop left.
  bool Await(int variant) const;
  void Leave();

  uint64_t last_packed_time() const { return packed_time_of[last_variant]; }

  // Times of the last samples on the lane, by variant, and the variant of the very last one. The
  // loop whose turn it is reads and writes these fields and those below.
  uint64_t packed_time_of[kMaxVariants] = {};
  int last_variant = 0;
  uint32_t partner_left = 0;
  uint32_t samples_left = 0;       // of a turn in which each loop of a group has one
  uint32_t meets_after_alone = 0;  // a segment was begun in which one of the lanes is alone

 private:
  uint32_t turn_ = 0;  // a variant; the top bit: a loop has left
};

// The activity of a loop (measuring_loop.h), on a cache line that it alone writes. Atomic.
struct alignas(128) LoopActivity {
  uint32_t activity = 0;
};

struct SharedBlock {
  RendezvousBlock rendezvous;
  LaneTurn lanes[2];  // of a schedule in which a lane has several loops
  LoopActivity activities[kMaxLoops];

  Stage set_up;
  Stage completed;
  Stage counted;  // loops that have counted allocations
  Stage torn_down;

  // Variants that are called anew for each sample ask before set_up.Pass(), that is one loop after
  // the other.
  IterationsOfCalls asked;

  // Releases all loops that wait for another one here.
  void Leave();
};
static_assert(std::is_trivially_copyable_v<SharedBlock>);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_SHARED_BLOCK_H_
