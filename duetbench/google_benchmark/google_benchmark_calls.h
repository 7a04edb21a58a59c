#ifndef DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/api/duet_benchmark.h"

// Calls of Google Benchmark's public functions.
namespace duetbench {

// Sets flags of Google Benchmark, each as "--benchmark_NAME=VALUE", after its Initialize and over
// what it read there. The name of the program stays. Google Benchmark has no other way to set them
// from outside.
void SetGoogleBenchmarkFlags(std::vector<std::string> flags);

// The names of the ordinary benchmarks that `filter` selects, each in a separate line. It sets
// flags of Google Benchmark: --benchmark_out is empty afterwards, and --benchmark_list_tests false.
std::string NamesOfOrdinaryBenchmarks(const std::string& filter);

// Calls `call` with a State of Google Benchmark that has the arguments `ranges`, for callbacks and
// fixtures that take one. Only Google Benchmark can construct a State: so this registers a
// benchmark of one iteration and lets Google Benchmark run it, without a report. It sets flags of
// Google Benchmark and takes its memory manager away: no benchmarks are to be run with it later.
void CallWithBorrowedState(const std::vector<int64_t>& ranges,
                           const std::function<void(const benchmark::State&)>& call);

}  // namespace duetbench

// Where the versions of Google Benchmark differ, 1.7.1 to 1.9.5, told apart by their types: there
// is no version macro. (BenchmarkBase, whose name differs too, and the private members are in
// variant/private_members.h.) Nothing else in this tree knows of versions.
namespace duetbench::internal {

// Takes a raw pointer, later a unique_ptr.
template <class Argument>
BenchmarkBase* RegisterWith(BenchmarkBase* (*register_benchmark)(Argument),
                            std::unique_ptr<BenchmarkBase> benchmark) {
  if constexpr (std::is_pointer_v<Argument>) {
    return register_benchmark(benchmark.release());
  } else {
    return register_benchmark(std::move(benchmark));
  }
}

// Run::error_occurred and error_message, later skipped and skip_message.
template <class Run, class = void>
inline constexpr bool kHasSkipped = false;
template <class Run>
inline constexpr bool kHasSkipped<Run, decltype(void(std::declval<Run>().skipped))> = true;

template <class Run>
bool HasError(const Run& run) {
  if constexpr (kHasSkipped<Run>) {
    return run.skipped == decltype(run.skipped)(2);  // SkippedWithError, not SkippedWithMessage
  } else {
    return run.error_occurred;
  }
}

// Makes `run` an error row, or the row of a benchmark that was skipped. Versions without `skipped`
// have only errors, which the latter is not: there the message becomes the label.
template <class Run>
void SetSkipped(Run& run, const std::string& message, bool is_error) {
  if constexpr (kHasSkipped<Run>) {
    run.skipped = decltype(run.skipped)(is_error ? 2 : 1);
    run.skip_message = message;
  } else if (is_error) {
    run.error_occurred = true;
    run.error_message = message;
  } else {
    run.report_label = "SKIPPED: '" + message + "'";
  }
}

// True if --benchmark_min_time takes "0.5s", and not only "0.5".
inline constexpr bool kReadsSeconds = kHasSkipped<benchmark::BenchmarkReporter::Run>;

// SkipWithMessage, which older versions have not: there a benchmark that is left out is an error.
template <class State>
void Skip(State& state, const std::string& message, bool is_error) {
  if constexpr (kReadsSeconds) {
    if (!is_error) return state.SkipWithMessage(message);
  }
  state.SkipWithError(message.c_str());
}

}  // namespace duetbench::internal

#endif  // DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_
