#ifndef DUETBENCH_VARIANT_PRIVATE_MEMBERS_H_
#define DUETBENCH_VARIANT_PRIVATE_MEMBERS_H_

#include <benchmark/benchmark.h>

#include <new>
#include <type_traits>
#include <utility>

// All that this tree takes of Google Benchmark's private parts, versions 1.7.1 to 1.9.5. An
// explicit instantiation may name a private member (C++17, [temp.explicit]/12):
// `object.*MemberOf(CLASS_member())` is the member of an object.
//
// If a later version moves one:
// - A member with another name or of another class does not compile: the error names it below. One
//   of another type does not compile where it is used.
// - A function of wrapped_symbols.txt with another name is never diverted: each run ends with the
//   error "it returned without a loop".
// - A member with another meaning makes tests/integration/duets/wrapped_test.cc and chains_test.cc
// fail.
namespace duetbench::internal {

// benchmark::internal::Benchmark, later benchmark::Benchmark.
using BenchmarkBase = std::remove_pointer_t<decltype(benchmark::RegisterBenchmark(
    std::declval<const char*>(), std::declval<void (*)(benchmark::State&)>()))>;

namespace {

// Defines the friend function that returns the pointer to the member.
template <class Tag, auto member>
struct ExposedMember {
  friend constexpr auto MemberOf(Tag) { return member; }
};

// each(PREFIX, class, member) of all members.
//
// Those of State are written, since a function of benchmark::State& is called for each sample with
// a copy of a State, and the diverted functions do to it what State::StartKeepRunning and
// State::FinishKeepRunning would. total_iterations_ is read too (0 after KeepRunning), as are
// batch_leftover_ (iterations too many) and range_ (no function returns all arguments).
//
// Those of BenchmarkBase are read, since no functions return what was set, and a duet is to have
// the settings of the benchmark that it replaces.
#define DUETBENCH_PRIVATE_MEMBERS(each)                      \
  each(State, benchmark::State, started_);                   \
  each(State, benchmark::State, finished_);                  \
  each(State, benchmark::State, total_iterations_);          \
  each(State, benchmark::State, batch_leftover_);            \
  each(State, benchmark::State, range_);                     \
  each(Benchmark, BenchmarkBase, name_);                     \
  each(Benchmark, BenchmarkBase, arg_names_);                \
  each(Benchmark, BenchmarkBase, args_);                     \
  each(Benchmark, BenchmarkBase, time_unit_);                \
  each(Benchmark, BenchmarkBase, use_default_time_unit_);    \
  each(Benchmark, BenchmarkBase, min_time_);                 \
  each(Benchmark, BenchmarkBase, min_warmup_time_);          \
  each(Benchmark, BenchmarkBase, iterations_);               \
  each(Benchmark, BenchmarkBase, repetitions_);              \
  each(Benchmark, BenchmarkBase, measure_process_cpu_time_); \
  each(Benchmark, BenchmarkBase, use_real_time_);            \
  each(Benchmark, BenchmarkBase, use_manual_time_);          \
  each(Benchmark, BenchmarkBase, thread_counts_);            \
  each(Benchmark, BenchmarkBase, setup_);                    \
  each(Benchmark, BenchmarkBase, teardown_);

#define DUETBENCH_EXPOSE(prefix, type, member)         \
  struct prefix##_##member {                           \
    friend constexpr auto MemberOf(prefix##_##member); \
  };                                                   \
  template struct ExposedMember<prefix##_##member, &type::member>
DUETBENCH_PRIVATE_MEMBERS(DUETBENCH_EXPOSE)
#undef DUETBENCH_EXPOSE

}  // namespace

// Makes `state` ask for `iterations`. They are a public member but constant, and only Google
// Benchmark can construct a State. So the member ends and another one takes its place, which
// [basic.life]/8 permits: the member is const, the State is not (P1971R0, a defect report against
// C++17 too).
inline void ReplaceMaxIterations(benchmark::State* state, benchmark::IterationCount iterations) {
  using Member = decltype(state->max_iterations);
  static_assert(std::is_trivially_destructible_v<Member>);
  ::new (const_cast<void*>(static_cast<const void*>(&state->max_iterations))) Member(iterations);
}

}  // namespace duetbench::internal

#endif  // DUETBENCH_VARIANT_PRIVATE_MEMBERS_H_
