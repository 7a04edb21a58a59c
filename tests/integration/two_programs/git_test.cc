// `duet git`: two revisions of a repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using testing::AllOf;
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

  std::string Run(const std::string& command) {
    const Outcome outcome = Execute(InShell(command, repository_.path()));
    EXPECT_EQ(outcome.status, 0) << command << outcome.err;
    return outcome.out.substr(0, outcome.out.rfind('\n'));
  }

  void Commit(const std::string& subject, const std::string& which) {
    std::ofstream(repository_.File("which")) << which << "\n" << subject << "\n";
    Run("git add -A && git commit -qm '" + subject + "'");
  }

  Outcome Git(std::vector<std::string> arguments, const std::string& folder = "") {
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
    request.folder = repository_.File(folder);
    return Execute(request);
  }

  const Folder repository_;
  const Folder cache_;
};

TEST_F(DuetGit, RevisionsAreCompared) {
  const Outcome first = Git({"HEAD~4", "HEAD", "--duet_max_ratio=1.5"});
  EXPECT_EQ(first.status, 1) << first.err;
  EXPECT_THAT(first.err, Says("builds"));
  EXPECT_THAT(first.out, Says("new takes 2.000 × the time of old"));
  // A revision that has been built is not built again.
  const Outcome again = Git({"HEAD~4", "HEAD~3", "--duet_max_ratio=1.5"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, AllOf(Says("second"), Not(Says("builds first"))));
  Run("test -z \"$(git status --porcelain)\" && test $(git worktree list | wc -l) = 1");
}

TEST_F(DuetGit, TheWorkingTreeIsComparedAsItIs) {
  std::ofstream(repository_.File("which")) << PathOf("build_old") << "\n";
  const Outcome outcome = Git({"HEAD"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Says("new is the working tree (1 changed files)"));
  EXPECT_THAT(outcome.out, Says("FASTER"));
  Run("test \"$(git status --porcelain)\" = ' M which'");
}

// Whatever the times of changed files are: `cp -p` and tar keep them.
TEST_F(DuetGit, TheWorkingTreeIsBuiltAgainWhereItsContentDiffers) {
  const std::string make =
      "--build=[ {build}/bench -nt which ] || { cp \"$(head -1 which)\" {build}/bench; echo built "
      ">>{build}/log; }";
  // Options of an earlier state are forgotten.
  const std::string configure =
      "--configure=test ! -e {build}/CMakeCache.txt && touch {build}/CMakeCache.txt";
  const auto out = [&] { return Git({"HEAD", make, configure}).out; };
  const auto builds = [&] {
    return TextOf(cache_.File(Run("cd " + cache_.path() + " && echo */working-tree-*/build/log")));
  };
  EXPECT_THAT(out(), AllOf(Says("manual"), Not(Says("FASTER"))));
  Run("touch which");
  EXPECT_THAT(out(), AllOf(Says("manual"), Not(Says("FASTER"))));
  EXPECT_EQ(builds(), "built\n");
  std::ofstream(repository_.File("which")) << PathOf("build_old") << "\n";
  // Git does not look at it either.
  Run("touch -d 2020-01-01 which && git update-index --assume-unchanged which");
  EXPECT_THAT(out(), Says("FASTER"));
  EXPECT_EQ(builds(), "built\nbuilt\n");
}

// The program is the same in all revisions, and does what a file says.
TEST_F(DuetGit, EachProgramReadsTheFilesOfItsRevision) {
  const std::string build =
      "--build=printf '#!/bin/sh\ncmp ../which %s/which && exec $(head -1 ../which) \"$@\"\n' "
      "{source} >{build}/bench && chmod +x {build}/bench";
  const std::string gate = "--duet_max_ratio=1.5";
  // A folder that is in no revision.
  Run("mkdir empty");
  EXPECT_EQ(Git({"HEAD~4", "HEAD", build, gate}, "empty").status, 1);
  EXPECT_EQ(Git({"HEAD~4", "HEAD~3", build, gate}, "empty").status, 0);
  const std::string only_relative =
      "--build=printf '#!/bin/sh\nexec $(head -1 which) \"$@\"\n' >{build}/bench && "
      "chmod +x {build}/bench";
  EXPECT_EQ(Git({"HEAD~4", "HEAD", only_relative, gate}).status, 1);
  EXPECT_EQ(Git({"HEAD~4", "HEAD", only_relative, gate, "--data=shared"}).status, 0);
}

TEST_F(DuetGit, ABareRepositoryAndStrangeNamesAreFine) {
  Run("git clone -q --bare . 'of \"me\".git'");
  EXPECT_EQ(Git({"HEAD~4", "HEAD~3"}, "of \"me\".git").status, 0);
  EXPECT_THAT(Git({"HEAD~4"}, "of \"me\".git").err, Says("duet git BASE NEW"));
}

TEST_F(DuetGit, AShallowCloneSaysHowToGetMore) {
  Run("git clone -q --depth=1 \"file://$PWD\" shallow");
  EXPECT_THAT(Git({"HEAD~1"}, "shallow").err, Says("git fetch --unshallow"));
}

TEST_F(DuetGit, ErrorsSayWhatFailed) {
  EXPECT_THAT(Git({"nowhere"}).err, Says("there is no revision 'nowhere'"));
  const Outcome broken = Git({"HEAD~4", "HEAD~2"});
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, Says("the build of[...]does not build failed[...]No such file"));
  Run("test $(git worktree list | wc -l) = 1");
}

// As tools/README.md has it. A commit that does not build is skipped.
TEST_F(DuetGit, GitBisectFindsTheCommit) {
  const std::string good = Run("git rev-parse HEAD~4");
  const std::string slower = Run("git rev-parse HEAD~1");
  std::ofstream(cache_.File("step.sh"))
      << "'" << PathOf("duet") << "' git " << good
      << " --configure= --binary=bench --cache=" << cache_.path()
      << " --benchmark_filter=^manual '--build=cp \"$(head -1 which)\" "
      << "{build}/bench' --duet_max_ratio=1.5 --duet_inconclusive=pass\n"
      << "s=$?; test $s -ne 2 || s=125; exit $s\n";
  const std::string log =
      Run("git bisect start HEAD HEAD~4 >/dev/null 2>&1 && { git bisect run sh " +
          cache_.File("step.sh") +
          " >/dev/null 2>&1; git bisect log; git bisect reset 2>&1 >/dev/null; }");
  EXPECT_THAT(log, AllOf(Says("git bisect bad " + slower), Says("git bisect skip ")));
}

}  // namespace
}  // namespace duetbench::integration
