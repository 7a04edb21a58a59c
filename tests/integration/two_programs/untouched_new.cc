// Linked with Google Benchmark alone.
namespace {
constexpr int kWork = 10;
}  // namespace

#include "tests/integration/two_programs/untouched_benchmarks.h"
