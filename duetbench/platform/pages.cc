#include "duetbench/platform/pages.h"

#include "duetbench/platform/fallback.h"

#if !DUETBENCH_FALLBACK

#include <sys/mman.h>

namespace duetbench {

Pages::Pages(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return;
  data_ = memory;
  bytes_ = bytes;
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace duetbench

#endif
