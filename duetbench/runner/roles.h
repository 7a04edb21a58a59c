#ifndef DUETBENCH_RUNNER_ROLES_H_
#define DUETBENCH_RUNNER_ROLES_H_

#include <cstddef>
#include <cstdint>

namespace duetbench {

// Who does what in a run. Identical variants measured in fixed roles differ by 0.1 to 2 %: the one
// set up second, the one on the thread created first, the one that starts on the faster CPU. So the
// roles are drawn at random; and they are balanced, each of the eight combinations once in every
// eight runs, so that no experiment gets one combination by bad luck more often than another.
struct Roles {
  int variant_of_thread[2];  // 0 old, 1 new
  int thread_set_up_first;   // 0 or 1
  int first_assignment;      // which CPU old runs on in the first block: cpus[0] or cpus[1]
  // The layout of memory: bytes of stack in use before the variant is called (a multiple of 16
  // below 4096), and of a block allocated before its set-up (below 32 KiB). Another one for each
  // run, and the same for both sides of it, so that what a layout does to both divides out of the
  // ratio.
  std::size_t stack_offset;
  std::size_t heap_padding;
};

Roles DrawRoles(uint64_t seed, uint32_t run);

// Interleaved schedule: whether old goes first in the pair `index` of a run. Pairs 2k and 2k+1 have
// opposite orders (ABBA or BAAB), drawn for each k.
bool OldGoesFirst(uint64_t seed, uint32_t run, uint64_t index);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_ROLES_H_
