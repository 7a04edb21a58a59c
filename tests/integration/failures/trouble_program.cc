// Everything that can go wrong in a variant, each beside a partner that is fine.
#include <duetbench/duetbench.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/integration/work.h"

static void Fine(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}
DUET_BENCHMARK(Fine, Fine)->Name("First");

// In set-up, that is before the loop.
template <void (*DoIt)()>
static void InSetUp(duetbench::State& state) {
  DoIt();
  for (auto _ : state) Steps(50);
}

// In the tenth iteration.
template <void (*DoIt)()>
static void InIteration(duetbench::State& state) {
  int iterations = 0;
  for (auto _ : state) {
    Steps(50);
    if (++iterations == 10) DoIt();
  }
}

template <void (*DoIt)()>
static void InTearDown(duetbench::State& state) {
  for (auto _ : state) Steps(50);
  DoIt();
}

static void Throw() { throw std::runtime_error("no such file"); }
static void ThrowInt() { throw 7; }
static void Segfault() {
  // Not through a null pointer: a sanitizer would see that coming.
  void* const page = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}
static void Abort() { std::abort(); }
static void Terminate() { std::terminate(); }
static void Exit() { std::exit(3); }
static void QuickExit() { _exit(4); }
static void Kill() { kill(getpid(), SIGKILL); }
static void EndThread() { pthread_exit(nullptr); }
static void Hang() {
  Note("hangs");
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}
static void Register(const char* name, void (*variant)(duetbench::State&)) {
  duetbench::RegisterDuet(std::string("old/") + name, variant, Fine);
  duetbench::RegisterDuet(std::string("new/") + name, Fine, variant);
}

int main(int argc, char** argv) {
  Register("Throw/SetUp", InSetUp<Throw>);
  Register("Throw/Iteration", InIteration<Throw>);
  Register("Throw/TearDown", InTearDown<Throw>);
  Register("ThrowInt", InIteration<ThrowInt>);
  Register("Segfault/SetUp", InSetUp<Segfault>);
  Register("Segfault/Iteration", InIteration<Segfault>);
  Register("Abort", InIteration<Abort>);
  Register("Terminate", InIteration<Terminate>);
  Register("Exit/SetUp", InSetUp<Exit>);
  Register("Exit/Iteration", InIteration<Exit>);
  Register("QuickExit", InIteration<QuickExit>);
  Register("Kill", InIteration<Kill>);
  Register("EndThread", InIteration<EndThread>);
  Register("Hang/SetUp", InSetUp<Hang>);
  Register("Hang/Iteration", InIteration<Hang>);
  Register("Hang/TearDown", InTearDown<Hang>);
  Register("Skip/SetUp", [](duetbench::State& state) {
    state.SkipWithError("no data");
    for (auto _ : state) Steps(50);
  });
  Register("Skip/Return", [](duetbench::State& state) { state.SkipWithError("no data"); });
  Register("Skip/Iteration", [](duetbench::State& state) {
    for (auto _ : state) {
      state.SkipWithError("no data");
      break;
    }
  });
  Register("Skip/TearDown", [](duetbench::State& state) {
    for (auto _ : state) Steps(50);
    state.SkipWithError("no data");
  });
  Register("NoLoop", [](duetbench::State&) {});
  Register("Break", [](duetbench::State& state) {
    for (auto _ : state) break;
  });
  Register("NoArgument", [](duetbench::State& state) {
    for (auto _ : state) Steps(state.range(0));
  });
  const auto nothing = [](duetbench::State& state) {
    for (auto _ : state) {
    }
  };
  duetbench::RegisterDuet("NothingOnBothSides", nothing, nothing);
  duetbench::RegisterDuet("Last", Fine, Fine);
  benchmark::RegisterBenchmark("OrdinarySkip", [](benchmark::State& state) {
    state.SkipWithError("ordinary trouble");
    for (auto _ : state) Steps(50);
  });
  benchmark::RegisterBenchmark("Ordinary", [](benchmark::State& state) {
    for (auto _ : state) Steps(50);
  });
  return duetbench::Main(argc, argv);
}
