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
#define DUET_BENCHMARK(...) DUETBENCH_ADD("", "", DUETBENCH_NAMED, (), __VA_ARGS__)
#define DUETBENCH_NAMED(unused, variant) \
  { #variant, variant }

// Variants with arguments after the State, as the benchmark OLD_vs_NEW/TEST_CASE_NAME. The
// arguments are evaluated whenever a variant is set up:
//
//   template <class... Args> void BM_Old(duetbench::State& state, Args&&... args) { … }
//   DUET_BENCHMARK_CAPTURE(BM_Old, BM_New, short_text, "abc", 3);
//
// A list of three to eight variants is in parentheses:
//
//   DUET_BENCHMARK_CAPTURE((BM_Old, BM_New, BM_Other), short_text, "abc", 3);
#define DUET_BENCHMARK_CAPTURE(old_variant, ...)                            \
  DUETBENCH_JOIN(DUETBENCH_CAPTURE_OF_, DUETBENCH_TWO_OR_LIST(old_variant)) \
  (old_variant, __VA_ARGS__)
#define DUETBENCH_CAPTURE_OF_TWO(old_variant, new_variant, ...) \
  DUETBENCH_CAPTURE_OF_LIST((old_variant, new_variant), __VA_ARGS__)
#define DUETBENCH_CAPTURE_OF_LIST(variants, test_case_name, ...) \
  DUETBENCH_ADD("", "/" #test_case_name, DUETBENCH_CAPTURED, (__VA_ARGS__), DUETBENCH_BARE variants)
#define DUETBENCH_CAPTURED(arguments, variant)                                                 \
  {                                                                                            \
#variant,                                                                                  \
        [](::duetbench::State & duet_state) { variant(duet_state, DUETBENCH_BARE arguments); } \
  }

// The same instance of two templates, as the benchmark OLD_vs_NEW<ARGUMENTS>; a list of three to
// eight is in parentheses:
//
//   template <class T, int kSize> void BM_Old(duetbench::State& state) { … }
//   DUET_BENCHMARK_TEMPLATE(BM_Old, BM_New, int, 64)->Range(8, 64);
//   DUET_BENCHMARK_TEMPLATE((BM_Old, BM_New, BM_Other), int, 64)->Range(8, 64);
#define DUET_BENCHMARK_TEMPLATE(old_variant, ...)                            \
  DUETBENCH_JOIN(DUETBENCH_TEMPLATE_OF_, DUETBENCH_TWO_OR_LIST(old_variant)) \
  (old_variant, __VA_ARGS__)
#define DUETBENCH_TEMPLATE_OF_TWO(old_variant, new_variant, ...) \
  DUETBENCH_TEMPLATE_OF_LIST((old_variant, new_variant), __VA_ARGS__)
#define DUETBENCH_TEMPLATE_OF_LIST(variants, ...)                            \
  DUETBENCH_ADD("", "<" #__VA_ARGS__ ">", DUETBENCH_INSTANCE, (__VA_ARGS__), \
                DUETBENCH_BARE variants)
#define DUETBENCH_INSTANCE(arguments, variant) \
  { #variant, variant < DUETBENCH_BARE arguments> }

// Two methods of a fixture, as the benchmark FIXTURE/OLD_vs_NEW, or three to eight. A fixture that
// BENCHMARK_F knows stays as it is, except that the bodies of the benchmarks become public methods
// of it (fixture.h says what else is taken):
//
//   class Maps : public benchmark::Fixture {
//    public:
//     void SetUp(const benchmark::State& state) override { Fill(state.range(0)); }
//     void StdMap(duetbench::State& state) { for (auto _ : state) … }
//     void BTreeMap(duetbench::State& state) { for (auto _ : state) … }
//     …
//   };
//   DUET_BENCHMARK_F(Maps, StdMap, BTreeMap)->Range(64, 64 << 10);
#define DUET_BENCHMARK_F(Fixture, ...)                        \
  DUETBENCH_DUET = ::duetbench::RegisterDuetFixture<Fixture>( \
      #Fixture, {DUETBENCH_EACH(DUETBENCH_NAMED_METHOD, (), __VA_ARGS__)})
#define DUETBENCH_NAMED_METHOD(unused, method) \
  { #method, DUETBENCH_METHOD(method) }

// A method as a function of a fixture and, if it takes one, of a State.
#define DUETBENCH_METHOD(method)                                            \
  [](auto& fixture, auto&... state) -> decltype(fixture.method(state...)) { \
    return fixture.method(state...);                                        \
  }

// Registers the variants after `context`, each made by each(context, variant).
#define DUETBENCH_ADD(prefix, suffix, each, context, ...) \
  DUETBENCH_DUET = ::duetbench::internal::AddVariants(    \
      prefix, suffix, {DUETBENCH_EACH(each, context, __VA_ARGS__)})

// each(context, variant) of the variants, with commas.
#define DUETBENCH_13TH_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, ...) m
#define DUETBENCH_EACH(each, context, ...)                                                         \
  DUETBENCH_13TH_OF(__VA_ARGS__, DUETBENCH_EACH_OF_12, DUETBENCH_EACH_OF_11, DUETBENCH_EACH_OF_10, \
                    DUETBENCH_EACH_OF_9, DUETBENCH_EACH_OF_8, DUETBENCH_EACH_OF_7,                 \
                    DUETBENCH_EACH_OF_6, DUETBENCH_EACH_OF_5, DUETBENCH_EACH_OF_4,                 \
                    DUETBENCH_EACH_OF_3, DUETBENCH_EACH_OF_2, DUETBENCH_EACH_OF_1, )               \
  (each, context, __VA_ARGS__)
// More than eight variants get as far as an error that says so.
#define DUETBENCH_EACH_OF_1(each, context, a) each(context, a)
#define DUETBENCH_EACH_OF_2(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_1(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_3(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_2(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_4(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_3(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_5(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_4(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_6(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_5(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_7(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_6(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_8(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_7(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_9(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_8(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_10(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_9(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_11(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_10(each, context, __VA_ARGS__)
#define DUETBENCH_EACH_OF_12(each, context, a, ...) \
  each(context, a), DUETBENCH_EACH_OF_11(each, context, __VA_ARGS__)

// The arguments without their parentheses.
#define DUETBENCH_BARE(...) __VA_ARGS__

// LIST if the argument is in parentheses, else TWO.
#define DUETBENCH_TWO_OR_LIST(argument) \
  DUETBENCH_SECOND_OF(DUETBENCH_IF_IN_PARENTHESES argument, TWO, )
#define DUETBENCH_IF_IN_PARENTHESES(...) unused, LIST
#define DUETBENCH_SECOND_OF(...) DUETBENCH_SECOND_OF_ALL(__VA_ARGS__)
#define DUETBENCH_SECOND_OF_ALL(first, second, ...) second

// The main of a program of benchmarks, in place of BENCHMARK_MAIN. Every run of a duet is a process
// that starts like this one: static initialization, and a main of your own up to
// RunSpecifiedBenchmarks, are executed once more in each. What they do outside of their process (a
// port that is bound, a file that is truncated, a lock) must bear being repeated.
#define DUET_MAIN()                                                         \
  int main(int argc, char** argv) { return ::duetbench::Main(argc, argv); } \
  static_assert(true, "a semicolon follows")

#endif  // DUETBENCH_API_MACROS_H_
