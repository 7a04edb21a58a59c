#ifndef DUETBENCH_REGISTRY_REGISTER_DUET_H_
#define DUETBENCH_REGISTRY_REGISTER_DUET_H_

#include <memory>
#include <string>
#include <utility>

#include "duetbench/registry/duet_benchmark.h"
#include "duetbench/runner/check_equal.h"
#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/variant.h"

namespace duetbench {
namespace internal {

DuetBenchmark* RegisterFunctions(const std::string& name, DuetFunctions functions,
                                 Location location);

template <class Old, class New>
DuetFunctions MakeFunctions(Old old_callable, New new_callable) {
  const auto old_variant = MakeVariant(std::move(old_callable));
  const auto new_variant = MakeVariant(std::move(new_callable));
  DuetFunctions functions;
  functions.variants[0] = old_variant;
  functions.variants[1] = new_variant;
  functions.check_results = MakeResultCheck(old_variant, new_variant);
  return functions;
}

// Lets a function template (or an overloaded function) be named where a variant is wanted: the
// instance that takes a State is meant.
using StateFunction = void(State&);

}  // namespace internal

// Registers the comparison of two variants under `name` and returns it for chaining. A variant is
// callable with duetbench::State& (and has its own loop), or with nothing (and is looped, its
// result kept alive). Call it before RunSpecifiedBenchmarks, in every process in the same order.
//
//   duetbench::RegisterDuet("sum", [&] { return SumOld(data); }, [&] { return SumNew(data); });
template <class Old, class New>
DuetBenchmark* RegisterDuet(const std::string& name, Old old_variant, New new_variant,
                            Location location = Location::Here()) {
  return internal::RegisterFunctions(
      name, internal::MakeFunctions(std::move(old_variant), std::move(new_variant)), location);
}
inline DuetBenchmark* RegisterDuet(const std::string& name, internal::StateFunction* old_variant,
                                   internal::StateFunction* new_variant,
                                   Location location = Location::Here()) {
  return internal::RegisterFunctions(name, internal::MakeFunctions(old_variant, new_variant),
                                     location);
}

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_REGISTER_DUET_H_
