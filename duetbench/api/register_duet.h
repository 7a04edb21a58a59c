#ifndef DUETBENCH_API_REGISTER_DUET_H_
#define DUETBENCH_API_REGISTER_DUET_H_

#include <cstddef>
#include <initializer_list>
#include <string>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/variant/check_equal.h"
#include "duetbench/variant/variant.h"

namespace duetbench {
namespace internal {

// Adds a duet of two variants to those of this program; `uses_fixture`: they are set up with a
// State of Google Benchmark.
DuetBenchmark* AddDuet(const std::string& name, const AnyVariant& old_variant,
                       const AnyVariant& new_variant, Location location, bool uses_fixture = false);

// A variant with its name, of a list of them.
struct NamedVariant {
  const char* name;
  AnyVariant variant;
};

// Adds `count` variants, two to eight, whose duets are called PREFIX BASE_vs_VARIANT SUFFIX,
// without the spaces. `uses_fixture` as in AddDuet.
DuetBenchmark* AddList(const char* prefix, const char* suffix, const NamedVariant* variants,
                       size_t count, Location location, bool uses_fixture = false);

// Adds an ordinary benchmark whose function another program has too.
BenchmarkBase* AddSide(const std::string& name, const AnyVariant& variant, Location location);

// The macros call this: AddSide for one variant, else AddList.
template <size_t count>
auto AddVariants(const char* prefix, const char* suffix, const NamedVariant (&variants)[count],
                 Location location = Location::Here()) {
  if constexpr (count == 1) {
    return AddSide(std::string(prefix) + variants[0].name + suffix, variants[0].variant, location);
  } else {
    return AddList(prefix, suffix, variants, count, location);
  }
}

}  // namespace internal

// Registers the comparison of two variants under `name` and returns it for chaining. A variant is
// callable with duetbench::State& (and has its own loop), with nothing (and is looped, its result
// kept alive), or with benchmark::State& (and is called once for each sample). Call it before
// RunSpecifiedBenchmarks, in every process in the same order.
//
//   duetbench::RegisterDuet("sum", [&] { return SumOld(data); }, [&] { return SumNew(data); });
inline DuetBenchmark* RegisterDuet(const std::string& name, const AnyVariant& old_variant,
                                   const AnyVariant& new_variant,
                                   Location location = Location::Here()) {
  return internal::AddDuet(name, old_variant, new_variant, location);
}

// Registers two to eight variants, which are measured together: each is compared with the first
// one, the base, as the duet NAME/BASE_vs_VARIANT. The runs of more than two execute all variants
// in turns on one CPU, so the samples of the base serve all comparisons, whose intervals hold
// together with the level. The report says which variant is the fastest, and ->Fastest demands it.
// Settings and gates of the chain are those of each duet. A name that is there before gets its
// number: "map#3".
//
//   duetbench::RegisterDuet("find", {{"map", FindInMap}, {"btree", FindInBTree}, {"flat",
//   FindFlat}})
//       ->Range(64, 64 << 10);
inline DuetBenchmark* RegisterDuet(const std::string& name,
                                   std::initializer_list<internal::NamedVariant> variants,
                                   Location location = Location::Here()) {
  return internal::AddList((name + "/").c_str(), "", variants.begin(), variants.size(), location);
}

// Registers one variant, for the comparison of two programs that both have it (`duet OLD NEW`):
// there the two meet in every sample. Alone it is an ordinary benchmark, which Google Benchmark
// measures and reports, also by its own main. Returns that benchmark, for chaining: its methods are
// those of Google Benchmark. Only a function of benchmark::State& can have several threads.
inline internal::BenchmarkBase* RegisterDuet(const std::string& name, const AnyVariant& variant,
                                             Location location = Location::Here()) {
  return internal::AddSide(name, variant, location);
}

}  // namespace duetbench

#endif  // DUETBENCH_API_REGISTER_DUET_H_
