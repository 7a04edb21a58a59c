// Linked with Google Benchmark alone.
namespace {
constexpr int kWork = 1;
}  // namespace

#include "tests/integration/untouched_benchmarks.h"
