// Five pairs of variants that disturb each other when they run at the same time: they share a lock,
// a cache line, the address space of the process or the bandwidth of its memory. (Four of them
// share it because they ask for one process; by default each variant is alone in its process.)
// Their ratio at the same time is not the ratio that a program sees which executes one of them.
// duetbench notices, says both ratios, and measures one variant at a time.
//
//   samples/together                                    the ratio that counts
//   samples/together --duet_schedule=duet               both ratios, and no verdict
#include <duetbench/duetbench.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

// Both draw from one generator (SplitMix64), whose state is on a cache line that both write.
static std::atomic<uint64_t> state{1};
static uint64_t Draw() {
  uint64_t z = state.fetch_add(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
static void DrawOnce() { benchmark::DoNotOptimize(Draw()); }
static void DrawTwice() {
  benchmark::DoNotOptimize(Draw());
  benchmark::DoNotOptimize(Draw());
}
DUET_BENCHMARK(DrawOnce, DrawTwice)
    ->Name("shared_generator")
    ->Isolation(duetbench::Isolation::kThread);

// Both take one lock, and hold it for one or two units of work.
static std::mutex mutex;
static void HoldFor(int units) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (int i = 0; i < 50 * units; ++i) benchmark::DoNotOptimize(i);
}
static void LockShort() { HoldFor(1); }
static void LockLong() { HoldFor(2); }
DUET_BENCHMARK(LockShort, LockLong)->Name("lock")->Isolation(duetbench::Isolation::kThread);

// Both count references to one object.
static const std::shared_ptr<int> shared = std::make_shared<int>(1);
static void CopyOnce() {
  std::shared_ptr<int> copy = shared;
  benchmark::DoNotOptimize(copy);
}
static void CopyTwice() {
  std::shared_ptr<int> copy = shared;
  std::shared_ptr<int> another = shared;
  benchmark::DoNotOptimize(copy);
  benchmark::DoNotOptimize(another);
}
DUET_BENCHMARK(CopyOnce, CopyTwice)->Name("shared_ptr")->Isolation(duetbench::Isolation::kThread);

// Old reads. New unmaps pages, which interrupts the CPU of old, and holds a lock of the kernel.
static void Read(duetbench::State& state) {
  std::vector<uint64_t> values(4096, 1);
  for (auto _ : state) {
    uint64_t sum = 0;
    for (const uint64_t value : values) sum += value;
    benchmark::DoNotOptimize(sum);
  }
}
static void Unmap() {
  constexpr size_t kBytes = 16 << 10;
  void* pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(pages, 1, kBytes);
  benchmark::DoNotOptimize(pages);
  munmap(pages, kBytes);
}
DUET_BENCHMARK(Read, Unmap)->Name("unmap")->Isolation(duetbench::Isolation::kThread);

// Both stream through memory, new through twice as much, and share its bandwidth.
static void Stream(duetbench::State& state, size_t bytes) {
  std::vector<char> from(bytes, 'x');
  std::vector<char> to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
}
static void StreamHalf(duetbench::State& state) { Stream(state, 16 << 20); }
static void StreamAll(duetbench::State& state) { Stream(state, 32 << 20); }
DUET_BENCHMARK(StreamHalf, StreamAll)->Name("bandwidth");

DUET_MAIN();
