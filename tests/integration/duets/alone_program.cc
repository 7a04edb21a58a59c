// Variants that tell a process with one thread and a fresh allocator from others.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
static bool HasOneThread() { return __libc_single_threaded != 0; }
#else
static bool HasOneThread() { return true; }
#endif

// Checks that the process of a variant has one thread and no other user as its loop begins; else
// sets an error. It may have been here before: a variant is set up more than once in a run.
static void Alone(duetbench::State& state, int variant) {
  static int user = -1;
  std::string wrong;
  if (!HasOneThread()) wrong += " has had threads;";
  if (user >= 0 && user != variant) wrong += " its static data has another user;";
  void* const small = std::malloc(64);
  const auto address = reinterpret_cast<uintptr_t>(small);
  const auto heap_end = reinterpret_cast<uintptr_t>(sbrk(0));
  // The main arena lies below the program break.
  if (address > heap_end || heap_end - address > (uintptr_t{1} << 30)) wrong += " another arena;";
  std::free(small);
  if (user < 0 && std::fegetround() != FE_TONEAREST) wrong += " another rounding mode;";
  user = variant;
  std::fesetround(FE_UPWARD);
  if (!wrong.empty()) state.SkipWithError("is not alone:" + wrong);
  for (auto _ : state) benchmark::DoNotOptimize(user);
}
static void OldAlone(duetbench::State& state) { Alone(state, 0); }
static void NewAlone(duetbench::State& state) { Alone(state, 1); }

// Ordinary benchmarks are alone too.
static void BM_Alone(benchmark::State& state) {
  if (!HasOneThread()) state.SkipWithError("is not alone: has had threads");
  for (auto _ : state) {
  }
}

// The functions are not inlined: duets call them, too.
static const std::shared_ptr<int> shared = std::make_shared<int>(1);

[[gnu::noinline]] static void CopyShared() {
  std::shared_ptr<int> copy = shared;
  benchmark::DoNotOptimize(copy);
}
// The reference count of std::shared_ptr in a process with one thread.
[[gnu::noinline]] static void CountPlainly() {
  static int* const count = new int(1);
  ++*count;
  benchmark::DoNotOptimize(*count);
  if (--*count == 0) std::abort();
  benchmark::DoNotOptimize(*count);
}

static FILE* const sink = std::fopen("/dev/null", "w");
[[gnu::noinline]] static void Put() {
  for (int i = 0; i < 100; ++i) putc('x', sink);
}
[[gnu::noinline]] static void PutUnlocked() {
  for (int i = 0; i < 100; ++i) putc_unlocked('x', sink);
}

static void Fill(int reserved) {
  std::vector<int> values;
  values.reserve(static_cast<size_t>(reserved));
  for (int i = 0; i < 50'000; ++i) values.push_back(i);
  benchmark::DoNotOptimize(values.data());
}
[[gnu::noinline]] static void Grow() { Fill(0); }
[[gnu::noinline]] static void Reserve() { Fill(50'000); }

static std::vector<int> Numbers() {
  std::vector<int> numbers(1000);
  unsigned x = 1;
  for (int& n : numbers) n = static_cast<int>(x = x * 1664525u + 1013904223u) & 0xfff;
  return numbers;
}
[[gnu::noinline]] static void Set() {
  static const std::vector<int> numbers = Numbers();
  const std::set<int> set(numbers.begin(), numbers.end());
  benchmark::DoNotOptimize(set.size());
}
[[gnu::noinline]] static void Vector() {
  static const std::vector<int> numbers = Numbers();
  std::vector<int> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  benchmark::DoNotOptimize(sorted.data());
}

template <void (*kFunction)()>
static void BM_Of(benchmark::State& state) {
  for (auto _ : state) kFunction();
}
BENCHMARK(BM_Of<CopyShared>)->Name("BM_CopyShared");
BENCHMARK(BM_Of<CountPlainly>)->Name("BM_CountPlainly");
BENCHMARK(BM_Of<Put>)->Name("BM_Put");
BENCHMARK(BM_Of<PutUnlocked>)->Name("BM_PutUnlocked");
BENCHMARK(BM_Of<Grow>)->Name("BM_Grow");
BENCHMARK(BM_Of<Reserve>)->Name("BM_Reserve");
BENCHMARK(BM_Of<Set>)->Name("BM_Set");
BENCHMARK(BM_Of<Vector>)->Name("BM_Vector");
BENCHMARK(BM_Alone);

static void RegisterDuets() {
  duetbench::RegisterDuet("Alone", &OldAlone, &NewAlone);
  duetbench::RegisterDuet("Shared", &CopyShared, &CountPlainly);
  duetbench::RegisterDuet("Putc", &Put, &PutUnlocked);
  duetbench::RegisterDuet("Grow", &Grow, &Reserve);
  duetbench::RegisterDuet("Set_vs_Vector", &Set, &Vector);
}

// ALONE_MAIN is plain: Google Benchmark's own main, without duets. has_thread, had_thread: the
// program has a thread, or has had one, when its benchmarks begin.
int main(int argc, char** argv) {
  const std::string how = std::getenv("ALONE_MAIN") != nullptr ? std::getenv("ALONE_MAIN") : "";
  if (how == "plain") {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  if (how == "had_thread") std::thread([] {}).join();
  if (how == "has_thread") std::thread([] { pause(); }).detach();
  RegisterDuets();
  return duetbench::Main(argc, argv);
}
