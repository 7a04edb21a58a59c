// Variants that are special in one way each: their own threads, a first iteration that is
// expensive, an input of which a short run sees only the head.
#include <duetbench/duetbench.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/integration/work.h"

namespace {

// --- Threads ---

void Alone() { Steps(300'000); }

void Starts() {
  std::thread thread([] { Steps(300'000); });
  Steps(300'000);
  thread.join();
}

// The same, with its own name.
void Names() {
  std::thread thread([] {
    pthread_setname_np(pthread_self(), "worker");
    Steps(300'000);
  });
  Steps(300'000);
  thread.join();
}

// A thread for as long as the variant lives.
void Keeps(duetbench::State& state) {
  std::atomic<bool> ends{false};
  std::thread thread([&ends] {
    while (!ends.load()) std::this_thread::yield();
  });
  for (auto _ : state) Steps(300'000);
  ends.store(true);
  thread.join();
}

// --- The first iteration in each process takes longer than all of the measuring time ---

int Table() {
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  return 1;
}

int Lookup(int count) {
  static const int table = Table();
  int sum = table;
  for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(sum += i);
  return sum;
}

int LazyOld() { return Lookup(1000); }
int LazyNew() { return Lookup(2000); }
// --- Both variants work through the same input, again and again; a pass takes 20 ms. New takes
// three times as long in the last 60 % of each pass, so that a run of 8 ms sees no difference ---

constexpr int64_t kPass = 70'000;
constexpr int64_t kSteps = 100;  // some 300 ns

int64_t Next(int64_t position) { return position + 1 < kPass ? position + 1 : 0; }

template <class State>
void Pass(State& state, int64_t later) {
  int64_t position = 0;
  for (auto _ : state) {
    Steps(5 * position < 2 * kPass ? kSteps : later);
    position = Next(position);
  }
}

void CalledOld(benchmark::State& state) { Pass(state, kSteps); }
void CalledNew(benchmark::State& state) { Pass(state, 3 * kSteps); }
DUET_BENCHMARK(CalledOld, CalledNew)->Name("called");

void Old(duetbench::State& state) { Pass(state, kSteps); }
void New(duetbench::State& state) { Pass(state, 3 * kSteps); }
DUET_BENCHMARK(Old, New)->Name("loop");

template <int64_t kLater>
void Function() {
  static int64_t position = 0;
  Steps(5 * position < 2 * kPass ? kSteps : kLater);
  position = Next(position);
}
DUET_BENCHMARK(Function<kSteps>, Function<3 * kSteps>)->Name("function");

// The inputs of each run are others.
void Drawn(duetbench::State& state) {
  state.SetLabel(std::to_string(state.seed()));
  for (auto _ : state) Steps(1000);
}
DUET_BENCHMARK(Drawn, Drawn)->Name("drawn");

}  // namespace

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Same", &Alone, &Alone);
  duetbench::RegisterDuet("Starts", &Alone, &Starts);
  duetbench::RegisterDuet("Names", &Alone, &Names);
  duetbench::RegisterDuet("Keeps", &Keeps, &Alone);
  duetbench::RegisterDuet("All", &Alone, &Alone)->CpusPerVariant(duetbench::kAllCpus);
  duetbench::RegisterDuet("Lazy", &LazyOld, &LazyNew);
  return duetbench::Main(argc, argv);
}
