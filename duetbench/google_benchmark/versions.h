#ifndef DUETBENCH_GOOGLE_BENCHMARK_VERSIONS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_VERSIONS_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "duetbench/api/duet_benchmark.h"

// Where the versions of Google Benchmark differ, 1.7.1 to 1.9.5, told apart by their types: there
// is no version macro. (BenchmarkBase, whose name differs too, is in variant/benchmark_base.h, and
// the private members are in variant/private_members.h.) Nothing else in this tree knows of
// versions.
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
template <class Run>
auto HasError(const Run& run, int) -> decltype(run.error_occurred) {
  return run.error_occurred;
}
template <class Run>
auto HasError(const Run& run, long) -> decltype(run.skipped == decltype(run.skipped)(2)) {
  return run.skipped == decltype(run.skipped)(2);  // SkippedWithError, not SkippedWithMessage
}

// Makes `run` an error row.
template <class Run>
auto SetErrorOf(Run& run, const std::string& message, int) -> decltype(void(run.error_occurred)) {
  run.error_occurred = true;
  run.error_message = message;
}
template <class Run>
auto SetErrorOf(Run& run, const std::string& message, long) -> decltype(void(run.skipped)) {
  run.skipped = decltype(run.skipped)(2);
  run.skip_message = message;
}
template <class Run>
void SetError(Run& run, const std::string& message) {
  SetErrorOf(run, message, 0);
}

// Makes `run` the row of a benchmark that was skipped. Versions without `skipped` have only errors,
// which it is not: there the message becomes the label.
template <class Run>
auto SetSkipped(Run& run, const std::string& message, int)
    -> decltype(void(run.error_occurred = true)) {
  run.report_label = "SKIPPED: '" + message + "'";
}
template <class Run>
auto SetSkipped(Run& run, const std::string& message, long)
    -> decltype(void(run.skipped == decltype(run.skipped)(1))) {
  run.skipped = decltype(run.skipped)(1);
  run.skip_message = message;
}

// SkipWithMessage, which older versions have not: there a benchmark that is left out is an error.
template <class State>
auto SkipWithout(State& state, const std::string& message, int)
    -> decltype(state.SkipWithMessage(message)) {
  state.SkipWithMessage(message);
}
template <class State>
void SkipWithout(State& state, const std::string& message, long) {
  state.SkipWithError(message.c_str());
}
inline void Skip(benchmark::State& state, const std::string& message, bool is_error) {
  if (!is_error) return SkipWithout(state, message, 0);
  state.SkipWithError(message.c_str());
}

// True if --benchmark_min_time takes "0.5s", and not only "0.5": from the version on in which Run
// has `skipped`.
template <class Run, class = void>
inline constexpr bool kHasSkipped = false;
template <class Run>
inline constexpr bool kHasSkipped<Run, decltype(void(std::declval<Run>().skipped))> = true;
inline constexpr bool kReadsSeconds = kHasSkipped<benchmark::BenchmarkReporter::Run>;

}  // namespace duetbench::internal

#endif  // DUETBENCH_GOOGLE_BENCHMARK_VERSIONS_H_
