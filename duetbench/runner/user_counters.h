#ifndef DUETBENCH_RUNNER_USER_COUNTERS_H_
#define DUETBENCH_RUNNER_USER_COUNTERS_H_

#include <benchmark/benchmark.h>

#include <vector>

#include "duetbench/runner/run_result.h"

namespace duetbench {

// What a variant set in state.counters, as Google Benchmark reports it: rates per second of the
// time measured, averages per operation, inverses.
std::vector<CounterValue> FinishCounters(const benchmark::UserCounters& counters, double operations,
                                         double seconds);

// The same as the variant set them.
std::vector<CounterValue> RawCounters(const benchmark::UserCounters& counters);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_USER_COUNTERS_H_
