#include "duetbench/process/fresh_copy.h"

#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

// Without RunSelf, which would start the guard of groups in the process of the other tests.
int StatusOf(const std::string& executable) {
  const pid_t pid = fork();
  if (pid == 0) {
    execl(executable.c_str(), "copy", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST(FreshCopy, ExecutesTheSameProgram) {
  const auto succeeds = FreshCopy::Of("/bin/true");
  const auto fails = FreshCopy::Of("/bin/false");
  if (!succeeds.ok() || !fails.ok()) GTEST_SKIP() << succeeds.status();
  EXPECT_NE((*succeeds)->path(), (*fails)->path());
  EXPECT_EQ(StatusOf((*succeeds)->path()), 0);
  EXPECT_EQ(StatusOf((*fails)->path()), 1);
}

TEST(FreshCopy, IsGoneWithTheObject) {
  auto copy = FreshCopy::Of("/bin/true");
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
