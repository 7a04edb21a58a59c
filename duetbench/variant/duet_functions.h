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

// The variants of a duet or of a group, and what surrounds them in a run.
struct DuetFunctions {
  // 0 old, 1 new; of a group the base first.
  std::vector<std::shared_ptr<const Variant>> variants = {nullptr, nullptr};
  std::vector<int64_t> ranges;  // State::range
  std::string name = {};        // State::name
  // A State of Google Benchmark, for fixtures that are set up with one; may be null.
  const benchmark::State* google_benchmark_state = nullptr;
  ResultFunctions results = {};  // of the variants, for plan.check_equal; may be empty
  // Called by the thread that calls ExecutePart, before either variant and after both; may be null.
  std::function<void()> set_up = nullptr;
  std::function<void()> tear_down = nullptr;
  // Counts allocations of the whole process, of each variant in its turn; may be null.
  benchmark::MemoryManager* memory_manager = nullptr;
};

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_DUET_FUNCTIONS_H_
