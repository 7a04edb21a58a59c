// A variant is measured as in a program that has this variant only.
#include <string>
#include <vector>

#include "duetbench/platform/crash_report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AloneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (HasSanitizer()) GTEST_SKIP() << "sanitizers have their own threads and allocators";
  }
};

Outcome Alone(const std::string& filter, std::vector<std::string> arguments = {},
              const std::string& main = "") {
  arguments.push_back("--benchmark_filter=^" + filter + "$");
  return Execute("alone", arguments, {{"ALONE_MAIN", main}});
}

TEST_F(AloneTest, InEverySchedule) {
  for (const char* const schedule : {"auto", "duet", "crossed", "interleaved", "alternating"}) {
    const Outcome outcome = Alone("Alone", {std::string("--duet_schedule=") + schedule});
    EXPECT_EQ(outcome.status, 0) << schedule << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("ERROR"))) << schedule;
  }
}

TEST_F(AloneTest, InAStartOfItsOwn) {
  const Outcome outcome = Alone("Alone", {"--duet_isolation=process"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_F(AloneTest, NotWithThreadsForVariants) {
  const Outcome outcome = Alone("Alone", {"--duet_isolation=thread"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("is not alone: has had threads"));
}

TEST_F(AloneTest, SoAreOrdinaryBenchmarksBesideDuets) {
  const Outcome outcome = Alone("(BM_)?Alone");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("BM_Alone"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("ERROR")));
}

TEST_F(AloneTest, AProgramWithThreadsIsTold) {
  EXPECT_THAT(Alone("Grow", {}, "has_thread").out,
              HasSubstr("the program has threads when its benchmarks begin"));
  EXPECT_THAT(Alone("Grow", {}, "had_thread").out,
              HasSubstr("the program has started threads before its benchmarks"));
  EXPECT_THAT(Alone("Grow").out, Not(HasSubstr("the program has")));
}

}  // namespace
}  // namespace duetbench::integration
