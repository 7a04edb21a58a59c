#ifndef DUETBENCH_REGISTRY_FORWARDING_MEMORY_MANAGER_H_
#define DUETBENCH_REGISTRY_FORWARDING_MEMORY_MANAGER_H_

#include <benchmark/benchmark.h>

#include "duetbench/registry/session.h"

namespace duetbench {

// What Google Benchmark is given in place of the program's memory manager, so that a duet can tell
// the call under it from the one that measures.
class ForwardingMemoryManager : public benchmark::MemoryManager {
 public:
  explicit ForwardingMemoryManager(benchmark::MemoryManager* manager) : manager_(manager) {}

  // Which of the two Stops is virtual, and which is pure, differs between the versions of the
  // library: neither can be marked as an override.
  // NOLINTBEGIN(modernize-use-override)
  virtual void Start() {
    Session::Get().set_counts_memory(true);
    manager_->Start();
  }
  virtual void Stop(Result& result) {
    manager_->Stop(result);
    Session::Get().set_counts_memory(false);
  }
  virtual void Stop(Result* result) { Stop(*result); }
  // NOLINTEND(modernize-use-override)

 private:
  benchmark::MemoryManager* const manager_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_FORWARDING_MEMORY_MANAGER_H_
