#include "duetbench/experiment/allocation_counting.h"

#include <algorithm>
#include <type_traits>

#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

// Google Benchmark's own number.
constexpr uint64_t kMaxCountedIterations = 16;

}  // namespace

uint64_t AllocationCounting::Begin(uint64_t batch) {
  if (manager_ == nullptr) return 0;
  if (variant_ == 1 && !rendezvous_->Await(rendezvous_->epoch() + 1, 0)) return 0;
  is_counting_ = true;
  manager_->Start();
  return std::min(batch, kMaxCountedIterations);
}

void AllocationCounting::End(uint64_t iterations) {
  // Zeroed memory in place of a constructed one: its constructor needs a constant that shared
  // builds of Google Benchmark 1.7.1 do not export. (Its trivial copy constructor makes it a type
  // that storage may hold without further ado.)
  using Result = benchmark::MemoryManager::Result;
  static_assert(std::is_trivially_copyable_v<Result>);
  alignas(Result) unsigned char storage[sizeof(Result)] = {};
  void* const memory = storage;
  Result& result = *static_cast<Result*>(memory);
  manager_->Stop(result);
  is_counting_ = false;
  allocations_ = static_cast<uint64_t>(std::max<int64_t>(0, result.num_allocs));
  iterations_ = iterations;
  rendezvous_->Publish(ticks::Now(), 0);
  // What old's tear-down allocates does not belong to new.
  if (variant_ == 0) rendezvous_->Await(rendezvous_->epoch(), 0);
}

}  // namespace duetbench
