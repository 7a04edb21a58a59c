#include "tools/duet/git/build_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BuildMachine : public testing::Test {
 protected:
  BuildMachine() {
    std::string path = fs::temp_directory_path() / "duetbench-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) ADD_FAILURE() << path;
    root_ = path;
    for (const char* folder : {"first", "second", "real", "proc", "var/lib/dpkg"}) {
      fs::create_directories(root_ / folder);
    }
    Write("second/c++", "compiler");
    Write("proc/cpuinfo",
          "processor\t: 0\nmodel name\t: A 1\ncpu MHz\t\t: 1000\nflags\t\t: avx\n\n"
          "processor\t: 1\nmodel name\t: B 2\n");
    Write("var/lib/dpkg/status", "Package: a\n");
  }
  ~BuildMachine() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
  }
  std::string Description(const std::string& command = "",
                          const std::string& variable = "A=b") const {
    const std::string path =
        "PATH=" + (root_ / "first").string() + ":" + (root_ / "second").string() + "::relative";
    return DescribeMachine({command}, {path, variable}, root_.string());
  }

  fs::path root_;
};

TEST_F(BuildMachine, IsTheSameTwice) {
  EXPECT_EQ(Description(), Description());
  EXPECT_THAT(Description(), AllOf(HasSubstr("second/c++"), HasSubstr("A 1"), HasSubstr("avx"),
                                   Not(HasSubstr("MHz")), Not(HasSubstr("B 2"))));
}

TEST_F(BuildMachine, ACompilerBehindAWrapperCounts) {
  const std::string alone = Description();
  Write("first/c++", "wrapper");
  const std::string wrapped = Description();
  EXPECT_NE(wrapped, alone);
  Write("second/c++", "another compiler");
  EXPECT_NE(Description(), wrapped);
}

TEST_F(BuildMachine, ALinkCountsByItsTarget) {
  Write("real/gcc-12", "12");
  Write("real/gcc-13", "13");
  fs::create_symlink(root_ / "real/gcc-12", root_ / "first/gcc");
  const std::string twelve = Description();
  fs::remove(root_ / "first/gcc");
  fs::create_symlink(root_ / "real/gcc-13", root_ / "first/gcc");
  EXPECT_NE(Description(), twelve);
}

TEST_F(BuildMachine, ToolsOfCommandsAndVariablesCount) {
  Write("second/my-cc", "1");
  const std::string toolchain = (root_ / "real/toolchain.cmake").string();
  Write("real/toolchain.cmake", "1");
  EXPECT_THAT(Description(), Not(HasSubstr("my-cc")));
  for (const std::string& text :
       {Description("cd x && my-cc -o y"), Description("", "CXX=my-cc -m32"),
        Description("cmake -DCMAKE_CXX_COMPILER='my-cc'")}) {
    EXPECT_THAT(text, HasSubstr("second/my-cc"));
  }
  EXPECT_THAT(Description("cmake --toolchain=" + toolchain), HasSubstr(toolchain));
  EXPECT_THAT(Description("", "CMAKE_TOOLCHAIN_FILE=" + toolchain), HasSubstr(toolchain));
}

TEST_F(BuildMachine, InstalledPackagesCountByTheirContent) {
  const std::string before = Description();
  Write("var/lib/dpkg/status", "Package: a\n");
  EXPECT_EQ(Description(), before);
  Write("var/lib/dpkg/status", "Package: b\n");
  EXPECT_NE(Description(), before);
}

TEST_F(BuildMachine, FilesOfAFolderCount) {
  fs::create_directories(root_ / "linked/.git");
  Write("linked/a", "1");
  const std::string folder = (root_ / "linked").string();
  const std::string before = DescribeFolder(folder);
  EXPECT_EQ(DescribeFolder(folder), before);
  Write("linked/.git/index", "1");
  EXPECT_EQ(DescribeFolder(folder), before);
  Write("linked/a", "12");
  EXPECT_NE(DescribeFolder(folder), before);
  EXPECT_EQ(DescribeFolder("/no/such/folder"), "");
}

}  // namespace
}  // namespace duetbench::duet
