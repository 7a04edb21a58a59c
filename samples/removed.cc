// Work that the compiler removed is not fast work. In each pair the new variant computes nothing
// while it runs: its input is a constant, or its result is not used. The report names it, and there
// is no verdict:
//   new takes no more time than an empty loop (1.5 ns): was its work removed?
#include <duetbench/duetbench.h>

#include <cstdint>

static uint32_t Parse(const char* text) {
  uint32_t number = 0;
  for (; *text != 0; ++text) number = number * 10 + static_cast<uint32_t>(*text - '0');
  return number;
}

// The compiler does not know what the text is.
static const char* Hidden(const char* text) {
  benchmark::DoNotOptimize(text);
  return text;
}

static uint32_t ParseHidden() { return Parse(Hidden("1234567")); }
static uint32_t ParseConstant() {
  constexpr uint32_t kNumber = 1'234'567;  // what Parse of a literal comes to
  return kNumber;
}
DUET_BENCHMARK(ParseHidden, ParseConstant);

static void Used(duetbench::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Parse(Hidden("1234567")));
}
static void Unused(duetbench::State& state) {
  for (auto _ : state) {
    const uint32_t number = Parse("1234567");
    (void)number;
  }
}
DUET_BENCHMARK(Used, Unused);

DUET_MAIN();
