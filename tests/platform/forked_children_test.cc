#include "duetbench/platform/forked_children.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

void AwaitAll(ForkedChildren* children) {
  const auto runs = [&] {
    for (const auto& child : children->children()) {
      if (!child->has_ended) return true;
    }
    return false;
  };
  const steady_clock::time_point begin = steady_clock::now();
  while (runs() && steady_clock::now() - begin < seconds(60)) children->Await(seconds(1));
}

TEST(ForkedChildrenTest, EachBringsWhatItWrote) {
  ForkedChildren children;
  const std::string large(3 << 20, 'x');  // more than a pipe holds
  for (const std::string& text : {std::string("first"), large}) {
    ASSERT_TRUE(children
                    .Start([&](const ForkedChildren::Pipe& pipe) {
                      if (!pipe.Write(text)) _exit(1);
                    })
                    .ok());
  }
  AwaitAll(&children);
  EXPECT_EQ(children.children()[0]->written, "first");
  EXPECT_EQ(children.children()[1]->written, large);
  for (const auto& child : children.children()) EXPECT_FALSE(child->failed());
}

TEST(ForkedChildrenTest, TheirStaticDataAreTheirOwn) {
  static int value = 1;
  ForkedChildren children;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(
        children
            .Start([](const ForkedChildren::Pipe& pipe) { pipe.Write(std::to_string(++value)); })
            .ok());
  }
  AwaitAll(&children);
  EXPECT_EQ(children.children()[0]->written, "2");
  EXPECT_EQ(children.children()[1]->written, "2");
  EXPECT_EQ(value, 1);
}

TEST(ForkedChildrenTest, TellHowTheyEnded) {
  ForkedChildren children;
  ASSERT_TRUE(children.Start([](const ForkedChildren::Pipe&) { _exit(3); }).ok());
  ASSERT_TRUE(children.Start([](const ForkedChildren::Pipe&) { raise(SIGKILL); }).ok());
  AwaitAll(&children);
  EXPECT_EQ(WEXITSTATUS(children.children()[0]->wait_status), 3);
  EXPECT_EQ(WTERMSIG(children.children()[1]->wait_status), SIGKILL);
}

TEST(ForkedChildrenTest, OneThatIsStoppedIsKnown) {
  ForkedChildren children;
  ASSERT_TRUE(children.Start([](const ForkedChildren::Pipe&) { raise(SIGSTOP); }).ok());
  for (int i = 0; i < 6000 && !children.IsStopped(0); ++i) usleep(10'000);
  EXPECT_TRUE(children.IsStopped(0));
  kill(children.children()[0]->pid, SIGCONT);
  AwaitAll(&children);
  EXPECT_FALSE(children.IsStopped(0));
}

TEST(ForkedChildrenTest, AProcessCanEndLikeThem) {
  ForkedChildren children;
  ASSERT_TRUE(children.Start([](const ForkedChildren::Pipe&) { EndLike(3 << 8); }).ok());
  ASSERT_TRUE(children.Start([](const ForkedChildren::Pipe&) { EndLike(SIGTERM); }).ok());
  AwaitAll(&children);
  EXPECT_EQ(children.children()[0]->wait_status, 3 << 8);
  EXPECT_EQ(WTERMSIG(children.children()[1]->wait_status), SIGTERM);
}

TEST(ForkedChildrenTest, AreKilledWithTheObject) {
  pid_t pid = -1;
  {
    ForkedChildren children;
    ASSERT_TRUE(children
                    .Start([](const ForkedChildren::Pipe&) {
                      for (;;) pause();
                    })
                    .ok());
    pid = children.children()[0]->pid;
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(ForkedChildrenTest, WriteIntoNoOtherFile) {
  ForkedChildren children;
  ASSERT_TRUE(children
                  .Start([](const ForkedChildren::Pipe& pipe) {
                    const int other = open("/dev/null", O_WRONLY | O_CLOEXEC);
                    for (int fd = 3; fd < 4096; ++fd) {
                      if (fd != other) dup2(other, fd);
                    }
                    _exit(pipe.Write("lost") ? 0 : 7);
                  })
                  .ok());
  AwaitAll(&children);
  EXPECT_EQ(WEXITSTATUS(children.children()[0]->wait_status), 7);
  EXPECT_EQ(children.children()[0]->written, "");
}

// A pipe that is closed, while the child runs, is not polled without pause.
TEST(ForkedChildrenTest, AClosedPipeIsNoEnd) {
  ForkedChildren children;
  ASSERT_TRUE(children
                  .Start([](const ForkedChildren::Pipe&) {
                    for (int fd = 3; fd < 4096; ++fd) close(fd);
                    usleep(300'000);
                  })
                  .ok());
  int turns = 0;
  while (!children.children()[0]->has_ended && turns < 100'000) {
    children.Await(std::chrono::milliseconds(100));
    ++turns;
  }
  EXPECT_TRUE(children.children()[0]->has_ended);
  EXPECT_LT(turns, 400);  // one a millisecond where the end of a process is polled for
}

}  // namespace
}  // namespace duetbench
