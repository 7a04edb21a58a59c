#ifndef DUETBENCH_PLATFORM_SHARED_MEMORY_H_
#define DUETBENCH_PLATFORM_SHARED_MEMORY_H_

#include <cstddef>

namespace duetbench {

// Memory that processes share: a descriptor without a name in any file system, which a child
// inherits. It is gone with the last process that has the descriptor or the mapping.

// A descriptor of `bytes` zeros, closed on exec; -1 with errno if there is none. Not on systems
// without memfd_create (ENOSYS).
int OpenSharedMemory(size_t bytes);

// Maps it, for the rest of the process. Null if it is not exactly `bytes` long, or cannot be
// mapped.
void* MapSharedMemory(int fd, size_t bytes);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SHARED_MEMORY_H_
