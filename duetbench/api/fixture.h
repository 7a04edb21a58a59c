#ifndef DUETBENCH_API_FIXTURE_H_
#define DUETBENCH_API_FIXTURE_H_

#include <benchmark/benchmark.h>

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/api/register_duet.h"
#include "duetbench/variant/state.h"
#include "duetbench/variant/variant.h"

namespace duetbench {
namespace internal {

// benchmark::Fixture is abstract: BENCHMARK_F derives a class for each method.
template <class Fixture>
class ConcreteFixture final : public Fixture {
  void BenchmarkCase(benchmark::State&) override {}
};

template <class Fixture>
using Instantiable = std::conditional_t<std::is_base_of_v<benchmark::Fixture, Fixture>,
                                        ConcreteFixture<Fixture>, Fixture>;

// Calls SetUp or TearDown of a benchmark::Fixture with a copy of Google Benchmark's State for this
// benchmark, which has its arguments. Errors and counters that it sets are copied to `state`.
template <class Call>
void CallWithGoogleBenchmarkState(State& state, const char* name, const Call& call) {
  if (state.google_benchmark_state() == nullptr) {
    state.SkipWithError(std::string(name) + " needs the State of a registered benchmark");
    return;
  }
  benchmark::State copy = *state.google_benchmark_state();
  call(copy);
  if (copy.error_occurred()) state.SkipWithError(std::string(name) + " reported an error");
  for (const auto& [key, counter] : copy.counters) state.counters[key] = counter;
}

// SetUp(duetbench::State&), of benchmark::Fixture SetUp(benchmark::State&) (const or not), SetUp(),
// or none; `call` calls the one that takes its arguments. TearDown alike.
template <class Fixture, class Call>
void CallIfThere(Fixture& fixture, State& state, const char* name, const Call& call) {
  if constexpr (std::is_invocable_v<const Call&, Fixture&, State&>) {
    call(fixture, state);
  } else if constexpr (std::is_base_of_v<benchmark::Fixture, Fixture>) {
    CallWithGoogleBenchmarkState(state, name, [&](benchmark::State& own) {
      call(static_cast<benchmark::Fixture&>(fixture), own);
    });
  } else if constexpr (std::is_invocable_v<const Call&, Fixture&>) {
    call(fixture);
  }
}

// std::invoke, without <functional>.
template <class Method, class Fixture, class... Arguments>
decltype(auto) CallMethod(const Method& method, Fixture& fixture, Arguments&... arguments) {
  if constexpr (std::is_member_function_pointer_v<Method>) {
    return (fixture.*method)(arguments...);
  } else {
    return method(fixture, arguments...);
  }
}

// A variant that sets up a fixture, calls `method` with it, and tears it down.
template <class Fixture, class Method>
auto WithFixture(Method method) {
  return [method = std::move(method)](State& state) {
    Instantiable<Fixture> fixture;
    CallIfThere<Fixture>(
        fixture, state, "SetUp",
        [](auto& its, auto&... with) -> decltype(void(its.SetUp(with...))) { its.SetUp(with...); });
    if constexpr (std::is_invocable_v<const Method&, Fixture&, State&>) {
      CallMethod(method, static_cast<Fixture&>(fixture), state);
    } else if constexpr (std::is_invocable_v<const Method&, Fixture&>) {
      Loop(state,
           [&]() -> decltype(auto) { return CallMethod(method, static_cast<Fixture&>(fixture)); });
    } else {
      static_assert(kAlwaysFalse<Method>,
                    "a method of a fixture is public, and takes a duetbench::State& (and has its "
                    "own loop) or nothing (and is looped)");
    }
    CallIfThere<Fixture>(fixture, state, "TearDown",
                         [](auto& its, auto&... with) -> decltype(void(its.TearDown(with...))) {
                           its.TearDown(with...);
                         });
  };
}

// A method of a fixture with its name, of a list of them.
template <class Fixture>
struct NamedMethod {
  template <class Method>
  NamedMethod(const char* its_name, Method method)
      : variant{its_name, WithFixture<Fixture>(std::move(method))} {}

  NamedVariant variant;
};

}  // namespace internal

// Registers the comparison of two methods of a fixture. Each variant has its own fixture,
// constructed, set up, torn down and destroyed whenever the variant is; none of it is timed.
// Fixture is a class derived from benchmark::Fixture, unchanged, or any class that can be default-
// constructed, with a SetUp and a TearDown if it likes: they are public and take a
// duetbench::State& or nothing. The methods are callable as method(fixture, state), state being a
// duetbench::State, or as method(fixture), which is then looped:
//
//   RegisterDuetFixture<Maps>(
//       "Maps/find", [](Maps& maps, State& state) { for (auto _ : state) maps.FindOld(); },
//       [](Maps& maps) { return maps.FindNew(); });
template <class Fixture, class Old, class New>
DuetBenchmark* RegisterDuetFixture(const std::string& name, Old old_method, New new_method,
                                   Location location = Location::Here()) {
  return internal::AddDuet(name, internal::WithFixture<Fixture>(std::move(old_method)),
                           internal::WithFixture<Fixture>(std::move(new_method)), location,
                           std::is_base_of_v<benchmark::Fixture, Fixture>);
}

// Registers two to eight methods of a fixture, as the duets NAME/BASE_vs_METHOD (RegisterDuet):
//
//   RegisterDuetFixture<Maps>(
//       "Maps", {{"map", [](Maps& maps) { return maps.FindInMap(); }}, …});
template <class Fixture>
DuetBenchmark* RegisterDuetFixture(const std::string& name,
                                   std::initializer_list<internal::NamedMethod<Fixture>> methods,
                                   Location location = Location::Here()) {
  std::vector<internal::NamedVariant> variants;
  for (const internal::NamedMethod<Fixture>& method : methods) variants.push_back(method.variant);
  return internal::AddList((name + "/").c_str(), "", variants.data(), variants.size(), location,
                           std::is_base_of_v<benchmark::Fixture, Fixture>);
}

}  // namespace duetbench

#endif  // DUETBENCH_API_FIXTURE_H_
