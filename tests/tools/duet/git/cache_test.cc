#include "tools/duet/git/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/temporary_folder.h"
#include "tools/duet/git/shell.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(CacheRoot, IsOfTheUser) {
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/h", 1);
  EXPECT_EQ(*CacheRoot("/c/../d"), "/d");
  EXPECT_EQ(*CacheRoot(""), "/h/.cache/duetbench");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(*CacheRoot(""), "/h/.cache/duetbench");
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(*CacheRoot(""), "/x/duetbench");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_THAT(CacheRoot("").status().message(), HasSubstr("--cache=FOLDER"));
  setenv("HOME", home.c_str(), 1);
}

class MakePrivateFolderTest : public testing::Test {
 protected:
  // The error for the folder top/root/own; empty: it is private.
  std::string Error() const {
    return std::string(MakePrivateFolder((top_ / "root/own").string()).status().message());
  }

  const TemporaryFolder folder_;
  const fs::path top_ = folder_.path();
};

TEST_F(MakePrivateFolderTest, MakesThemAllPrivate) {
  const mode_t before = umask(0);
  EXPECT_EQ(Error(), "");
  umask(before);
  for (const char* folder : {"root", "root/own"}) {
    struct stat status {};
    ASSERT_EQ(stat((top_ / folder).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0700u) << folder;
  }
  std::ofstream(top_ / "file") << "x";
  EXPECT_FALSE(MakePrivateFolder((top_ / "file").string()).ok());
  EXPECT_FALSE(MakePrivateFolder((top_ / "file/below").string()).ok());
}

TEST_F(MakePrivateFolderTest, WhatOthersCanChangeIsRefused) {
  EXPECT_EQ(Error(), "");
  const auto refuses = [&](const std::string& folder, mode_t mode) {
    EXPECT_EQ(chmod((top_ / folder).c_str(), mode), 0);
    const bool refused =
        Error().find((top_ / folder / "").parent_path().string() + " can be changed") == 0;
    EXPECT_EQ(Error().empty(), !refused) << Error();
    chmod((top_ / folder).c_str(), 0700);
    return refused;
  };
  for (const mode_t mode : {0750, 0770, 0701}) EXPECT_TRUE(refuses("root/own", mode)) << mode;
  for (const mode_t mode : {0770, 0702}) EXPECT_TRUE(refuses("root", mode)) << mode;
  EXPECT_FALSE(refuses("root", 0755));
  // Whoever can rename the root can replace it. A sticky folder such as /tmp prevents that.
  EXPECT_TRUE(refuses("", 0777));
  EXPECT_FALSE(refuses("", 01777));
  for (const char* folder : {"root/own", "root"}) {
    // Only root can give a folder away, and not in the user namespace of a sandbox.
    if (chown((top_ / folder).c_str(), 65534, 65534) != 0) return;
    EXPECT_THAT(Error(), HasSubstr("belongs to the user 65534"));
    ASSERT_EQ(chown((top_ / folder).c_str(), 0, 0), 0);
  }
}

class BuildKeyTest : public testing::Test {
 protected:
  BuildKeyTest() {
    for (const char* folder : {"first", "second", "real", "linked/.git"}) {
      fs::create_directories(top_ / folder);
    }
    Write("second/c++", "compiler");
    Write("linked/a", "1");
    Set("PATH", (top_ / "first").string() + ":" + (top_ / "second").string() + ":" + path_);
  }
  ~BuildKeyTest() override {
    for (const std::string& name : set_) unsetenv(name.c_str());
    setenv("PATH", path_.c_str(), 1);
  }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(top_ / name) << text;
    fs::permissions(top_ / name, fs::perms::owner_all);
  }
  void Set(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    set_.insert(name);
  }
  std::string Key(const std::string& command = "make") const {
    const auto key = BuildKey(top_.string(), "text", {command}, {(top_ / "linked").string()});
    EXPECT_TRUE(key.ok()) << key.status();
    return key.value_or("");
  }
  // True if `change` makes another key.
  template <typename Change>
  bool Decides(Change change) const {
    const std::string before = Key();
    change();
    return Key() != before;
  }

  const std::string path_ = std::getenv("PATH");
  const TemporaryFolder folder_;
  const fs::path top_ = folder_.path();
  std::set<std::string> set_;
};

TEST_F(BuildKeyTest, IsTheSameTwice) {
  EXPECT_FALSE(Decides([] {}));
}

TEST_F(BuildKeyTest, FilesInPathCountByTheirTargets) {
  EXPECT_TRUE(Decides([&] { Write("first/c++", "wrapper"); }));
  // Also behind a wrapper.
  EXPECT_TRUE(Decides([&] { Write("second/c++", "another compiler"); }));
  EXPECT_FALSE(Decides([&] { std::ofstream(top_ / "first/lock") << "no program"; }));
  Write("real/gcc-12", "12");
  Write("real/gcc-13", "thirteen");
  fs::create_symlink(top_ / "real/gcc-12", top_ / "first/gcc");
  EXPECT_TRUE(Decides([&] {
    fs::remove(top_ / "first/gcc");
    fs::create_symlink(top_ / "real/gcc-13", top_ / "first/gcc");
  }));
}

TEST_F(BuildKeyTest, FilesThatCommandsAndVariablesNameCount) {
  EXPECT_NE(Key("make"), Key("ninja"));
  const std::string file = (top_ / "real/toolchain.cmake").string();
  const std::string command = "cmake -DX='1' --toolchain='" + file + "'";
  Write("real/toolchain.cmake", "1");
  const std::string before = Key(command);
  EXPECT_FALSE(Decides([&] { Write("real/toolchain.cmake", "22"); }));
  EXPECT_NE(Key(command), before);
  Set("CMAKE_TOOLCHAIN_FILE", file);
  EXPECT_TRUE(Decides([&] { Write("real/toolchain.cmake", "333"); }));
}

TEST_F(BuildKeyTest, FilesOfLinkedFoldersCountButNotTheirRepository) {
  EXPECT_FALSE(Decides([&] { Write("linked/.git/index", "1"); }));
  EXPECT_TRUE(Decides([&] { Write("linked/a", "12"); }));
}

TEST_F(BuildKeyTest, WhateverVariableIsNotKnownDecides) {
  for (const char* name : {"CC", "CXXFLAGS", "LD_PRELOAD", "PKG_CONFIG_PATH", "Boost_ROOT", "CI",
                           "CIFLAGS", "TERMINAL", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"}) {
    EXPECT_TRUE(Decides([&] { Set(name, "-another"); })) << name;
  }
  for (const char* name : {"TERM", "TERM_PROGRAM", "SHLVL", "SSH_TTY", "GITHUB_RUN_ID", "CI_JOB_ID",
                           "DUET_OUT", "BENCHMARK_FILTER", "ITERM_SESSION_ID", "GITHUB_TOKEN",
                           "SSH_AUTH_SOCK", "GIT_AUTHOR_DATE", "DB_PASSWORD"}) {
    EXPECT_FALSE(Decides([&] { Set(name, "another"); })) << name;
  }
}

TEST_F(BuildKeyTest, BuildsGetCredentialsAndNoSession) {
  for (const char* name : {"CI_JOB_ID", "CI_JOB_TOKEN", "CXXFLAGS", "TERM"}) Set(name, "a b");
  const std::string file = (top_ / "seen").string();
  ASSERT_TRUE(RunCommand({"env >" + file, "", "listing variables", BuildPrologue("/cache")}).ok());
  std::set<std::string> lines;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) lines.insert(line);
  EXPECT_THAT(lines, testing::IsSupersetOf({"CI_JOB_TOKEN=a b", "CXXFLAGS=a b"}));
  EXPECT_EQ(lines.count("CI_JOB_ID=a b") + lines.count("TERM=a b"), 0u);
  EXPECT_EQ(fs::status(file).permissions() & fs::perms::others_read, fs::perms::none);
}

}  // namespace
}  // namespace duetbench::duet
