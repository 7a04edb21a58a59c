// Variants that tell a process with one thread and a fresh allocator from others.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <cfenv>
#include <cstdint>
#include <cstdlib>
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

static void Fill(int reserved) {
  std::vector<int> values;
  values.reserve(static_cast<size_t>(reserved));
  for (int i = 0; i < 50'000; ++i) values.push_back(i);
  benchmark::DoNotOptimize(values.data());
}
static void Grow() { Fill(0); }
static void Reserve() { Fill(50'000); }

BENCHMARK(BM_Alone);

// ALONE_MAIN is has_thread or had_thread: the program has a thread, or has had one, when its
// benchmarks begin.
int main(int argc, char** argv) {
  const std::string how = std::getenv("ALONE_MAIN") != nullptr ? std::getenv("ALONE_MAIN") : "";
  if (how == "had_thread") std::thread([] {}).join();
  if (how == "has_thread") std::thread([] { pause(); }).detach();
  duetbench::RegisterDuet("Alone", &OldAlone, &NewAlone);
  duetbench::RegisterDuet("Grow", &Grow, &Reserve);
  return duetbench::Main(argc, argv);
}
