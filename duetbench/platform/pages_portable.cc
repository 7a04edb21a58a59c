#include "duetbench/platform/pages.h"
#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace duetbench {

// Written once, so that the first use faults nothing in.
Pages::Pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t whole = (bytes + page - 1) / page * page;
  void* memory = nullptr;
  if (whole < bytes || posix_memalign(&memory, page, whole) != 0) return;
  std::memset(memory, 0, whole);
  data_ = memory;
  bytes_ = whole;
}

Pages::~Pages() { std::free(data_); }

}  // namespace duetbench

#endif
