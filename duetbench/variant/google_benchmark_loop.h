#ifndef DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LOOP_H_
#define DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LOOP_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "duetbench/variant/state.h"

// Functions of benchmark::State& as variants.
//
// Google Benchmark's loop is inlined in the function and never calls back between iterations. But
// it begins and ends in two ordinary functions, State::StartKeepRunning and
// State::FinishKeepRunning. The linker's --wrap (tools/cmake/DuetbenchWrap.cmake) diverts the calls
// of these and of a few others of State to us. So the function is called once for each sample: its
// iterations are timed, what comes before and after them is not.
namespace duetbench {

// The options for the linker, for a message.
inline constexpr char kHowToWrap[] =
    "a function of benchmark::State& needs a program whose linker was given --wrap: link the "
    "target duetbench::duetbench or duetbench::main by CMake or Bazel, or take the options from "
    "`pkg-config --libs duetbench`";

namespace internal {

// Calls a function of benchmark::State&, `call(callable, …)`, for each sample of `state`, with
// copies of state.google_benchmark_state(). What the function reports through its State goes to
// `state`: counters (those that are divided by time or iterations are added up over the samples),
// the label, the size for a complexity, errors.
//
// The number of iterations is chosen so that what comes before and after the loop takes no more
// time than the loop, if a sample of kMaxLoopNs suffices for that; else it takes more, and is still
// not part of what is timed. Each call begins at the head of its input: the policy of the
// experiment compares such calls with long ones (policy.cc).
void LoopOverCalls(State& state, void (*call)(const void* callable, benchmark::State&),
                   const void* callable);
inline constexpr double kMaxLoopNs = 20e6;

// The diverted functions of a program call these: true if `state` belongs to a variant that this
// thread executes, and Google Benchmark is not to see the call.
bool TakeStart(benchmark::State& state);
bool TakeFinish(benchmark::State& state);
bool TakePause(benchmark::State& state);
bool TakeResume(benchmark::State& state);
bool TakeIterationTime(benchmark::State& state, double seconds);
bool TakeLabel(benchmark::State& state, const char* label);
// These notes are taken, and Google Benchmark is to see the call too: it marks the State.
void NoteError(benchmark::State& state, const char* message);
void NoteSkip(benchmark::State& state, const char* message);

// Called before main by a program whose calls are diverted.
bool SetWrapped();

// Access to private members of a State, for code between Google Benchmark and a function of another
// State: the arguments, and a way to add `count` iterations that it does not know of.
const std::vector<int64_t>& RangesOf(const benchmark::State& state);
void AddIterations(benchmark::State& state, int64_t count);

}  // namespace internal
}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LOOP_H_
