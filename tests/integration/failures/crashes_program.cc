// Variants that crash, end and stop in ways that trouble_program.cc has not.
#include <duetbench/duetbench.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/integration/work.h"

static void Fine(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}

// In the tenth iteration.
template <void (*DoIt)()>
static void Does(duetbench::State& state) {
  int iterations = 0;
  for (auto _ : state) {
    Steps(50);
    if (++iterations == 10) DoIt();
  }
}

static volatile int deepest = 1 << 30;
static int Deeper(int depth) {  // NOLINT(misc-no-recursion)
  volatile char frame[4096];
  frame[0] = 1;
  return depth >= deepest ? 0 : Deeper(depth + 1) + frame[0];
}
static void StackOverflow() { benchmark::DoNotOptimize(Deeper(0)); }

// Reads behind the end of a file.
static void BusError() {
  const int fd = open("empty", O_RDWR | O_CREAT | O_TRUNC, 0600);
  void* const page = mmap(nullptr, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (fd < 0 || page == MAP_FAILED) std::abort();
  benchmark::DoNotOptimize(*static_cast<volatile char*>(page));
}

static void ArithmeticError() { raise(SIGFPE); }
static void IllegalInstruction() { __builtin_trap(); }

static void DoubleFree() {
  void* block = std::malloc(10);
  benchmark::DoNotOptimize(block);
  void* same = block;
  benchmark::DoNotOptimize(same);
  std::free(block);
  std::free(same);
}

// exit() is not the variant's own.
static void ExitElsewhere() {
  std::thread([] { std::exit(0); }).join();
}

static void DeadLock() {
  static std::mutex first;
  static std::mutex second;
  first.lock();
  std::thread([] {
    second.lock();
    first.lock();
  }).detach();
  while (second.try_lock()) {
    second.unlock();
    std::this_thread::yield();
  }
  second.lock();
}

static void Register(const char* name, void (*variant)(duetbench::State&)) {
  duetbench::RegisterDuet(name, Fine, variant);
}

int main(int argc, char** argv) {
  Register("StackOverflow", Does<StackOverflow>);
  Register("BusError", Does<BusError>);
  Register("ArithmeticError", Does<ArithmeticError>);
  Register("IllegalInstruction", Does<IllegalInstruction>);
  Register("DoubleFree", Does<DoubleFree>);
  Register("ExitElsewhere", Does<ExitElsewhere>);
  Register("DeadLock", Does<DeadLock>);
  return duetbench::Main(argc, argv);
}
