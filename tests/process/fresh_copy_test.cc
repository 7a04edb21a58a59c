#include "duetbench/process/fresh_copy.h"

#include <unistd.h>

#include "duetbench/process/subprocess.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

// The output of a copy of readlink about itself.
TEST(FreshCopy, ExecutesTheSameProgramFromAnotherFile) {
  const auto copy = FreshCopy::Of("/bin/readlink");
  if (!copy.ok()) GTEST_SKIP() << copy.status();
  ChildRequest request;
  request.argv = {"readlink", "/proc/self/exe"};
  request.executable = request.fallback_executable = (*copy)->path();
  const auto outcome = RunSelf(request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->exit_code, 0);
  EXPECT_THAT(outcome->output_tail, HasSubstr("memfd:"));
}

TEST(FreshCopy, IsGoneWithTheObject) {
  auto copy = FreshCopy::Of("/bin/readlink");
  if (!copy.ok()) GTEST_SKIP() << copy.status();
  const std::string path = (*copy)->path();
  EXPECT_EQ(access(path.c_str(), R_OK), 0);
  copy->reset();
  EXPECT_NE(access(path.c_str(), R_OK), 0);
}

TEST(FreshCopy, NamesTheFileThatCannotBeRead) {
  EXPECT_THAT(std::string(FreshCopy::Of("/no/such/program").status().message()),
              HasSubstr("/no/such/program"));
}

}  // namespace
}  // namespace duetbench
