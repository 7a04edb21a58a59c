#ifndef DUETBENCH_RUNNER_DUET_RUN_H_
#define DUETBENCH_RUNNER_DUET_RUN_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duetbench/runner/check_equal.h"
#include "duetbench/runner/plan.h"
#include "duetbench/runner/run_result.h"
#include "duetbench/runner/variant.h"

namespace duetbench {

// What is compared.
struct DuetFunctions {
  std::shared_ptr<const Variant> variants[2];  // 0 old, 1 new
  std::vector<int64_t> ranges;                 // State::range
  std::string name = {};                       // State::name
  // A State of Google Benchmark, for fixtures that are set up with one; may be null.
  const benchmark::State* library_state = nullptr;
  // Of functions without arguments, for plan.check_equal; null where the variants have a State.
  ResultCheck check_results = nullptr;
  // Called by the thread that calls ExecuteRun, before either variant and after both; may be null.
  std::function<void()> set_up = nullptr;
  std::function<void()> tear_down = nullptr;
  // Counts allocations of the whole process, of each variant in its turn; may be null.
  benchmark::MemoryManager* memory_manager = nullptr;
};

// Executes one run in this process: two fresh threads, one for each variant, while the calling
// thread sleeps. Whatever the variants do short of ending the process comes back as a result; what
// they throw or report becomes its error.
//
// With plan.check_equal nothing is measured: the result has an error if the variants differ.
//
// With plan.timeout_ns a run that takes longer comes back `stuck`, with an error that says what it
// is stuck in; its threads go on, and the caller must end the process.
RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions);

// The variant whose code the calling thread executes: 0, 1, or -1 outside of variants. Safe in
// signal handlers.
int VariantOfThisThread();

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_DUET_RUN_H_
