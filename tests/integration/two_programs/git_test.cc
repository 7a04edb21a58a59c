// `duet git`: two revisions of a repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A repository whose `build` copies the program that the file `which` names.
class DuetGit : public testing::Test {
 protected:
  DuetGit() {
    Run("git init -q -b main . && git config user.email a@b.c && git config user.name n");
    Commit("first", PathOf("build_old"));
    Commit("second", PathOf("build_old"));
    Commit("does not build", "/no/such/program");
    Commit("slower", PathOf("build_new"));
    Commit("last", PathOf("build_new"));
  }

  void Run(const std::string& command) {
    Request request;
    request.program = "sh";
    request.arguments = {"-c", command};
    request.folder = repository_.path();
    const Outcome outcome = Execute(request);
    ASSERT_EQ(outcome.status, 0) << command << outcome.err;
  }

  void Commit(const std::string& subject, const std::string& which) {
    std::ofstream(repository_.File("which")) << which << "\n" << subject << "\n";
    Run("git add -A && git commit -qm '" + subject + "'");
  }

  Outcome Git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "git");
    // Flags of a test come later, and count.
    const std::vector<std::string> defaults = {"--configure=", "--binary=bench",
                                               "--benchmark_filter=^manual",
                                               "--build=cp \"$(head -1 which)\" {build}/bench"};
    arguments.insert(arguments.begin() + 1, defaults.begin(), defaults.end());
    arguments.push_back("--cache=" + cache_.path());
    Request request;
    request.program = PathOf("duet");
    request.arguments = arguments;
    request.folder = repository_.path();
    return Execute(request);
  }

  const Folder repository_;
  const Folder cache_;
};

TEST_F(DuetGit, RevisionsAreCompared) {
  const Outcome first = Git({"HEAD~4", "HEAD", "--duet_max_ratio=1.5"});
  EXPECT_EQ(first.status, 1) << first.err;
  EXPECT_THAT(first.err, HasSubstr("builds"));
  EXPECT_THAT(first.out, HasSubstr("new takes 2.000 × the time of old"));
  // A revision that has been built is not built again.
  const Outcome again = Git({"HEAD~4", "HEAD~3", "--duet_max_ratio=1.5"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, AllOf(HasSubstr("second"), Not(HasSubstr("builds first"))));
  Run("test -z \"$(git status --porcelain)\" && test $(git worktree list | wc -l) = 1");
}

TEST_F(DuetGit, TheWorkingTreeIsComparedAsItIs) {
  std::ofstream(repository_.File("which")) << PathOf("build_old") << "\n";
  const Outcome outcome = Git({"HEAD"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("new is the working tree (1 changed files)"));
  EXPECT_THAT(outcome.out, HasSubstr("FASTER"));
  Run("test \"$(git status --porcelain)\" = ' M which'");
}

TEST_F(DuetGit, EachBuildIsLinkedAsOftenAsWasAskedFor) {
  const std::string link =
      "--build=cp \"$(head -1 which)\" {build}/bench && mkdir -p {build}/bench.layouts && "
      "i=1 && while [ $i -lt $DUETBENCH_LAYOUTS ]; do ln -sf ../bench {build}/bench.layouts/$i; "
      "i=$((i + 1)); done && cksum <{build}/bench >{build}/bench.layouts/of";
  const std::string pairs = cache_.File("pairs.csv");
  const Outcome outcome =
      Git({"HEAD~4", "HEAD", "--layouts=3", link, "--duet_runs=6", "--duet_out=" + pairs});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" in 3 link layouts"));
  // The level is in the file of pairs, too.
  const Outcome stat = Execute("duet_stat", {pairs});
  EXPECT_EQ(stat.status, 0) << stat.err;
  EXPECT_THAT(stat.out,
              AllOf(HasSubstr("3 link layouts"), HasSubstr("the interval is of the code")));
  const Outcome once = Git({"HEAD~4", "HEAD", "--layouts=3"});
  EXPECT_EQ(once.status, 2);
  EXPECT_THAT(once.err,
              AllOf(HasSubstr("--layouts=3: the build of"), HasSubstr("has linked bench once"),
                    HasSubstr("duet_target_layouts(bench 3)")));
}

TEST_F(DuetGit, ErrorsSayWhatFailed) {
  EXPECT_THAT(Git({"nowhere"}).err, HasSubstr("there is no revision 'nowhere'"));
  const Outcome broken = Git({"HEAD~4", "HEAD~2"});
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, AllOf(HasSubstr("the build of"), HasSubstr("does not build failed"),
                                HasSubstr("No such file")));
  Run("test $(git worktree list | wc -l) = 1");
}

TEST_F(DuetGit, TheCommitIsFound) {
  const Outcome outcome = Git({"--bisect=HEAD~4..HEAD"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("slower is the first commit above 1.4"),
                                 HasSubstr("cannot be built")));
  const Outcome none = Git({"--bisect=HEAD~1..HEAD"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("BAD is not slower than GOOD"));
}

}  // namespace
}  // namespace duetbench::integration
