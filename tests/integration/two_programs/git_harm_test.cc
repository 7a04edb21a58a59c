// `duet git` changes nothing of the user's repository, however it ends.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/git_world.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::AnyOf;

class GitHarm : public testing::Test {
 protected:
  void ExpectUnchanged() { EXPECT_EQ(Differences(before_, world_.Snapshot()), ""); }

  const GitWorld world_;
  const std::map<std::string, std::string> before_ = world_.Snapshot();
};

TEST_F(GitHarm, NothingOfTheRepositoryChanges) {
  const Outcome commits = Execute(world_.Duet({"HEAD~1", "HEAD", "--duet_max_ratio=1.5"}));
  EXPECT_EQ(commits.status, 1) << commits.err;
  ExpectUnchanged();
  const Outcome tree =
      Execute(world_.Duet({"HEAD",
                           "--build=git describe --tags >{build}/v; echo x >>which; git branch "
                           "mine; git config user.name other; cp \"$(head -1 which)\" "
                           "{build}/bench"}));
  EXPECT_EQ(tree.status, 0) << tree.err;
  EXPECT_THAT(tree.err, Says("new is the working tree (2 changed files)"));
  ExpectUnchanged();
  EXPECT_EQ(Execute(world_.Duet({"HEAD", "--build=false"})).status, 2);
  EXPECT_EQ(Execute(world_.Duet({"stash@{0}", "HEAD"})).status, 0);
  ExpectUnchanged();
}

TEST_F(GitHarm, AWorktreeThatIsNotMountedKeepsItsIndexAndHead) {
  EXPECT_EQ(Execute(world_.Duet({"HEAD~1", "HEAD"})).status, 0);
  // Its disk is back.
  const std::string admin = world_.Path("repo/.git/worktrees/unmounted");
  world_.Run(absl::StrCat("mkdir unmounted && echo gitdir: ", admin, " >unmounted/.git"), "");
  EXPECT_EQ(world_.Run("git diff --cached --name-only && git log -1 --format=%s", "unmounted"),
            "staged\non no branch");
}

TEST_F(GitHarm, SignalsEndTheBuild) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    Program program(
        world_.Duet({"HEAD~1", "HEAD", "--rebuild", "--build=: >{build}/started; sleep 60"}));
    while (world_.InCache("started").empty() && !program.HasEnded()) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    program.Signal(signal);
    const Outcome outcome = program.Wait();
    EXPECT_EQ(outcome.status, 128 + signal) << outcome.err;
    EXPECT_THAT(outcome.err, Says("was interrupted"));
    EXPECT_TRUE(world_.AwaitEndOfProcesses());
    ExpectUnchanged();
    for (const std::string& started : world_.InCache("started")) std::remove(started.c_str());
  }
}

// DUETBENCH_KILLS=200 is the long test.
TEST_F(GitHarm, KillsAtAnyMomentChangeNothing) {
  const char* const text = std::getenv("DUETBENCH_KILLS");
  const int kills = text != nullptr ? std::max(std::atoi(text), 1) : 8;
  const std::vector<std::string> arguments = {"HEAD~1", "HEAD", "--rebuild"};
  const steady_clock::time_point begin = steady_clock::now();
  ASSERT_EQ(Execute(world_.Duet(arguments)).status, 0);
  const auto whole = static_cast<unsigned>((steady_clock::now() - begin) / milliseconds(1));
  std::mt19937 random(7);
  int killed = 0;
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    const milliseconds delay(random() % whole);
    SCOPED_TRACE(absl::StrCat("kill ", i, " after ", delay.count(), " of ", whole, " ms"));
    Program program(world_.Duet(arguments));
    std::this_thread::sleep_for(delay);
    if (!program.HasEnded()) program.Signal(SIGKILL);
    const Outcome outcome = program.Wait();
    EXPECT_THAT(outcome.status, AnyOf(0, 128 + SIGKILL)) << outcome.err;
    killed += outcome.status == 0 ? 0 : 1;
    EXPECT_TRUE(world_.AwaitEndOfProcesses());
    ExpectUnchanged();
  }
  std::printf("  %d of %d were killed before their end, within %u ms\n", killed, kills, whole);
  // The remains in the cache do not matter.
  const Outcome after = Execute(world_.Duet({"HEAD~1", "HEAD", "--duet_max_ratio=1.5"}));
  EXPECT_EQ(after.status, 1) << after.err;
  ExpectUnchanged();
}

}  // namespace
}  // namespace duetbench::integration
