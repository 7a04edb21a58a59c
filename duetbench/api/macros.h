#ifndef DUETBENCH_API_MACROS_H_
#define DUETBENCH_API_MACROS_H_

#include "duetbench/api/fixture.h"
#include "duetbench/api/main.h"
#include "duetbench/api/register_duet.h"

#define DUETBENCH_JOIN2(a, b) a##b
#define DUETBENCH_JOIN(a, b) DUETBENCH_JOIN2(a, b)

// The macros for benchmarks begin with this: each has a separate variable.
#define DUETBENCH_DUET [[maybe_unused]] static auto* const DUETBENCH_JOIN(duet_, __COUNTER__)

// Registers the comparison of two variants as the benchmark OLD_vs_NEW, before main:
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10);
//
// With three to eight variants, measures them together and compares each with the first one, as the
// benchmarks BASE_vs_VARIANT (register_duet.h):
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap, BM_FlatMap)->Range(64, 64 << 10)->Fastest("BM_FlatMap");
//
// With one variant, registers an ordinary benchmark that can be compared with the one of the same
// name in another build, by the tool duet (register_duet.h):
//
//   DUET_BENCHMARK(BM_BTreeMap)->Range(64, 64 << 10);
//
// Lambdas, and templates with commas, go through duetbench::RegisterDuet (register_duet.h).
#define DUET_BENCHMARK(...)                                                                        \
  DUETBENCH_NINTH_OF(__VA_ARGS__, DUETBENCH_BENCHMARK_OF_8, DUETBENCH_BENCHMARK_OF_7,              \
                     DUETBENCH_BENCHMARK_OF_6, DUETBENCH_BENCHMARK_OF_5, DUETBENCH_BENCHMARK_OF_4, \
                     DUETBENCH_BENCHMARK_OF_3, DUETBENCH_BENCHMARK_OF_TWO,                         \
                     DUETBENCH_BENCHMARK_OF_ONE, )                                                 \
  (__VA_ARGS__)
#define DUETBENCH_NINTH_OF(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define DUETBENCH_BENCHMARK_OF_ONE(variant) \
  DUETBENCH_DUET = ::duetbench::RegisterDuet(#variant, variant)
#define DUETBENCH_BENCHMARK_OF_TWO(old_variant, new_variant)                                \
  DUETBENCH_DUET =                                                                          \
      ::duetbench::RegisterDuet(#old_variant "_vs_" #new_variant, old_variant, new_variant) \
          ->VariantNames(#old_variant, #new_variant)
#define DUETBENCH_BENCHMARK_OF_3(...) DUETBENCH_GROUP(DUETBENCH_NAMED_3(__VA_ARGS__))
#define DUETBENCH_BENCHMARK_OF_4(...) DUETBENCH_GROUP(DUETBENCH_NAMED_4(__VA_ARGS__))
#define DUETBENCH_BENCHMARK_OF_5(...) DUETBENCH_GROUP(DUETBENCH_NAMED_5(__VA_ARGS__))
#define DUETBENCH_BENCHMARK_OF_6(...) DUETBENCH_GROUP(DUETBENCH_NAMED_6(__VA_ARGS__))
#define DUETBENCH_BENCHMARK_OF_7(...) DUETBENCH_GROUP(DUETBENCH_NAMED_7(__VA_ARGS__))
#define DUETBENCH_BENCHMARK_OF_8(...) DUETBENCH_GROUP(DUETBENCH_NAMED_8(__VA_ARGS__))
#define DUETBENCH_GROUP(...) \
  DUETBENCH_DUET =           \
      ::duetbench::internal::AddGroup("", "", {__VA_ARGS__}, ::duetbench::Location::Here())
#define DUETBENCH_NAMED_1(a) \
  { #a, a }
#define DUETBENCH_NAMED_2(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_1(__VA_ARGS__)
#define DUETBENCH_NAMED_3(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_2(__VA_ARGS__)
#define DUETBENCH_NAMED_4(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_3(__VA_ARGS__)
#define DUETBENCH_NAMED_5(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_4(__VA_ARGS__)
#define DUETBENCH_NAMED_6(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_5(__VA_ARGS__)
#define DUETBENCH_NAMED_7(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_6(__VA_ARGS__)
#define DUETBENCH_NAMED_8(a, ...) DUETBENCH_NAMED_1(a), DUETBENCH_NAMED_7(__VA_ARGS__)

// Variants with arguments after the State, as the benchmark OLD_vs_NEW/TEST_CASE_NAME. The
// arguments are evaluated whenever a variant is set up:
//
//   template <class... Args> void BM_Old(duetbench::State& state, Args&&... args) { … }
//   DUET_BENCHMARK_CAPTURE(BM_Old, BM_New, short_text, "abc", 3);
#define DUET_BENCHMARK_CAPTURE(old_variant, new_variant, test_case_name, ...)           \
  DUETBENCH_DUET =                                                                      \
      ::duetbench::RegisterDuet(                                                        \
          #old_variant "_vs_" #new_variant "/" #test_case_name,                         \
          [](::duetbench::State& duet_state) { old_variant(duet_state, __VA_ARGS__); }, \
          [](::duetbench::State& duet_state) { new_variant(duet_state, __VA_ARGS__); }) \
          ->VariantNames(#old_variant, #new_variant)

// The same instance of two templates, as the benchmark OLD_vs_NEW<ARGUMENTS>:
//
//   template <class T, int kSize> void BM_Old(duetbench::State& state) { … }
//   DUET_BENCHMARK_TEMPLATE(BM_Old, BM_New, int, 64)->Range(8, 64);
#define DUET_BENCHMARK_TEMPLATE(old_variant, new_variant, ...)                         \
  DUETBENCH_DUET =                                                                     \
      ::duetbench::RegisterDuet(#old_variant "_vs_" #new_variant "<" #__VA_ARGS__ ">", \
                                old_variant<__VA_ARGS__>, new_variant<__VA_ARGS__>)    \
          ->VariantNames(#old_variant, #new_variant)

// Two methods of a fixture, as the benchmark FIXTURE/OLD_vs_NEW. A fixture that BENCHMARK_F knows
// stays as it is, except that the bodies of the benchmarks become public methods of it (fixture.h
// says what else is taken):
//
//   class Maps : public benchmark::Fixture {
//    public:
//     void SetUp(const benchmark::State& state) override { Fill(state.range(0)); }
//     void StdMap(duetbench::State& state) { for (auto _ : state) … }
//     void BTreeMap(duetbench::State& state) { for (auto _ : state) … }
//     …
//   };
//   DUET_BENCHMARK_F(Maps, StdMap, BTreeMap)->Range(64, 64 << 10);
#define DUET_BENCHMARK_F(Fixture, old_method, new_method)                                         \
  DUETBENCH_DUET = ::duetbench::RegisterDuetFixture<Fixture>(                                     \
                       #Fixture "/" #old_method "_vs_" #new_method, DUETBENCH_METHOD(old_method), \
                       DUETBENCH_METHOD(new_method))                                              \
                       ->VariantNames(#old_method, #new_method)

// A method as a function of a fixture and, if it takes one, of a State.
#define DUETBENCH_METHOD(method)                                            \
  [](auto& fixture, auto&... state) -> decltype(fixture.method(state...)) { \
    return fixture.method(state...);                                        \
  }

// The main of a program of benchmarks, in place of BENCHMARK_MAIN. Every run of a duet is a process
// that starts like this one: static initialization, and a main of your own up to
// RunSpecifiedBenchmarks, are executed once more in each. What they do outside of their process (a
// port that is bound, a file that is truncated, a lock) must bear being repeated.
#define DUET_MAIN()                                                         \
  int main(int argc, char** argv) { return ::duetbench::Main(argc, argv); } \
  static_assert(true, "a semicolon follows")

#endif  // DUETBENCH_API_MACROS_H_
