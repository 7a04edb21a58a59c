#include "duetbench/measure/allocation_counting.h"

#include <algorithm>
#include <type_traits>

namespace duetbench {
namespace {

// Google Benchmark's own number.
constexpr uint64_t kMaxCountedIterations = 16;

}  // namespace

uint64_t AllocationCounting::Begin(uint64_t batch) {
  if (manager_ == nullptr) return 0;
  block_->completed.Pass();
  if (!block_->completed.Await(variants_) || !block_->counted.Await(turn_)) return 0;
  is_counting_ = true;
  manager_->Start();
  return std::min(batch, kMaxCountedIterations);
}

void AllocationCounting::End(uint64_t iterations) {
  // Zeroed memory in place of a constructed one: its constructor needs a constant that shared
  // builds of Google Benchmark 1.7.1 do not export. (Its trivial copy constructor makes it a type
  // that storage may hold as it is.)
  using Result = benchmark::MemoryManager::Result;
  static_assert(std::is_trivially_copyable_v<Result>);
  alignas(Result) unsigned char storage[sizeof(Result)] = {};
  void* const memory = storage;
  Result& result = *static_cast<Result*>(memory);
  manager_->Stop(result);
  is_counting_ = false;
  allocations_ = static_cast<uint64_t>(std::max<int64_t>(0, result.num_allocs));
  iterations_ = iterations;
  // A manager that does not count them leaves the zero, or a tombstone below it.
  if (result.max_bytes_used > 0) peak_bytes_ = static_cast<double>(result.max_bytes_used);
  block_->counted.Pass();
  // Allocations of a tear-down belong to no iteration.
  block_->counted.Await(variants_);
}

}  // namespace duetbench
