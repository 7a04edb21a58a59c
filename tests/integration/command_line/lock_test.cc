// Programs that measure on the same CPUs wait for each other.
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using ::testing::Not;

constexpr char kWaits[] = "duetbench: waits for another program";

class LockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Request request;
    request.program = PathOf("suite");
    request.arguments = {"--benchmark_filter=BM_Once"};
    request.environment = {{"INTEGRATION_LOG", log_},
                           {"DUET_LOCK", "on"},
                           {"DUET_RUNS", "100"},
                           {"BENCHMARK_MIN_TIME", "20"}};
    first_.emplace(request);
    ASSERT_TRUE(AwaitProcesses(*first_, log_, 1));
  }

  Request Second(const std::vector<std::string>& arguments) const {
    Request request;
    request.program = PathOf("suite");
    request.arguments = arguments;
    request.arguments.emplace_back("--benchmark_filter=BM_Once");
    request.environment = {{"DUET_LOCK", "on"}};
    return request;
  }

  const Folder folder_;
  const std::string log_ = folder_.File("log");
  std::optional<Program> first_;  // measures, for 20 s
};

TEST_F(LockTest, TheSecondProgramMeasuresWhenTheFirstHasEnded) {
  const std::string log = folder_.File("log of the second one");
  Request request = Second({});
  request.environment["INTEGRATION_LOG"] = log;
  Program second(request);
  EXPECT_FALSE(second.HasEnded());
  usleep(300'000);
  EXPECT_EQ(NotesOf(log).size(), 0u) << "it measures";
  first_->Signal(SIGINT);
  EXPECT_EQ(first_->Wait().status, 130);
  const Outcome outcome = second.Wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Says(kWaits));
  EXPECT_GT(NotesOf(log).size(), 0u);
}

TEST_F(LockTest, LockOffDryRunsAndListsDoNotWait) {
  for (const char* flag :
       {"--duet_lock=off", "--benchmark_dry_run", "--duet_list", "--benchmark_list_tests"}) {
    const Outcome outcome = Execute(Second({flag}));
    EXPECT_EQ(outcome.status, 0) << flag << outcome.err;
    EXPECT_THAT(outcome.err, Not(Says(kWaits))) << flag;
    EXPECT_FALSE(first_->HasEnded());
  }
}

TEST_F(LockTest, CtrlCEndsAProgramThatWaits) {
  Program second(Second({}));
  usleep(100'000);
  second.Signal(SIGINT);
  EXPECT_EQ(second.Wait().status, 130);
}

// Its processes are descendants of the one that has the lock.
TEST(Lock, AToolDoesNotWaitForItself) {
  const Outcome outcome =
      Execute("duet", {PathOf("build_old"), PathOf("build_new"), "--benchmark_filter=^same"},
              {{"DUET_LOCK", "on"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

}  // namespace
}  // namespace duetbench::integration
