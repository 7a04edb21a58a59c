#include "tools/duet_lab/replicate/state_file.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace duetbench::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StateFileTest : public ::testing::Test {
 protected:
  void Write(const std::string& text) const { std::ofstream(path_) << text; }
  std::string Content() const { return TextOf(path_); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.File("state");
};

TEST_F(StateFileTest, RemovesAnIncompleteLastLine) {
  const std::string complete = "parameters\none\n";
  // Cut off anywhere, also within the first line.
  for (std::size_t length = 0; length < complete.size(); ++length) {
    Write(complete.substr(0, length));
    auto file = StateFile::Open(path_, "parameters");
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_THAT(file->lines(), IsEmpty()) << length;
    EXPECT_TRUE(file->Append("one").ok());
    EXPECT_EQ(Content(), complete) << length;
  }
}

TEST_F(StateFileTest, RefusesAndKeepsOtherFiles) {
  for (const std::string content : {"\nparameters\none\n", "other\none\n", "paraffin", "\n"}) {
    Write(content);
    const auto file = StateFile::Open(path_, "parameters");
    EXPECT_TRUE(absl::IsInvalidArgument(file.status())) << file.status();
    EXPECT_THAT(std::string(file.status().message()), HasSubstr("another measurement"));
    EXPECT_EQ(Content(), content);
  }
  EXPECT_THAT(std::string(StateFile::Open("/dev/null", "parameters").status().message()),
              HasSubstr("no regular file"));
  EXPECT_FALSE(StateFile::Open("/not/there/state", "parameters").ok());
}

TEST(StateFile, IsInMemoryWithoutAPath) {
  auto file = StateFile::Open("", "parameters");
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->Append("one").ok());
  EXPECT_THAT(file->lines(), ElementsAre("one"));
}

}  // namespace
}  // namespace duetbench::lab
