// Ways in which variants crash, end and stop, beside the ways of trouble_test.cc: a table as in
// failures_test.cc.
#include "gtest/gtest.h"
#include "tests/integration/failures/failure_rows.h"

namespace duetbench::integration {
namespace {

// Sanitizers have their own handlers for most of these.
const Row kCrashes[] = {
    {"a stack overflow", "$crashes --benchmark_filter=StackOverflow $outs", 2,
     "new crashed: signal SIGSEGV (segmentation fault) (in run 1)", Needs::kPlain},
    {"a read behind the end of a file", "$crashes --benchmark_filter=BusError", 2,
     "new crashed: signal SIGBUS (bus error) (in run 1)", Needs::kPlain},
    {"an arithmetic error", "$crashes --benchmark_filter=ArithmeticError", 2,
     "new crashed: signal SIGFPE (arithmetic error) (in run 1)", Needs::kPlain},
    {"an illegal instruction", "$crashes --benchmark_filter=IllegalInstruction", 2,
     "new crashed: signal SIG", Needs::kPlain},
    {"a block is freed twice", "$crashes --benchmark_filter=DoubleFree", 2,
     "new aborted: signal SIGABRT (abort, assertion or std::terminate) (in run 1)", Needs::kPlain},
    {"a thread of the variant calls exit", "$crashes --benchmark_filter=ExitElsewhere", 2,
     "exited with status 0 before it reported", Needs::kPlain},
    {"a dead-lock", "$crashes --benchmark_filter=DeadLock --duet_timeout=1 $outs", 2,
     "new was still executing iterations after 1 s (--duet_timeout)", Needs::kPlain},
};

class CrashesTest : public ::testing::TestWithParam<Row> {};

TEST_P(CrashesTest, IsAsTheTableSays) { ExpectRow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, CrashesTest, ::testing::ValuesIn(kCrashes), RowName);

}  // namespace
}  // namespace duetbench::integration
