#include "tools/duet_lab/loads.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DescendantsOf, FollowsTheParents) {
  const std::map<pid_t, pid_t> parents = {{10, 1}, {11, 10}, {12, 11}, {13, 10}, {14, 13}, {15, 1}};
  EXPECT_THAT(DescendantsOf(10, {13}, parents), ElementsAre(11, 12));
  EXPECT_THAT(DescendantsOf(12, {}, parents), IsEmpty());
}

TEST(Loads, AreGoneAfterwards) {
  for (const LoadKind kind : kAllLoads) {
    {
      const auto load = Load::Start(kind, {0});
      ASSERT_TRUE(load.ok()) << load.status();
      EXPECT_EQ(load->processes().empty(), kind == LoadKind::kNone);
      for (const pid_t process : load->processes()) EXPECT_EQ(kill(process, 0), 0);
    }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << LoadName(kind);
    EXPECT_EQ(errno, ECHILD);
  }
}

// A process that starts a load and is then killed: its load ends, too.
TEST(Loads, EndWithAProcessThatIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t lab = fork();
  ASSERT_GE(lab, 0);
  if (lab == 0) {
    const auto load = Load::Start(LoadKind::kOne, {0});
    const pid_t process = load.ok() ? load->processes()[0] : -1;
    if (write(ends[1], &process, sizeof process) != sizeof process) _exit(1);
    close(ends[0]);
    close(ends[1]);
    pause();
    _exit(0);
  }
  close(ends[1]);
  pid_t process = -1;
  ASSERT_EQ(read(ends[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  ASSERT_GT(process, 0);
  kill(lab, SIGKILL);
  waitpid(lab, nullptr, 0);
  // The pipe's last writer is the load: its end is the end of the file.
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace duetbench::lab
