// Children that are parts of this process (ChildRequest::is_part).

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/platform/subprocess.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using End = ChildOutcome::End;
using Body = std::function<void(int result_fd)>;

std::vector<ChildOutcome> RunParts(const std::vector<Body>& bodies,
                                   const WatchChildren& watch = nullptr,
                                   std::chrono::nanoseconds interval = std::chrono::hours(1)) {
  std::vector<ChildRequest> requests;
  for (const Body& body : bodies) {
    ChildRequest& request = requests.emplace_back();
    request.body = body;
    request.is_part = true;
  }
  auto outcomes = RunChildren(requests, watch, interval);
  EXPECT_TRUE(outcomes.ok()) << outcomes.status();
  return *std::move(outcomes);
}

Body Writes(const std::string& text) {
  return [text](int fd) {
    if (!KnownFile(fd).Write(text).ok()) _exit(1);
  };
}

TEST(ForkedChildrenTest, EachBringsWhatItWrote) {
  const std::string large(3 << 20, 'x');  // more than a pipe holds
  const auto outcomes = RunParts({Writes("first"), Writes(large)});
  EXPECT_EQ(outcomes[0].result, "first");
  EXPECT_EQ(outcomes[1].result, large);
}

TEST(ForkedChildrenTest, TheirStaticDataAreTheirOwn) {
  static int value = 1;
  const Body body = [](int fd) { Writes(std::to_string(++value))(fd); };
  for (const ChildOutcome& outcome : RunParts({body, body})) EXPECT_EQ(outcome.result, "2");
  EXPECT_EQ(value, 1);
}

TEST(ForkedChildrenTest, BelongToTheGroupOfThisProcess) {
  const Body body = [](int fd) { Writes(std::to_string(getpgrp()))(fd); };
  EXPECT_EQ(RunParts({body})[0].result, std::to_string(getpgrp()));
}

TEST(ForkedChildrenTest, OneThatBringsNothingEndsTheOthers) {
  const auto outcomes = RunParts({[](int) { pause(); }, [](int) { _exit(0); }});
  EXPECT_EQ(outcomes[0].end, End::kEndedWithOther);
  EXPECT_EQ(outcomes[1].end, End::kExited);
}

TEST(ForkedChildrenTest, AreWatched) {
  size_t most = 0;
  const auto watch = [&](absl::Span<const pid_t> children) {
    most = std::max(most, children.size());
  };
  const Body body = [](int fd) {
    usleep(20'000);
    Writes("over")(fd);
  };
  RunParts({body, body}, watch, std::chrono::milliseconds(1));
  EXPECT_EQ(most, 2);
}

TEST(ForkedChildrenTest, WriteIntoNoOtherFile) {
  const auto outcomes = RunParts({[](int fd) {
    const KnownFile pipe(fd);
    const int other = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int number = 3; number < 4096; ++number) {
      if (number != other) dup2(other, number);
    }
    _exit(pipe.Write("lost").ok() ? 0 : 7);
  }});
  EXPECT_EQ(outcomes[0].exit_code, 7);
  EXPECT_EQ(outcomes[0].result, "");
}

// A pipe that is closed, while the child runs, is not polled without pause.
TEST(ForkedChildrenTest, AClosedPipeIsNoEnd) {
  int looks = 0;
  RunParts(
      {[](int) {
        for (int fd = 3; fd < 4096; ++fd) close(fd);
        usleep(300'000);
      }},
      [&](absl::Span<const pid_t>) { ++looks; }, std::chrono::milliseconds(100));
  EXPECT_LT(looks, 400);
}

}  // namespace
}  // namespace duetbench
