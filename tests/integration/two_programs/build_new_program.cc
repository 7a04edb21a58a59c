// The new one of two builds (build_benchmarks.h).
constexpr int kWork = 10;

#include "tests/integration/two_programs/build_benchmarks.h"
