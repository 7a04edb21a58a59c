// Variants whose work the compiler has removed.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

#ifdef DUETBENCH_REMOVES_EMPTY_LOOPS
TEST(EmptyTest, NeverHaveAVerdict) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Outcome outcome = Execute("empty", {"--benchmark_min_time=0.1", "--duet_runs=5"});
    for (const char* verdict : {"FASTER", "SLOWER", "EQUAL", "FAIL", "PASS"}) {
      EXPECT_THAT(outcome.out, Not(HasSubstr(std::string("  ") + verdict))) << verdict;
    }
    for (const char* name : {"Nothing takes", "Folded takes", "KeepRunning takes", "Called takes",
                             "CalledKeepRunning takes", "new takes", "One takes",
                             "One and Nothing take", "Folded and One take", "One and Two take"}) {
      EXPECT_THAT(outcome.out, HasSubstr(std::string(": ") + name + " no more time than"))
          << outcome.out;
    }
    EXPECT_THAT(outcome.out, HasSubstr("0 of 2 gates hold, 2 are inconclusive"));
    EXPECT_EQ(outcome.status, 77) << outcome.err;
  }
}
#endif

}  // namespace
}  // namespace duetbench::integration
