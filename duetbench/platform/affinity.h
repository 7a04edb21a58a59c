#ifndef DUETBENCH_PLATFORM_AFFINITY_H_
#define DUETBENCH_PLATFORM_AFFINITY_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace duetbench {

// The CPUs that this process may use, ascending. Works for machines with more CPUs than a
// cpu_set_t holds (the mask grows until the kernel accepts it).
absl::StatusOr<std::vector<int>> AllowedCpus();

// Moves the calling thread to `cpu` and keeps it there; 7-50 µs when it has to move. Returns when
// the thread runs there. The error names the CPU and the reason.
absl::Status PinThisThread(int cpu);

// The CPU that the calling thread runs on at this moment, or -1 where that cannot be told. 2-20 ns.
int CurrentCpu();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_AFFINITY_H_
