// Two functions with the same machine code, at different addresses. What the linker has done to
// them is no property of the code: each run has another code layout. As they are linked
// (--duet_layout=linked), one of them may be slower in every try.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

// The code of one twin carries its name, in a comment of the assembler: else g++ would make one
// function of the two.
#define TELL_APART(name) __asm__ volatile("/* " #name " */")

// A macro, as a template or an inline function would be one function with one address.
#define DEFINE_TWIN(suffix)                                                              \
  __attribute__((noinline)) void Add##suffix() {                                         \
    TELL_APART(suffix);                                                                  \
    int sum = 0;                                                                         \
    for (int i = 0; i < 100; ++i) {                                                      \
      sum += i;                                                                          \
      benchmark::DoNotOptimize(sum);                                                     \
    }                                                                                    \
  }                                                                                      \
  /* Insertion sort: branches that depend on the data, which their addresses disturb. */ \
  __attribute__((noinline)) void Sort##suffix(uint32_t* values, size_t count) {          \
    TELL_APART(suffix);                                                                  \
    for (size_t i = 1; i < count; ++i) {                                                 \
      const uint32_t value = values[i];                                                  \
      size_t at = i;                                                                     \
      for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];        \
      values[at] = value;                                                                \
    }                                                                                    \
  }                                                                                      \
  void BM_Add##suffix(duetbench::State& state) {                                         \
    for (auto _ : state) Add##suffix();                                                  \
  }                                                                                      \
  void BM_Sort##suffix(duetbench::State& state) {                                        \
    std::mt19937 random(1);                                                              \
    std::vector<uint32_t> values(64);                                                    \
    for (uint32_t & value : values) value = static_cast<uint32_t>(random());             \
    std::vector<uint32_t> copy(values.size());                                           \
    for (auto _ : state) {                                                               \
      std::copy(values.begin(), values.end(), copy.begin());                             \
      Sort##suffix(copy.data(), copy.size());                                            \
      benchmark::ClobberMemory();                                                        \
    }                                                                                    \
  }

DEFINE_TWIN(One)
DEFINE_TWIN(Two)

}  // namespace

DUET_BENCHMARK(BM_AddOne, BM_AddTwo)->Name("add");
DUET_BENCHMARK(BM_SortOne, BM_SortTwo)->Name("sort");

DUET_MAIN();
