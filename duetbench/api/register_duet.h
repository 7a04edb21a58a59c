#ifndef DUETBENCH_API_REGISTER_DUET_H_
#define DUETBENCH_API_REGISTER_DUET_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/variant/check_equal.h"
#include "duetbench/variant/variant.h"

namespace duetbench {
namespace internal {

// Adds a duet to those of this program; `uses_fixture`: the variants are set up with a State of
// Google Benchmark.
DuetBenchmark* AddDuet(const std::string& name, std::shared_ptr<const Variant> old_variant,
                       std::shared_ptr<const Variant> new_variant,
                       std::shared_ptr<const ResultCheck> check, Location location,
                       bool uses_fixture);

// A variant with its name, of a list of them.
struct NamedVariant {
  template <class Callable>
  NamedVariant(const char* its_name, Callable callable) : name(its_name) {
    Set(MakeVariant(std::move(callable)));
  }
  NamedVariant(const char* its_name, void (*function)(State&)) : name(its_name) {
    Set(MakeVariant(function));
  }

  std::string name;
  std::shared_ptr<const Variant> variant;
  std::shared_ptr<const ResultFunction> result;  // null: it has a State

 private:
  template <class Made>
  void Set(const std::shared_ptr<Made>& made) {
    variant = made;
    result = MakeResultFunction(made);
  }
};

// Adds three to eight variants, whose duets are called PREFIX BASE_vs_VARIANT SUFFIX, without the
// spaces. `uses_fixture` as in AddDuet.
DuetBenchmark* AddGroup(const std::string& prefix, const std::string& suffix,
                        const std::vector<NamedVariant>& variants, Location location,
                        bool uses_fixture = false);

// Adds an ordinary benchmark whose function another program has too.
BenchmarkBase* AddSide(const std::string& name, std::shared_ptr<const Variant> variant,
                       Location location);

template <class Old, class New>
DuetBenchmark* MakeDuet(const std::string& name, Old old_callable, New new_callable,
                        Location location, bool uses_fixture = false) {
  const auto old_variant = MakeVariant(std::move(old_callable));
  const auto new_variant = MakeVariant(std::move(new_callable));
  const bool is_called =
      old_variant->is_called_for_each_sample() || new_variant->is_called_for_each_sample();
  return AddDuet(name, old_variant, new_variant, MakeResultCheck(old_variant, new_variant),
                 location, uses_fixture || is_called);
}

// Lets a function template (or an overloaded function) be named where a variant is wanted: the
// instance that takes a State is meant.
using StateFunction = void(State&);

}  // namespace internal

// Registers the comparison of two variants under `name` and returns it for chaining. A variant is
// callable with duetbench::State& (and has its own loop), with nothing (and is looped, its result
// kept alive), or with benchmark::State& (and is called once for each sample). Call it before
// RunSpecifiedBenchmarks, in every process in the same order.
//
//   duetbench::RegisterDuet("sum", [&] { return SumOld(data); }, [&] { return SumNew(data); });
template <class Old, class New>
DuetBenchmark* RegisterDuet(const std::string& name, Old old_variant, New new_variant,
                            Location location = Location::Here()) {
  return internal::MakeDuet(name, std::move(old_variant), std::move(new_variant), location);
}
inline DuetBenchmark* RegisterDuet(const std::string& name, internal::StateFunction* old_variant,
                                   internal::StateFunction* new_variant,
                                   Location location = Location::Here()) {
  return internal::MakeDuet(name, old_variant, new_variant, location);
}

// Registers three to eight variants, which are measured together: each is compared with the first
// one, the base, as the duet NAME/BASE_vs_VARIANT. The runs execute all variants in turns on one
// CPU, so the samples of the base serve all comparisons, whose intervals hold together with the
// level. The report says which variant is the fastest, and ->Fastest demands it. Settings and gates
// of the chain are those of each duet. A name that is there before gets its number: "map#3".
//
//   duetbench::RegisterDuet("find", {{"map", FindInMap}, {"btree", FindInBTree}, {"flat",
//   FindFlat}})
//       ->Range(64, 64 << 10);
inline DuetBenchmark* RegisterDuet(const std::string& name,
                                   std::initializer_list<internal::NamedVariant> variants,
                                   Location location = Location::Here()) {
  return internal::AddGroup(name + "/", "", variants, location);
}

// Registers one variant, for the comparison of two programs that both have it (`duet OLD NEW`):
// there the two meet in every sample. Alone it is an ordinary benchmark, which Google Benchmark
// measures and reports, also by its own main. Returns that benchmark, for chaining: its methods are
// those of Google Benchmark. Only a function of benchmark::State& can have several threads.
template <class Callable>
internal::BenchmarkBase* RegisterDuet(const std::string& name, Callable variant,
                                      Location location = Location::Here()) {
  return internal::AddSide(name, MakeVariant(std::move(variant)), location);
}
inline internal::BenchmarkBase* RegisterDuet(const std::string& name,
                                             internal::StateFunction* variant,
                                             Location location = Location::Here()) {
  return internal::AddSide(name, MakeVariant(variant), location);
}

}  // namespace duetbench

#endif  // DUETBENCH_API_REGISTER_DUET_H_
