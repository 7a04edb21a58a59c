#ifndef DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_FLAGS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_FLAGS_H_

#include <string>
#include <vector>

namespace duetbench {

// Sets flags of Google Benchmark, each as "--benchmark_NAME=VALUE", after its Initialize and over
// what it read there. The name of the program stays. Google Benchmark has no other way to set them
// from outside.
void SetGoogleBenchmarkFlags(std::vector<std::string> flags);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_FLAGS_H_
