// Variants with their own threads, and without.
#include <duetbench/duetbench.h>
#include <pthread.h>

#include <atomic>
#include <thread>

#include "tests/integration/work.h"

static void Alone() { Steps(300'000); }

static void Starts() {
  std::thread thread([] { Steps(300'000); });
  Steps(300'000);
  thread.join();
}

// The same, with its own name.
static void Names() {
  std::thread thread([] {
    pthread_setname_np(pthread_self(), "worker");
    Steps(300'000);
  });
  Steps(300'000);
  thread.join();
}

// A thread for as long as the variant lives.
static void Keeps(duetbench::State& state) {
  std::atomic<bool> ends{false};
  std::thread thread([&ends] {
    while (!ends.load()) std::this_thread::yield();
  });
  for (auto _ : state) Steps(300'000);
  ends.store(true);
  thread.join();
}

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Same", &Alone, &Alone);
  duetbench::RegisterDuet("Starts", &Alone, &Starts);
  duetbench::RegisterDuet("Names", &Alone, &Names);
  duetbench::RegisterDuet("Keeps", &Keeps, &Alone);
  duetbench::RegisterDuet("All", &Alone, &Alone)->CpusPerVariant(duetbench::kAllCpus);
  return duetbench::Main(argc, argv);
}
