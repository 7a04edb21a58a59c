// Duets whose sides differ in what is counted.
#include <duetbench/duetbench.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <thread>

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

// Of the operation that is measured only one in ten faults: the rest is not timed.
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

DUET_MAIN();
