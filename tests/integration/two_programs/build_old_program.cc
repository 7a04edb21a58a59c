// The old one of two builds (build_benchmarks.h).
constexpr int kWork = 1;

#include "tests/integration/two_programs/build_benchmarks.h"
