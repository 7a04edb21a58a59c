#include "duetbench/platform/reopen_files.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

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
