#ifndef DUETBENCH_EXPERIMENT_ISOLATION_H_
#define DUETBENCH_EXPERIMENT_ISOLATION_H_

#include <cstdint>

namespace duetbench {

// What the two variants of a run share.
enum class Isolation : uint32_t {
  kThread,   // a process: each variant has a thread in it
  kProcess,  // nothing but the rendezvous: each variant has a process of its own
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_ISOLATION_H_
