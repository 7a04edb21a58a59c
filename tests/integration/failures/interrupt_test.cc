// Ctrl-C in the middle of a suite. Other signals and moments are in failures_test.cc.
#include <csignal>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::ContainsRegex;

// So many processes are the pilots and some runs, of which a few may be disturbed.
constexpr size_t kMoreThanPilots = 24;

// Minutes of measuring, for a machine that stands still meanwhile, in runs of 0.2 s; in a copy of
// the program that no other test executes.
class InterruptTest : public ::testing::Test {
 protected:
  Request Long(const std::vector<std::string>& arguments) {
    Request request;
    request.program = copy_;
    request.arguments = arguments;
    request.environment = {
        {"INTEGRATION_LOG", log_}, {"DUET_RUNS", "1000"}, {"BENCHMARK_MIN_TIME", "200"}};
    request.max_seconds = 600;
    return request;
  }

  const Folder folder_;
  const std::string log_ = folder_.File("log");
  const std::string copy_ = folder_.CopyOf("suite");
};

TEST_F(InterruptTest, PrintsWhatHasBeenMeasuredAndEndsTheChildren) {
  Program program(Long({"--benchmark_filter=BM_Once|BM_OldSteps", "--duet_order=sequential"}));
  ASSERT_TRUE(AwaitProcesses(program, log_, kMoreThanPilots));
  program.Signal(SIGINT);
  const Outcome outcome = program.Wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes/old  +[0-9]"));
  EXPECT_THAT(outcome.out, ContainsRegex("\\(([3-9]|[1-9][0-9]) runs.*; "
                                         "interrupted, 1000 runs were planned\\)\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("BM_OldSteps_vs_BM_NewSteps/20 +ERROR OCCURRED: 'not "
                                         "measured: interrupted'"));
  EXPECT_TRUE(AllProcessesEnd(copy_));
}

}  // namespace
}  // namespace duetbench::integration
