// The new one of two builds (build_benchmarks.h).
constexpr int kWork = 2;

#include "tests/integration/build_benchmarks.h"
