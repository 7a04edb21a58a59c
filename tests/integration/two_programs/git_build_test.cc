// Builds of `duet git`: the sources, when it builds again, and the place from which it executes
// programs.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/git_world.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::Not;

class GitBuild : public testing::Test {
 protected:
  // Compares two commits, in an environment with `variables`; returns stderr.
  std::string Compare(const std::map<std::string, std::string>& variables,
                      const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> arguments = {"HEAD~1", "HEAD"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    Request request = world_.Duet(arguments);
    for (const auto& [name, value] : variables) request.environment[name] = value;
    const Outcome outcome = Execute(request);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.err;
  }

  // Compares them; true if that built one of them.
  bool Builds(const std::map<std::string, std::string>& variables,
              const std::vector<std::string>& flags = {}) const {
    return Compare(variables, flags).find("duet: builds ") != std::string::npos;
  }

  const GitWorld world_;
};

TEST_F(GitBuild, CommitsHaveTheirSubmodulesAndTags) {
  const std::string build =
      "--build=cp $(head -1 which) {build}/bench && git describe --tags >{build}/v && "
      "git -C third_party/lib describe --tags >>{build}/v && git -C third_party/lib/deep describe "
      "--tags >>{build}/v && cat third_party/idle/idle.txt >>{build}/v && git status --porcelain "
      ">>{build}/v";
  EXPECT_THAT(Compare({}, {build}), Not(Says("not fetched")));
  ASSERT_EQ(world_.InCache("v").size(), 2u);
  for (const std::string& version : world_.InCache("v")) {
    EXPECT_THAT(LinesOf(TextOf(version)),
                testing::ElementsAre(testing::StartsWith("v1-"), "lib-v1", "deep-v1", "idle"));
  }
}

TEST_F(GitBuild, AnotherCommitOfASubmoduleBuildsAgain) {
  world_.Run("rm .git/hooks/*");
  Compare({});
  world_.Run("echo more >>lib.txt && git commit -qam more", "lib.git");
  world_.Run("git -C third_party/lib pull -q origin HEAD && git commit -qm lib third_party/lib");
  EXPECT_THAT(Compare({}), Says("new is [...]duet: builds"));
}

TEST_F(GitBuild, ASubmoduleThatWasNotFetchedIsNamed) {
  world_.Run("rm -r .git/modules/third_party/idle");
  EXPECT_THAT(Compare({}), Says("without submodules that were not fetched: third_party/idle"));
  const Outcome fails = Execute(world_.Duet({"HEAD~1", "HEAD", "--build=false"}));
  EXPECT_EQ(fails.status, 2);
  EXPECT_THAT(fails.err, Says("third_party/idle (git submodule update --init)"));
  // It is a part of the key.
  world_.Run("git -c core.hooksPath=/dev/null submodule --quiet update --init third_party/idle");
  EXPECT_THAT(Compare({}), testing::AllOf(Says("duet: builds "), Not(Says("not fetched"))));
}

TEST_F(GitBuild, ASubmoduleThatTheWorkingTreeHasAtAnotherCommitIsRefused) {
  // As with a shallow clone of the submodule.
  world_.Run(
      "rm .git/hooks/*; cd third_party/lib && git checkout -q --orphan new && "
      "git commit -qm new && git tag -d lib-v1 && git branch -D main && "
      "git remote remove origin && git reflog expire --expire=now --all && "
      "git gc -q --prune=now");
  const Outcome outcome = Execute(world_.Duet({"HEAD~1", "HEAD"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      Says("of the submodule third_party/lib, which was not fetched: git -C third_party/lib fetch "
           "origin[...]--link=third_party/lib"));
  EXPECT_TRUE(Builds({}, {"--link=third_party/lib"}));
  EXPECT_TRUE(fs::exists(world_.Path("repo/third_party/lib/lib.txt")));
}

TEST_F(GitBuild, TheWorkingTreeHasItsSubmodulesAsTheyAre) {
  world_.Run(
      "rm .git/hooks/*; echo dirty >>third_party/lib/deep/deep.txt; rm third_party/lib/lib.txt");
  const auto seen = [&] {
    const Outcome outcome = Execute(world_.Duet(
        {"HEAD",
         "--build=cp $(head -1 which) {build}/bench; (cat third_party/lib/deep/deep.txt "
         "loose/file; git describe --tags --dirty; git -C third_party/lib status "
         "--porcelain; ls -d third_party/* gone index) >{build}/seen 2>/dev/null; true"}));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const std::string& file : world_.InCache("seen")) {
      if (file.find("working-tree") != std::string::npos) return LinesOf(TextOf(file));
    }
    return LinesOf("");
  };
  const std::string version = world_.Run("git describe --tags --dirty");
  EXPECT_THAT(seen(), testing::ElementsAre("deep", "dirty", "x", version, " M deep", " D lib.txt",
                                           "index", "third_party/idle", "third_party/lib"));
  world_.Run(
      "rm -r loose; git rm -qf --cached index; rm index; git -C third_party/lib checkout -q .; "
      "echo x >gone");
  EXPECT_THAT(seen(), testing::ElementsAre("deep", "dirty", version, " M deep", "gone",
                                           "third_party/idle", "third_party/lib"));
}

TEST_F(GitBuild, UntrackedFoldersAreLinkedOnRequest) {
  const std::string build =
      "--build=test -f loose/file || { echo \"no folder 'loose'\"; exit 1; }; "
      "cp $(head -1 which) {build}/bench";
  const Outcome without = Execute(world_.Duet({"HEAD~1", "HEAD", build}));
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, Says("loose is in the working tree but not in the commit: "
                                "--link=loose"));
  EXPECT_TRUE(Builds({}, {build, "--link=loose/"}));
  EXPECT_FALSE(Builds({}, {build, "--link=loose"}));
  std::ofstream(world_.Path("repo/loose/file")) << "changed\n";
  EXPECT_TRUE(Builds({}, {build, "--link=loose"}));
  // Both states of the working tree are checked out in one folder, with the link.
  for (const char* change : {"true", "echo more >>index"}) {
    world_.Run(change);
    EXPECT_EQ(Execute(world_.Duet({"HEAD", build, "--link=loose"})).status, 0) << change;
  }
  EXPECT_EQ(TextOf(world_.Path("repo/loose/file")), "changed\n");
  EXPECT_THAT(Execute(world_.Duet({"HEAD~1", "HEAD", "--link=which"})).err,
              Says("--link=which: the commit has files there"));
  EXPECT_THAT(Execute(world_.Duet({"HEAD~1", "HEAD", "--link=nothing"})).err,
              Says("--link=nothing: there is none"));
}

}  // namespace
}  // namespace duetbench::integration
