#ifndef DUETBENCH_REGISTRY_MACROS_H_
#define DUETBENCH_REGISTRY_MACROS_H_

#include "duetbench/registry/main.h"
#include "duetbench/registry/register_duet.h"

#define DUETBENCH_JOIN2(a, b) a##b
#define DUETBENCH_JOIN(a, b) DUETBENCH_JOIN2(a, b)

// Registers the comparison of two variants as the benchmark OLD_vs_NEW, before main:
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10);
//
// Lambdas, and templates with commas, go through duetbench::RegisterDuet.
#define DUET_BENCHMARK(old_variant, new_variant)                                                 \
  [[maybe_unused]] static ::duetbench::DuetBenchmark* const DUETBENCH_JOIN(duet_, __COUNTER__) = \
      ::duetbench::RegisterDuet(#old_variant "_vs_" #new_variant, old_variant, new_variant)

// The main of a program of benchmarks, in place of BENCHMARK_MAIN.
#define DUET_MAIN()                                                         \
  int main(int argc, char** argv) { return ::duetbench::Main(argc, argv); } \
  static_assert(true, "a semicolon follows")

#endif  // DUETBENCH_REGISTRY_MACROS_H_
