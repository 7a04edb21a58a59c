#include "duetbench/process/link_layouts.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A program of the text "123456789", in a folder of its own.
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

}  // namespace
}  // namespace duetbench
