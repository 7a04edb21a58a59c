// A main of the user's own, with an argument of its own and something to do before and after.
#include <duetbench/duetbench.h>

#include <cstdio>
#include <cstring>

#include "tests/integration/work.h"

// Notes where its code is.
static void Old(duetbench::State& state) {
  char where[40];
  std::snprintf(where, sizeof(where), "%p", reinterpret_cast<void*>(&Old));
  Note(where);
  for (auto _ : state) Steps(100);
}

int main(int argc, char** argv) {
  std::printf("before\n");
  duetbench::Initialize(&argc, argv);
  int64_t steps = 10;
  if (argc == 2 && std::strncmp(argv[1], "--steps=", 8) == 0) {
    steps = std::atoll(argv[1] + 8);
    argc = 1;
  }
  if (duetbench::ReportUnrecognizedArguments(argc, argv)) return duetbench::kExitError;
  duetbench::RegisterDuet("own", Old, [steps] { Steps(steps); });
  const int status = duetbench::RunSpecifiedBenchmarks();
  std::printf("after\n");
  return status;
}
