#include "duetbench/process/file_mark.h"

#include <cstdio>
#include <fstream>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(MarkOfFile, TellsAnotherFileAndAnotherContent) {
  const std::string path = ::testing::TempDir() + "/file_mark_test";
  const std::string other = path + ".other";
  std::remove(path.c_str());
  EXPECT_EQ(MarkOfFile(path), "");
  std::ofstream(path) << "one";
  const std::string first = MarkOfFile(path);
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

}  // namespace
}  // namespace duetbench
