// A function that takes any State serves BENCHMARK and DUET_BENCHMARK: each member of
// benchmark::State, as of 1.7.1 and (where this version has it) of newer ones, used on both.
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/api/register_duet.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

template <class S, class = void>
constexpr bool kIsNew = false;
template <class S>
constexpr bool kIsNew<S, std::void_t<decltype(std::declval<S&>().SkipWithMessage(""))>> = true;
static_assert(kIsNew<State>);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
template <class S>
void UsesEveryMember(S& state) {
  if (state.range() == 0) {  // a part that compiles only
    while (state.KeepRunning()) state.PauseTiming();
    while (state.KeepRunningBatch(7)) state.ResumeTiming();
    while (state.KeepRunningBatch(state.max_iterations)) state.SetIterationTime(1.0);
    state.SkipWithError("literal");
    const std::string message = "string";
    state.SkipWithError(message.c_str());  // NOLINT: 1.7.1 takes no string
    state.SetLabel(std::string("string"));
    const benchmark::IterationCount most = state.max_iterations;
    std::vector<int> results(static_cast<size_t>(state.max_iterations));
    benchmark::DoNotOptimize(results.data());
    if (most == 0 || state.iterations() < state.max_iterations) return;
  }
  auto it = state.begin();
  for (const auto end = state.end(); it != end; ++it) *it;
  state.SetBytesProcessed(int64_t(state.iterations()) * 8);
  state.SetItemsProcessed(state.iterations());
  state.SetComplexityN(state.range(0));
  state.SetLabel("literal");
  state.counters["plain"] = 1;
  state.counters["rate"] = benchmark::Counter(1, benchmark::Counter::kIsRate);
  state.counters.insert({{"inserted", 2}, {"rates", benchmark::Counter(3)}});
  EXPECT_EQ(state.bytes_processed(), state.iterations() * 8);
  EXPECT_EQ(state.items_processed(), state.iterations());
  EXPECT_EQ(state.complexity_length_n(), state.range_x());
  EXPECT_EQ(state.range_y(), state.range(1));
  EXPECT_EQ(state.threads(), 1);
  EXPECT_EQ(state.thread_index(), 0);
  EXPECT_FALSE(state.error_occurred());
  if constexpr (kIsNew<S>) {
    if (state.range() == 0) state.SkipWithMessage("literal");
    EXPECT_FALSE(state.skipped());
    EXPECT_FALSE(state.name().empty());
  }
}
#pragma GCC diagnostic pop

void OnLibrary(benchmark::State& state) { UsesEveryMember(state); }
BENCHMARK(OnLibrary)->Args({8, 9});

TEST(StateInterface, IsThatOfTheLibrary) {
  RegisterDuet("StateInterface", UsesEveryMember, UsesEveryMember)
      ->Runs(1)
      ->MinTime(0.01)
      ->Args({8, 9});
  EXPECT_EQ(benchmark::RunSpecifiedBenchmarks("OnLibrary"), 1u);
}

// Types of parameters and results are those of Google Benchmark.
TEST(StateInterface, HasTheTypesOfTheLibrary) {
  using L = benchmark::State;
  using D = State;
#define SAME(expression)                                               \
  EXPECT_TRUE((std::is_same_v<decltype(std::declval<L&>().expression), \
                              decltype(std::declval<D&>().expression)>))
  SAME(KeepRunning());
  SAME(KeepRunningBatch(1));
  SAME(PauseTiming());
  SAME(ResumeTiming());
  SAME(SkipWithError(""));
  SAME(error_occurred());
  SAME(SetIterationTime(1));
  SAME(SetBytesProcessed(1));
  SAME(bytes_processed());
  SAME(SetComplexityN(1));
  SAME(complexity_length_n());
  SAME(SetItemsProcessed(1));
  SAME(items_processed());
  SAME(SetLabel(""));
  SAME(range(0));
  SAME(threads());
  SAME(thread_index());
  SAME(iterations());
  SAME(counters);
#undef SAME
}

}  // namespace
}  // namespace duetbench
