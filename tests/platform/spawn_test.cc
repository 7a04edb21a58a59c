#include "duetbench/platform/spawn.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

bool IsDevNull(int fd) {
  struct stat null {};
  struct stat opened {};
  return stat("/dev/null", &null) == 0 && fstat(fd, &opened) == 0 &&
         opened.st_rdev == null.st_rdev && S_ISCHR(opened.st_mode);
}

TEST(RunSelf, ABodyIsExecutedByAFork) {
  ChildRequest request;
  int number = 1;
  request.body = [&number](int result_fd) {
    number = 2;
    std::printf("said %d", number);
    std::fflush(stdout);
    WriteResult(result_fd, "the result").IgnoreError();
    _exit(getpgrp() == getpid() ? 3 : 4);
  };
  const ChildOutcome outcome = RunSelf(request).value();
  EXPECT_EQ(outcome.exit_code, 3) << "it leads a group";
  EXPECT_EQ(outcome.result, "the result");
  EXPECT_EQ(outcome.output_tail, "said 2");
  EXPECT_EQ(number, 1);
}

TEST(OpenStandardDescriptors, OpensThoseThatAreClosedAndNoOthers) {
  for (int closed = 0; closed < 8; ++closed) {
    EXPECT_EXIT(
        {
          struct stat before[3];
          struct stat after {};
          for (int fd = 0; fd < 3; ++fd) {
            fstat(fd, &before[fd]);
            if ((closed >> fd & 1) != 0) close(fd);
          }
          OpenStandardDescriptors();
          bool good = true;
          for (int fd = 0; fd < 3; ++fd) {
            good = good && fstat(fd, &after) == 0 &&
                   ((closed >> fd & 1) != 0 ? IsDevNull(fd) : after.st_ino == before[fd].st_ino);
          }
          _exit(good ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << closed;
  }
}

}  // namespace
}  // namespace duetbench
