#include "duetbench/platform/text_file.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(ReadTextFile, StripsTheLineEnd) {
  FileTree tree;
  tree.Write("/file", " two words ");
  EXPECT_THAT(ReadTextFile(tree.root() + "/file"), Optional(std::string("two words")));
  tree.Write("/file", "");
  EXPECT_THAT(ReadTextFile(tree.root() + "/file"), Optional(std::string("")));
}

TEST(ReadTextFile, GivesNothingForWhatCannotBeRead) {
  const FileTree tree;
  EXPECT_EQ(ReadTextFile(tree.root() + "/none"), std::nullopt);
  EXPECT_EQ(ReadTextFile(tree.root()), std::nullopt) << "a folder";
}

TEST(ReadNumberFile, TakesWholeNumbersOnly) {
  FileTree tree;
  tree.Write("/file", "-17");
  EXPECT_THAT(ReadNumberFile(tree.root() + "/file"), Optional(-17));
  for (const char* text : {"", "1 2", "0x10", "max"}) {
    tree.Write("/file", text);
    EXPECT_EQ(ReadNumberFile(tree.root() + "/file"), std::nullopt) << text;
  }
  EXPECT_EQ(ReadNumberFile(tree.root() + "/none"), std::nullopt);
}

TEST(ListFolder, GivesSortedNames) {
  FileTree tree;
  for (const char* file : {"/b", "/a", "/c/d"}) tree.Write(file, "");
  EXPECT_THAT(ListFolder(tree.root()), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ListFolder(tree.root() + "/none"), IsEmpty());
}

}  // namespace
}  // namespace duetbench
