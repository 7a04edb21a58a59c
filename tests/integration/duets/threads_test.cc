// Variants that start threads are found, and get all CPUs.
#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// With one CPU there is nothing to choose.
#define THREADS(filter, arguments)                                       \
  "test $(nproc) -gt 1 || exit 99; $special --benchmark_filter=^" filter \
  "$ --duet_runs=3 --benchmark_min_time=1 " arguments

const Row kThreads[] = {
    {"threads of new are found", THREADS("Starts", ""), 0,
     "interleaved on all CPUs[...]duetbench: new starts [...]: measured one variant at a time, "
     "with "
     "all CPUs ("},
    {"threads of old are found", THREADS("Keeps", ""), 0, "duetbench: old starts "},
    {"threads that name themselves are found", THREADS("Names", ""), 0,
     ": measured one variant at a time, with all CPUs"},
    {"without threads nothing changes", THREADS("Same", ""), 0, "Same", Needs::kNothing, "starts"},
    {"and no row says so", THREADS("Same", "--benchmark_format=json"), 0, "\"Same\"",
     Needs::kNothing, "all_cpus"},
    {"a number of CPUs", THREADS("Starts", "--duet_cpus_per_variant=2"), 0, "interleaved on 2 CPUs",
     Needs::kNothing, "cannot use"},
    {"more CPUs than there are", THREADS("Starts", "--duet_cpus_per_variant=100000"), 0,
     "a variant cannot use 100000 CPUs, as this process may use "},
    {"the benchmark decides", THREADS("All", "--benchmark_format=json"), 0, "\"all_cpus\": 1"},
    {"a flag decides", THREADS("Same", "--benchmark_format=json --duet_cpus_per_variant=all"), 0,
     "\"all_cpus\": 1"},
    {"against what is found",
     THREADS("Starts", "--benchmark_format=json --duet_cpus_per_variant=1"), 0, "\"Starts\"",
     Needs::kNothing, "all_cpus"},
};

TEST_ROWS(ThreadsTest, kThreads);

}  // namespace
}  // namespace duetbench::integration
