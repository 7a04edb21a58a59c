#include "duetbench/process/executable.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A program of the text "123456789", in its own folder.
class FindLinkLayoutsTest : public ::testing::Test {
 protected:
  FindLinkLayoutsTest() {
    folder_ = ::testing::TempDir() + "/link_layouts_test." + TestName();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    Write("program", "123456789");
  }
  ~FindLinkLayoutsTest() override { std::filesystem::remove_all(folder_); }

  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    std::ofstream(Path(name)) << text;
  }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

TEST_F(FindLinkLayoutsTest, WithoutAFolderTheProgramIsAlone) {
  const auto layouts = FindLinkLayouts(Path("program"));
  ASSERT_TRUE(layouts.ok());
  EXPECT_THAT(*layouts, ElementsAre(Path("program")));
}

TEST_F(FindLinkLayoutsTest, ListsThoseOfTheSameLinkInOrder) {
  for (const char* name : {"10", "2", "1", "notes"}) {
    Write(std::string("program.layouts/") + name, "");
  }
  Write("program.layouts/of", "930766865 9\n");  // printf 123456789 | cksum
  const auto layouts = FindLinkLayouts(Path("program"));
  ASSERT_TRUE(layouts.ok()) << layouts.status();
  EXPECT_THAT(*layouts, ElementsAre(Path("program"), Path("program.layouts/1"),
                                    Path("program.layouts/2"), Path("program.layouts/10")));
}

TEST_F(FindLinkLayoutsTest, RefusesThoseOfAnotherLink) {
  Write("program.layouts/1", "");
  EXPECT_EQ(FindLinkLayouts(Path("program")).status().code(),
            absl::StatusCode::kFailedPrecondition);
  Write("program.layouts/of", "930766865 9\n");
  EXPECT_TRUE(FindLinkLayouts(Path("program")).ok());
  Write("program", "123456780");
  const auto layouts = FindLinkLayouts(Path("program"));
  EXPECT_THAT(std::string(layouts.status().message()), HasSubstr("not of the same link"));
}

TEST(PosixChecksum, IsThatOfCksum) {
  EXPECT_EQ(PosixChecksum(""), "4294967295 0");
  EXPECT_EQ(PosixChecksum(std::string(300, 'x')), "3786917833 300");
}

TEST(MarkOfFile, TellsAnotherFileAndAnotherContent) {
  const std::string path = ::testing::TempDir() + "/file_mark_test";
  const std::string other = path + ".other";
  std::remove(path.c_str());
  EXPECT_EQ(MarkOfFile(path), "");
  std::ofstream(path) << "one";
  const std::string first = MarkOfFile(path);
  EXPECT_TRUE(CheckMarks({{path, first}}).ok());
  EXPECT_EQ(CheckMarks({{path, "another"}}).code(), absl::StatusCode::kAborted);
  EXPECT_NE(first, "");
  EXPECT_EQ(MarkOfFile(path), first);
  std::ofstream(path, std::ios::app) << "two";
  const std::string longer = MarkOfFile(path);
  EXPECT_NE(longer, first);
  // As a linker does it: a new file of the same name.
  std::ofstream(other) << "onetwo";
  ASSERT_EQ(std::rename(other.c_str(), path.c_str()), 0);
  EXPECT_NE(MarkOfFile(path), longer);
  std::remove(path.c_str());
}

TEST(MappedFiles, AreExecutableAndNotDeleted) {
  EXPECT_THAT(FilesInMaps("55d0-55d1 r--p 00000000 fe:00 123      /bin/data\n"
                          "55d1-55d2 r-xp 00001000 fe:00 124      /usr/lib/a b.so\n"
                          "55d2-55d3 r-xp 00001000 fe:00 124      /usr/lib/a b.so\n"
                          "55d3-55d4 r-xp 00001000 fe:00 125      /bin/gone (deleted)\n"
                          "55d4-55d5 r-xp 00000000 00:00 0        [vdso]\n"
                          "55d5-55d6 rwxp 00000000 00:00 0 \n"
                          "7ffc"),
              ::testing::ElementsAre("/usr/lib/a b.so"));
  EXPECT_THAT(MappedFiles(), ::testing::Contains(PathOfThisProgram()));
}

}  // namespace
}  // namespace duetbench
