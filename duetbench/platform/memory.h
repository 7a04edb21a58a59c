#ifndef DUETBENCH_PLATFORM_MEMORY_H_
#define DUETBENCH_PLATFORM_MEMORY_H_

#include <cstddef>
#include <optional>
#include <utility>

namespace duetbench {

// Bytes of a page of memory on x86-64. Other processors may have larger ones.
inline constexpr size_t kPageBytes = 4096;

// Zeroed memory on separate whole pages, resident from the start: no other object shares a cache
// line or a page with it, and its first use causes no page fault.
class Pages {
 public:
  Pages() = default;
  // data() is null if there is no memory.
  explicit Pages(size_t bytes);
  ~Pages();
  Pages(Pages&& other) noexcept { *this = std::move(other); }
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

// Memory that processes share: a descriptor without a name in any file system, which a child
// inherits. It is gone with the last process that has the descriptor or the mapping.

// A descriptor of `bytes` zeros, closed on exec; -1 with errno if there is none. Not on systems
// without memfd_create (ENOSYS).
int OpenSharedMemory(size_t bytes);

// Memory of `bytes` zeros that this process shares with those that it forks, for the rest of the
// process. Null if there is none.
void* MemoryForForkedChildren(size_t bytes);

// Maps it, for the rest of the process. Null if it is not exactly `bytes` long, or cannot be
// mapped.
void* MapSharedMemory(int fd, size_t bytes);

// The resident memory of this process in bytes, now and at most so far: file pages and shared ones
// too.
struct ResidentMemory {
  double now = 0;
  double peak = 0;
};

// Nothing where the system does not tell. 25 us; allocates nothing.
std::optional<ResidentMemory> ReadResidentMemory();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_MEMORY_H_
