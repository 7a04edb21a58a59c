#include "duetbench/platform/spawn.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
#include <functional>

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

// Offset of `fd` after a fork has called `body` and has read a byte of it.
off_t OffsetAfterReading(int fd, const std::function<void()>& body) {
  lseek(fd, 3, SEEK_SET);
  const pid_t child = fork();
  if (child == 0) {
    body();
    char byte = 0;
    const bool is_there = read(fd, &byte, 1) == 1 && byte == '3';
    _exit(is_there && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0 ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return lseek(fd, 0, SEEK_CUR);
}

TEST(ReopenFiles, OffsetsAreThoseOfTheFork) {
  std::FILE* const file = std::tmpfile();  // has no name any more
  ASSERT_NE(file, nullptr);
  const int fd = fileno(file);
  ASSERT_EQ(write(fd, "0123456789", 10), 10);
  EXPECT_EQ(OffsetAfterReading(fd, [] {}), 4);
  EXPECT_EQ(OffsetAfterReading(fd, ReopenFiles), 3);
  std::fclose(file);
}

}  // namespace

}  // namespace duetbench
