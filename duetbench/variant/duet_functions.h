#ifndef DUETBENCH_VARIANT_DUET_FUNCTIONS_H_
#define DUETBENCH_VARIANT_DUET_FUNCTIONS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duetbench/variant/check_equal.h"
#include "duetbench/variant/variant.h"

namespace duetbench {

// The two variants of a duet, and what surrounds them in a run.
struct DuetFunctions {
  std::shared_ptr<const Variant> variants[2];  // 0 old, 1 new
  std::vector<int64_t> ranges;                 // State::range
  std::string name = {};                       // State::name
  // A State of Google Benchmark, for fixtures that are set up with one; may be null.
  const benchmark::State* google_benchmark_state = nullptr;
  // For plan.check_equal; of the variants, or of `group`.
  ResultFunctions results = {};
  ResultFunctions results_of_group = {};
  // Called by the thread that calls ExecutePart, before either variant and after both; may be null.
  std::function<void()> set_up = nullptr;
  std::function<void()> tear_down = nullptr;
  // Counts allocations of the whole process, of each variant in its turn; may be null.
  benchmark::MemoryManager* memory_manager = nullptr;
  // All variants of a group, of which `variants` are a pair; empty: there are no others.
  std::vector<std::shared_ptr<const Variant>> group = {};
};

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_DUET_FUNCTIONS_H_
