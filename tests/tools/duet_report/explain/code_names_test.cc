#include "tools/duet_report/explain/code_names.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(CodeNames, AFileThatIsNotThereHasNoNames) {
  auto names = CodeNames::Load();
  if (!names.ok()) GTEST_SKIP() << names.status();
  for (const char* const file : {"", "/no/such/file", "/etc/passwd"}) {
    const std::vector<NamedFrame>& frames = (*names)->FramesAt(file, 0x1234);
    ASSERT_EQ(frames.size(), 1u) << file;
    EXPECT_EQ(frames[0].function, "") << file;
  }
}

}  // namespace
}  // namespace duetbench
