// Work that the compiler removed is not fast work. In each pair the new variant computes nothing
// while it runs: its input is a constant, or its result is not used. The report names it, and there
// is no verdict:
//   new takes no more time than an empty loop (1.5 ns): was its work removed?
// Where it removed the loop of a variant, too, there is nothing to measure, and that is an error.
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

static void ParseForNothing() { (void)Parse("1234567"); }
DUET_BENCHMARK(ParseHidden, ParseForNothing);

DUET_MAIN();
