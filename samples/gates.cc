// Gates: the program fails when a regression is proven, and only then. CMakeLists.txt adds each
// gate to ctest as a test.
#include <duetbench/duetbench.h>

#include <cstdlib>
#include <sstream>
#include <string>

static const char* const kNumber = "18446744073709551615";

static unsigned long long WithStream() {
  unsigned long long value = 0;
  std::istringstream(kNumber) >> value;
  return value;
}

static unsigned long long WithStrtoull() { return std::strtoull(kNumber, nullptr, 10); }

// New may be 5 % slower.
DUET_BENCHMARK(WithStream, WithStrtoull)->MaxRatio(1.05);

// New must be at least 1.5 times as fast.
DUET_BENCHMARK(WithStream, WithStrtoull)->Name("Strtoull_is_faster")->MinSpeedup(1.5);

DUET_MAIN();
