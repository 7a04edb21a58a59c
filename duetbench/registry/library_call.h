#ifndef DUETBENCH_REGISTRY_LIBRARY_CALL_H_
#define DUETBENCH_REGISTRY_LIBRARY_CALL_H_

#include <cstdint>

namespace duetbench {

// What Google Benchmark calls a benchmark for. It does not say so; but after a repetition it calls
// once more where a MemoryManager is registered, for as many iterations as it measured with, at
// most 16, and an experiment then would be one for nothing. So that this call can be told, the
// first one, for one iteration, is answered by making a few, at once: the library, far from its
// min_time, asks for ten times as many, and that call is the one that measures. All repetitions
// have its number of iterations.
enum class LibraryCall { kMeasure, kGrow, kMemory };

// How many iterations the first call makes. Ten times as many are more than 16.
inline constexpr int64_t kGrowIterations = 100;

// `grows`: the library asks for more iterations until it has measured for long enough, which is not
// so with a number of iterations that is given, in a dry run, and for a min_time that a few
// iterations may reach.
inline LibraryCall KindOfCall(int64_t iterations, bool grows) {
  constexpr int64_t kMostForMemory = 16;
  if (!grows || iterations > kMostForMemory) return LibraryCall::kMeasure;
  return iterations == 1 ? LibraryCall::kGrow : LibraryCall::kMemory;
}

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_LIBRARY_CALL_H_
