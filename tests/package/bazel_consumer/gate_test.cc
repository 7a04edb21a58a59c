// A gate: building a short string must not become slower than building a long one.
#include <benchmark/benchmark.h>
#include <duetbench/duetbench.h>

#include <cstddef>
#include <string>

// The length is hidden from the compiler: it would build no string for a length that it knows, and
// a gate whose new code takes no more time than an empty loop is inconclusive.
static size_t Build(size_t length) {
  benchmark::DoNotOptimize(length);
  std::string text(length, 'x');
  benchmark::DoNotOptimize(text.data());
  return text.size();
}
static size_t Short() { return Build(100); }
static size_t Long() { return Build(20000); }

DUET_BENCHMARK(Long, Short)->MaxRatio(1.0);
