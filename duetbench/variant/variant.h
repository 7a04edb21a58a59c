#ifndef DUETBENCH_VARIANT_VARIANT_H_
#define DUETBENCH_VARIANT_VARIANT_H_

#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "duetbench/variant/google_benchmark_loop.h"
#include "duetbench/variant/state.h"

namespace duetbench {

// One of the two functions of a duet, in whichever form it was written. Both are called through the
// same virtual function, and never inlined into duetbench.
class Variant {
 public:
  virtual ~Variant() = default;
  virtual void Run(State& state) const = 0;
  // The address of a plain function, to detect that both variants are the same; else null.
  virtual const void* address() const { return nullptr; }
  // It is a function of benchmark::State&, and called once for each sample.
  virtual bool is_called_for_each_sample() const { return false; }
  // Calls that function, as Google Benchmark does; of other variants it does nothing.
  virtual void Call(benchmark::State&) const {}
  // It is called through a function pointer in each iteration.
  virtual bool is_looped_pointer() const { return false; }
};

// The virtual table of a variant, which leads to the functions of its type: those of a lambda, say.
// An object begins with its address (Itanium C++ ABI).
inline const void* VirtualTableOf(const Variant& variant) {
  const void* table = nullptr;
  std::memcpy(&table, static_cast<const void*>(&variant), sizeof table);
  return table;
}

namespace internal {

// Replaces benchmark::DoNotOptimize for a result that must not be changed: since version 1.8 that
// is deprecated for constants, and it does not compile for a class with a constant member.
template <class Result>
__attribute__((always_inline)) inline void KeepConst(const Result& result) {
  if constexpr (std::is_trivially_copyable_v<Result> && sizeof(Result) <= sizeof(Result*)) {
    asm volatile("" : : "r,m"(result) : "memory");
  } else {
    asm volatile("" : : "m"(result) : "memory");
  }
}

// The one loop around functions without arguments. Not inlined and aligned: placed differently for
// the two variants, the loop itself made identical functions differ by up to 0.9 %.
template <class Callable>
__attribute__((noinline, aligned(64))) void Loop(State& state, const Callable& call) {
  for (auto _ : state) {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      benchmark::ClobberMemory();
    } else {
      auto&& result = call();
      using Result = std::remove_reference_t<decltype(result)>;
      if constexpr (std::is_const_v<Result> || !std::is_assignable_v<Result&, Result>) {
        KeepConst(result);
      } else {
        benchmark::DoNotOptimize(result);
      }
    }
  }
}

template <class Callable>
const void* AddressOf(const Callable& callable) {
  if constexpr (std::is_pointer_v<Callable>) {
    return reinterpret_cast<const void*>(callable);
  } else {
    (void)callable;
    return nullptr;
  }
}

// A callable that has its own loop.
template <class Callable>
class StateVariant final : public Variant {
 public:
  explicit StateVariant(Callable callable) : callable_(std::move(callable)) {}
  void Run(State& state) const override { callable_(state); }
  const void* address() const override { return AddressOf(callable_); }

 private:
  Callable callable_;
};

// A callable without arguments, which is looped; its result is kept alive.
template <class Callable>
class LoopedVariant final : public Variant {
 public:
  explicit LoopedVariant(Callable function) : callable_(std::move(function)) {}
  void Run(State& state) const override { Loop(state, callable_); }
  bool is_looped_pointer() const override { return std::is_pointer_v<Callable>; }
  const void* address() const override { return AddressOf(callable_); }
  const Callable& callable() const { return callable_; }

 private:
  Callable callable_;
};

// A function of Google Benchmark's State: called once for each sample.
template <class Callable>
class CalledVariant final : public Variant {
 public:
  explicit CalledVariant(Callable callable) : callable_(std::move(callable)) {}
  void Run(State& state) const override {
    LoopOverCalls(
        state,
        [](const void* callable, benchmark::State& call_state) {
          (*static_cast<const Callable*>(callable))(call_state);
        },
        &callable_);
  }
  const void* address() const override { return AddressOf(callable_); }
  bool is_called_for_each_sample() const override { return true; }
  void Call(benchmark::State& state) const override { callable_(state); }

 private:
  Callable callable_;
};

template <class>
inline constexpr bool kAlwaysFalse = false;

}  // namespace internal

// A variant is callable (as const) with State&, with nothing, or with benchmark::State&. Returns a
// shared pointer to a constant internal::StateVariant, LoopedVariant or CalledVariant.
//
// A function of benchmark::State& is called once for each sample: both variants meet where their
// loops begin, and set-up is not timed, but repeated. One of duetbench::State&, or a generic one,
// is set up once in a run.
template <class Callable>
auto MakeVariant(Callable callable) {
  using Function = std::decay_t<Callable>;
  if constexpr (std::is_invocable_v<const Function&, State&>) {
    using Made = const internal::StateVariant<Function>;
    return std::shared_ptr<Made>(new Made(std::move(callable)));
  } else if constexpr (std::is_invocable_v<const Function&>) {
    using Made = const internal::LoopedVariant<Function>;
    return std::shared_ptr<Made>(new Made(std::move(callable)));
  } else if constexpr (std::is_invocable_v<const Function&, benchmark::State&>) {
    using Made = const internal::CalledVariant<Function>;
    return std::shared_ptr<Made>(new Made(std::move(callable)));
  } else {
    static_assert(internal::kAlwaysFalse<Callable>,
                  "a variant takes a duetbench::State& and has a `for (auto _ : state)` loop, "
                  "or takes nothing and is looped");
  }
}

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_VARIANT_H_
