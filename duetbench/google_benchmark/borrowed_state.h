#ifndef DUETBENCH_GOOGLE_BENCHMARK_BORROWED_STATE_H_
#define DUETBENCH_GOOGLE_BENCHMARK_BORROWED_STATE_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace duetbench {

// Calls `call` with a State of Google Benchmark that has the arguments `ranges`, for callbacks and
// fixtures that take one. Only Google Benchmark can construct a State: so this registers a
// benchmark of one iteration and lets Google Benchmark run it, without a report. It sets flags of
// Google Benchmark and takes its memory manager away: no benchmarks are to be run with it later.
void CallWithBorrowedState(const std::vector<int64_t>& ranges,
                           const std::function<void(const benchmark::State&)>& call);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_BORROWED_STATE_H_
