// Variants that work in the first runs and fail once the log has twenty lines.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/integration/work.h"

static int LinesOfLog() {
  const char* const path = std::getenv(kLogVariable);
  if (path == nullptr) return 0;
  std::ifstream log(path);
  std::string line;
  int lines = 0;
  while (std::getline(log, line)) ++lines;
  return lines;
}

static void Fine(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}

template <void (*DoIt)()>
static void Late(duetbench::State& state) {
  const bool is_late = LinesOfLog() >= 20;
  Note("late");
  for (auto _ : state) {
    Steps(50);
    if (is_late) DoIt();
  }
}
static void Crash() { raise(SIGSEGV); }
static void Hang() { sleep(1000); }

DUET_BENCHMARK(Fine, Fine)->Name("first");
DUET_BENCHMARK(Fine, Late<Crash>)->Name("crashes");
DUET_BENCHMARK(Fine, Late<Hang>)->Name("hangs");
DUET_BENCHMARK(Fine, Fine)->Name("last");

DUET_MAIN();
