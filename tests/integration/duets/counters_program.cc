// Duets whose sides differ in what is counted.
#include <duetbench/duetbench.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>

#include "tests/sanitized.h"

// Touches fresh pages, each a page fault.
template <size_t kPages>
static void TouchFreshPages() {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = 1000 * page_bytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * page_bytes] = 1;
  munmap(memory, bytes);
}

static void Spin() {
  for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(i);
}

static void Sleep() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

// One in ten measured iterations faults: the rest is not timed.
static void BM_PausedFaults(duetbench::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    TouchFreshPages<90>();
    state.ResumeTiming();
    TouchFreshPages<10>();
  }
}

static void BM_Bytes(duetbench::State& state) {
  for (auto _ : state) Spin();
  state.SetBytesProcessed(100 * state.iterations());
}

DUET_BENCHMARK(TouchFreshPages<1000>, TouchFreshPages<0>)->Name("faults");
DUET_BENCHMARK(TouchFreshPages<100>, TouchFreshPages<300>)->Name("more_faults");
DUET_BENCHMARK(Spin, Spin)->Name("same");
DUET_BENCHMARK(Spin, Sleep)->Name("sleep");
DUET_BENCHMARK(BM_PausedFaults, BM_PausedFaults)->Name("paused");
DUET_BENCHMARK(BM_Bytes, BM_Bytes)->Name("bytes")->PerfCounters({"perf::TASK-CLOCK"});

// One allocation an iteration against three.
static void Allocate(int count) {
  for (int i = 0; i < count; ++i) {
    // A copy: with g++ 12 DoNotOptimize of Google Benchmark 1.7.1 may change what it can write to.
    char* const memory = new char[100];
    benchmark::DoNotOptimize(static_cast<char*>(memory));
    delete[] memory;
  }
}
static void AllocateOnce() { Allocate(1); }
static void AllocateThrice() { Allocate(3); }
DUET_BENCHMARK(AllocateOnce, AllocateThrice)->Name("allocations");

// Several blocks at once; their pages become resident.
static void Hold(int blocks) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  char* memory[4] = {};
  for (int i = 0; i < blocks; ++i) {
    memory[i] = new char[kBytes];
    for (std::size_t byte = 0; byte < kBytes; byte += 1024) memory[i][byte] = 1;
    benchmark::DoNotOptimize(static_cast<char*>(memory[i]));
  }
  for (char* block : memory) delete[] block;
}
static void HoldTwo() { Hold(2); }
static void HoldFour() { Hold(4); }
DUET_BENCHMARK(HoldTwo, HoldFour)->Name("memory");

static std::atomic<int64_t> allocations{0};
static std::atomic<int64_t> held{0};  // bytes
static std::atomic<int64_t> most_held{0};

#if !DUETBENCH_TESTS_SANITIZED
// Both operators call it: where g++ inlines one that calls the other, it takes the free() of the
// array for a mismatch.
static void* CountAndAllocate(std::size_t bytes) {
  ++allocations;
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  held += static_cast<int64_t>(malloc_usable_size(memory));
  if (held > most_held) most_held = held.load();
  return memory;
}
static void CountAndFree(void* memory) {
  held -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void* operator new(std::size_t bytes) { return CountAndAllocate(bytes); }
void* operator new[](std::size_t bytes) { return CountAndAllocate(bytes); }
void operator delete(void* memory) noexcept { CountAndFree(memory); }
void operator delete(void* memory, std::size_t) noexcept { CountAndFree(memory); }
void operator delete[](void* memory) noexcept { CountAndFree(memory); }
void operator delete[](void* memory, std::size_t) noexcept { CountAndFree(memory); }
#endif

class CountingMemoryManager : public benchmark::MemoryManager {
 public:
  // The version of Google Benchmark decides which Stop is virtual: none is marked `override`.
  // NOLINTBEGIN(modernize-use-override)
  virtual void Start() {
    before_ = allocations;
    held_before_ = held;
    most_held = held.load();
  }
  virtual void Stop(Result* result) { Stop(*result); }
  virtual void Stop(Result& result) {
    result.num_allocs = allocations - before_;
    result.max_bytes_used = most_held - held_before_;
  }
  // NOLINTEND(modernize-use-override)

 private:
  int64_t before_ = 0;
  int64_t held_before_ = 0;
};

// With TEST_MEMORY_MANAGER in the environment there is a memory manager.
int main(int argc, char** argv) {
  CountingMemoryManager manager;
  if (std::getenv("TEST_MEMORY_MANAGER") != nullptr) duetbench::RegisterMemoryManager(&manager);
  return duetbench::Main(argc, argv);
}
