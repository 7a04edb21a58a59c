// Twenty ordinary benchmarks and twenty duets in turns; a manager of memory, if INTEGRATION_MEMORY
// is set.
#include <duetbench/duetbench.h>

#include <cstdlib>
#include <string>

#include "tests/integration/work.h"

// Every version of Google Benchmark has its own form of Stop.
class CountingMemory : public benchmark::MemoryManager {
 public:
  void Start() override {}
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winconsistent-missing-override"
#endif
  // NOLINTBEGIN(modernize-use-override)
  virtual void Stop(Result* result) { Stop(*result); }
  virtual void Stop(Result& result) { result.num_allocs = 48; }
  // NOLINTEND(modernize-use-override)
#pragma GCC diagnostic pop
};

int main(int argc, char** argv) {
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    benchmark::RegisterBenchmark(("Ordinary/" + number).c_str(), [i](benchmark::State& state) {
      for (auto _ : state) Steps(20 + i);  // NOLINT(clang-analyzer-deadcode.DeadStores)
      if (i % 4 == 0) state.counters["steps"] = i;
    });
    duetbench::RegisterDuet(
        "Duet/" + number,
        [i](duetbench::State& state) {
          Note("old");
          for (auto _ : state) Steps(20 + i);
          if (i % 5 == 0) state.counters["apples"] = i;
        },
        [i](duetbench::State& state) {
          for (auto _ : state) Steps(40 + i);
          if (i == 13 && std::getenv("INTEGRATION_FAIL") != nullptr) state.SkipWithError("no data");
        });
  }
  CountingMemory memory;
  if (std::getenv("INTEGRATION_MEMORY") != nullptr) benchmark::RegisterMemoryManager(&memory);
  return duetbench::Main(argc, argv);
}
