#include "tools/duet/git/submodule_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParseSubmodules, FindsNamesByPaths) {
  const std::string tree(
      "160000 commit 1111\tthird_party/a b\0"
      "100644 blob 2222\tfile\0"
      "160000 commit 3333\tc\0",
      78);
  const std::string paths("submodule.the.name.path\nthird_party/a b\0", 40);
  const auto submodules = ParseSubmodules(tree, paths);
  ASSERT_EQ(submodules.size(), 2u);
  EXPECT_EQ(submodules[0].path, "third_party/a b");
  EXPECT_EQ(submodules[0].commit, "1111");
  EXPECT_EQ(submodules[0].name, "the.name");
  EXPECT_EQ(submodules[1].path, "c");
  EXPECT_EQ(submodules[1].name, "");
  EXPECT_THAT(ParseSubmodules("", ""), IsEmpty());
  EXPECT_THAT(ParseSubmodules("160000", "x"), IsEmpty());
}

class FindSubmoduleTest : public testing::Test {
 protected:
  FindSubmoduleTest() {
    std::string path = fs::temp_directory_path() / "duetbench-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) ADD_FAILURE() << path;
    top_ = fs::canonical(path);
  }
  ~FindSubmoduleTest() override { fs::remove_all(top_); }

  std::string Repository(const std::string& path) const {
    fs::create_directories(top_ / path / "objects");
    std::ofstream(top_ / path / "HEAD") << "x";
    return top_ / path;
  }
  std::vector<std::string> Find(const std::string& name) const {
    return FindSubmodule({"sub", "1111", name}, {top_ / ".git"}, top_);
  }

  fs::path top_;
};

TEST_F(FindSubmoduleTest, AmongTheModulesOfTheRepositoryAndItsWorktrees) {
  EXPECT_THAT(Find("a/b"), IsEmpty());
  const std::string module = Repository(".git/modules/a/b");
  const std::string other = Repository(".git/worktrees/w/modules/a/b");
  EXPECT_THAT(Find("a/b"), ElementsAre(module, other));
  EXPECT_THAT(Find(""), IsEmpty());
  Repository("elsewhere");
  EXPECT_THAT(Find("../../elsewhere"), IsEmpty());
}

TEST_F(FindSubmoduleTest, InTheWorkingTree) {
  const std::string module = Repository(".git/modules/s");
  fs::create_directory(top_ / "sub");
  EXPECT_EQ(RepositoryOf((top_ / "sub").string()), "");
  std::ofstream(top_ / "sub/.git") << "gitdir: ../.git/modules/s\n";
  EXPECT_EQ(RepositoryOf((top_ / "sub").string()), module);
  EXPECT_THAT(Find("s"), ElementsAre(module));
  // A separate repository, and a worktree of one.
  fs::remove(top_ / "sub/.git");
  const std::string inside = Repository("sub/.git");
  EXPECT_THAT(Find("s"), ElementsAre(inside, module));
  fs::remove_all(top_ / "sub/.git");
  fs::create_directories(top_ / ".git/modules/s/worktrees/w");
  std::ofstream(top_ / ".git/modules/s/worktrees/w/commondir") << "../..\n";
  std::ofstream(top_ / "sub/.git") << "gitdir: " << (top_ / ".git/modules/s/worktrees/w").string();
  EXPECT_THAT(Find(""), ElementsAre(module));
}

}  // namespace
}  // namespace duetbench::duet
