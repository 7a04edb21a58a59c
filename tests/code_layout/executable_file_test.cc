#include "duetbench/code_layout/executable_file.h"

#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

pid_t Start(const Descriptor& file) {
  char name[] = "sleep", seconds[] = "100";
  char* const arguments[] = {name, seconds, nullptr};
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, PathOfDescriptor(file.get()).c_str(), nullptr, nullptr, arguments, environ);
  return error == 0 ? pid : -1;
}

TEST(RewriteExecutable, GivesAFileOtherBytesOnceNoProcessExecutesIt) {
  const auto sleep = MappedFile::Open("/bin/sleep"), fails = MappedFile::Open("/bin/false");
  ASSERT_TRUE(sleep.ok() && fails.ok());
  const auto file = MakeExecutable(sleep->bytes(), "/tmp", /*needs_folder=*/false);
  ASSERT_TRUE(file.ok()) << file.status();
  const pid_t sleeper = Start(*file);
  ASSERT_GT(sleeper, 0);
  EXPECT_FALSE(RewriteExecutable(*file, fails->bytes()));
  kill(sleeper, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(sleeper, &status, 0), sleeper);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it had its bytes still";

  ASSERT_TRUE(RewriteExecutable(*file, fails->bytes()));
  const pid_t failing = Start(*file);
  ASSERT_GT(failing, 0);
  ASSERT_EQ(waitpid(failing, &status, 0), failing);
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

}  // namespace
}  // namespace duetbench
