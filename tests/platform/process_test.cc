#include "duetbench/platform/process.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

// Where programs started from here have their stack.
std::set<std::string> Stacks() {
  std::set<std::string> stacks;
  for (int i = 0; i < 4; ++i) {
    FILE* const pipe = popen("grep '.stack.' /proc/self/maps", "r");
    char line[300] = "";
    if (pipe != nullptr && std::fgets(line, sizeof(line), pipe) != nullptr) stacks.insert(line);
    if (pipe != nullptr) pclose(pipe);
  }
  return stacks;
}

TEST(SetLayoutFixed, IsForTheProgramsStartedFromHere) {
  const bool was_fixed = LayoutFixedForProcess();
  SetLayoutFixed(true);
  if (!LayoutFixedForProcess()) GTEST_SKIP() << "cannot be changed here";
  EXPECT_EQ(Stacks().size(), 1u);
  SetLayoutFixed(false);
  EXPECT_FALSE(LayoutFixedForProcess());
  SetLayoutFixed(was_fixed);
  EXPECT_EQ(LayoutFixedForProcess(), was_fixed);
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
