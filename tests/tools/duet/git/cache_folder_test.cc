#include "tools/duet/git/cache_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

TEST(CacheRoot, IsOfTheUser) {
  EXPECT_EQ(*CacheRoot("/c", {"/x", "/h", "/p"}), "/c");
  EXPECT_EQ(*CacheRoot("", {"/x", "/h", "/p"}), "/x/duetbench");
  EXPECT_EQ(*CacheRoot("", {std::nullopt, "/h", "/p"}), "/h/.cache/duetbench");
  EXPECT_EQ(*CacheRoot("", {"relative", "", "/p"}), "/p/.cache/duetbench");
  EXPECT_EQ(*CacheRoot("", {std::nullopt, std::nullopt, "/p"}), "/p/.cache/duetbench");
}

TEST(CacheRoot, IsNeverAFolderOfEverybody) {
  const auto root = CacheRoot("", {std::nullopt, std::nullopt, ""});
  EXPECT_TRUE(absl::IsFailedPrecondition(root.status()));
  EXPECT_THAT(root.status().message(),
              AllOf(HasSubstr("HOME are not set"), HasSubstr("--cache=FOLDER")));
}

class CheckPrivateTest : public testing::Test {
 protected:
  CheckPrivateTest() {
    std::string path = fs::temp_directory_path() / "duetbench-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) ADD_FAILURE() << path;
    top_ = fs::canonical(path);
  }
  ~CheckPrivateTest() override { fs::remove_all(top_); }

  fs::path top_;
};

TEST_F(CheckPrivateTest, FoldersAreMadePrivate) {
  const mode_t before = umask(0);
  const auto made = MakePrivateFolder((top_ / "a/b").string());
  umask(before);
  ASSERT_TRUE(made.ok()) << made.status();
  for (const char* folder : {"a", "a/b"}) {
    struct stat status {};
    ASSERT_EQ(stat((top_ / folder).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0700u) << folder;
  }
  EXPECT_TRUE(CheckPrivate(top_.string(), *made).ok());
  EXPECT_EQ(*MakePrivateFolder((top_ / "a/b").string()), *made);
  std::ofstream(top_ / "file") << "x";
  EXPECT_FALSE(MakePrivateFolder((top_ / "file").string()).ok());
  EXPECT_FALSE(MakePrivateFolder((top_ / "file/below").string()).ok());
}

TEST_F(CheckPrivateTest, WhatOthersCanChangeIsRefused) {
  const std::string below = *MakePrivateFolder((top_ / "root/a/b").string());
  const std::string root = (top_ / "root").string();
  const auto error = [&] { return std::string(CheckPrivate(root, below).message()); };
  EXPECT_EQ(error(), "");
  for (const char* folder : {"root", "root/a", "root/a/b"}) {
    for (const mode_t mode : {0770, 0702}) {
      ASSERT_EQ(chmod((top_ / folder).c_str(), mode), 0);
      EXPECT_THAT(error(), HasSubstr((top_ / folder).string() + " can be changed by other users"));
    }
    ASSERT_EQ(chmod((top_ / folder).c_str(), 0755), 0);
    EXPECT_EQ(error(), "");
  }
  // Whoever can rename the root can replace it. A sticky folder such as /tmp prevents that.
  ASSERT_EQ(chmod(top_.c_str(), 0777), 0);
  EXPECT_THAT(error(), HasSubstr(top_.string() + " can be changed by everybody"));
  ASSERT_EQ(chmod(top_.c_str(), 01777), 0);
  EXPECT_EQ(error(), "");
  // The root of a sandbox has no other users.
  if (geteuid() != 0 || chown(top_.c_str(), 65534, 65534) != 0) return;
  EXPECT_THAT(error(), HasSubstr(top_.string() + " belongs to the user 65534"));
}

TEST_F(CheckPrivateTest, ALinkIsRefused) {
  fs::create_directory(top_ / "elsewhere");
  fs::create_symlink(top_ / "elsewhere", top_ / "link");
  EXPECT_THAT(CheckPrivate(top_.string(), (top_ / "link").string()).message(),
              HasSubstr("is a symbolic link"));
}

}  // namespace
}  // namespace duetbench::duet
