// A variant is measured as in a program that has this variant only.
#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// Sanitizers have their own threads and allocators.
const Row kAlone[] = {
    {"in every schedule",
     "for schedule in auto duet interleaved alternating; do "
     "$alone --benchmark_filter=^Alone$ --duet_schedule=$schedule || exit 98; done",
     0, "Alone", Needs::kPlain, "ERROR"},
    {"in a separate start", "$alone --benchmark_filter=^Alone$ --duet_isolation=process", 0,
     "Alone", Needs::kPlain, "ERROR"},
    {"not with threads for variants", "$alone --benchmark_filter=^Alone$ --duet_isolation=thread",
     2, "is not alone: has had threads", Needs::kPlain},
    {"so are ordinary benchmarks beside duets", "$alone --benchmark_filter='^(BM_)?Alone$'", 0,
     "BM_Alone", Needs::kPlain, "ERROR"},
    {"a program with a thread is told", "ALONE_MAIN=has_thread $alone --benchmark_filter=^Grow$", 0,
     "the program has threads when its benchmarks begin", Needs::kPlain},
    {"a program that had one, too", "ALONE_MAIN=had_thread $alone --benchmark_filter=^Grow$", 0,
     "the program has started threads before its benchmarks", Needs::kPlain},
    {"a program without is not", "$alone --benchmark_filter=^Grow$", 0, "Grow", Needs::kPlain,
     "the program has"},
};

TEST_ROWS(AloneTest, kAlone);

}  // namespace
}  // namespace duetbench::integration
