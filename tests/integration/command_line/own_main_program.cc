// A user's main, with its own arguments and something to do before and after.
#include <duetbench/duetbench.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "tests/integration/work.h"

// Notes where its code is.
static void Old(duetbench::State& state) {
  char where[40];
  std::snprintf(where, sizeof(where), "%p", reinterpret_cast<void*>(&Old));
  Note(where);
  for (auto _ : state) Steps(100);
}

// Shows names and times in its own way.
class Names : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::printf("row %s %s\n", run.benchmark_name().c_str(),
                  run.GetAdjustedRealTime() > 0 ? "has a time" : "has none");
    }
  }
};

int main(int argc, char** argv) {
  std::printf("before\n");
  duetbench::Initialize(&argc, argv);
  int64_t steps = 10;
  if (argc == 2 && std::strncmp(argv[1], "--steps=", 8) == 0) {
    steps = std::atoll(argv[1] + 8);
    argc = 1;
  }
  const bool has_own_reporter = argc == 2 && std::strcmp(argv[1], "--own_reporter") == 0;
  if (has_own_reporter) argc = 1;
  if (duetbench::ReportUnrecognizedArguments(argc, argv)) return duetbench::kExitError;
  duetbench::RegisterDuet("own", Old, [steps] { Steps(steps); });
  duetbench::RegisterDuet("other", Old, Old);
  Names names;
  const int status = has_own_reporter ? duetbench::RunSpecifiedBenchmarks(&names, "own")
                                      : duetbench::RunSpecifiedBenchmarks("own");
  std::printf("after\n");
  return status;
}
