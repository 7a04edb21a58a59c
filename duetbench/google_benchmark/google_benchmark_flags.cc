#include "duetbench/google_benchmark/google_benchmark_flags.h"

#include <benchmark/benchmark.h>

namespace duetbench {

void SetGoogleBenchmarkFlags(std::vector<std::string> flags) {
  // Initialize keeps the pointer to the name.
  const char* const program = benchmark::BenchmarkReporter::Context::executable_name;
  static char unknown[] = "unknown";
  std::vector<char*> argv = {program != nullptr ? const_cast<char*>(program) : unknown};
  for (std::string& flag : flags) argv.push_back(flag.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

}  // namespace duetbench
