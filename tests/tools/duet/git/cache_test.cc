#include "tools/duet/git/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/temporary_folder.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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

}  // namespace
}  // namespace duetbench::duet
