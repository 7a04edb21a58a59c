#include <duetbench/duetbench.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <thread>

// Variants with what could disturb --duet_explain, which uses a signal and a timer of each thread
// and unwinds stacks. New does more of the same.

namespace {

__attribute__((noinline)) void Work() {
  uint64_t state = 1;
  for (int i = 0; i < 500; ++i) {
    state = state * 6364136223846793005u + 1;
    benchmark::DoNotOptimize(state);
  }
}

void Repeat(duetbench::State& state, int calls) {
  for (auto _ : state) {
    for (int i = 0; i < calls; ++i) Work();
  }
}

void OnProfilingTimer(int /*signal*/) {}

template <int kCalls>
void ProfilesItself(duetbench::State& state) {
  std::signal(SIGPROF, OnProfilingTimer);
  itimerval interval{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &interval, nullptr);
  Repeat(state, kCalls);
  interval = {};
  setitimer(ITIMER_PROF, &interval, nullptr);
}

template <int kCalls>
void HasASignalStack(duetbench::State& state) {
  static char memory[1 << 16];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  stack_t before{};
  sigaltstack(&stack, &before);
  Repeat(state, kCalls);
  sigaltstack(&before, nullptr);
}

template <int kCalls>
void StartsThreads(duetbench::State& state) {
  for (auto _ : state) {
    std::thread([] {
      for (int i = 0; i < kCalls; ++i) Work();
    }).join();
  }
}

// The child works, too, and is waited for.
template <int kCalls>
void Forks(duetbench::State& state) {
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) {
      Work();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    for (int i = 0; i < kCalls; ++i) Work();
  }
}

void Plain(duetbench::State& state) { Repeat(state, 2); }
void PlainTwice(duetbench::State& state) { Repeat(state, 4); }

DUET_BENCHMARK(Plain, PlainTwice);
DUET_BENCHMARK(ProfilesItself<2>, ProfilesItself<4>);
DUET_BENCHMARK(HasASignalStack<2>, HasASignalStack<4>);
DUET_BENCHMARK(StartsThreads<1>, StartsThreads<5000>);
DUET_BENCHMARK(Forks<1>, Forks<1000>);

}  // namespace

DUET_MAIN();
