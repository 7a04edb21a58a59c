#include <chrono>

#include "duetbench/platform/subprocess.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::chrono::steady_clock::time_point kBegin{hours(1000)};

TEST(SuspendAwareDeadline, EndsAtItsLimit) {
  SuspendAwareDeadline deadline(milliseconds(1000), kBegin);
  std::chrono::steady_clock::time_point now = kBegin;
  int turns = 0;
  for (nanoseconds turn; (turn = deadline.Turn(now)) > nanoseconds(0); ++turns) now += turn;
  EXPECT_EQ(now - kBegin, milliseconds(1000));
  EXPECT_EQ(turns, 10);
}

TEST(SuspendAwareDeadline, ManyShortTurnsCountInFull) {
  SuspendAwareDeadline deadline(milliseconds(1000), kBegin);
  for (int ms = 0; ms < 1000; ++ms) {
    EXPECT_GT(deadline.Turn(kBegin + milliseconds(ms)), nanoseconds(0)) << ms;
  }
  EXPECT_EQ(deadline.Turn(kBegin + milliseconds(1000)), nanoseconds(0));
}

TEST(SuspendAwareDeadline, TheLastTurnIsShorter) {
  SuspendAwareDeadline deadline(milliseconds(1000), kBegin);
  for (int ms = 0; ms <= 960; ms += 60) deadline.Turn(kBegin + milliseconds(ms));
  EXPECT_EQ(deadline.Turn(kBegin + milliseconds(970)), milliseconds(30));
}

TEST(SuspendAwareDeadline, APauseOfTheMachineCountsAsTwoTurns) {
  SuspendAwareDeadline deadline(milliseconds(1000), kBegin);
  EXPECT_EQ(deadline.Turn(kBegin), milliseconds(100));
  EXPECT_EQ(deadline.Turn(kBegin + hours(1)), milliseconds(100));
  for (int ms = 100; ms < 800; ms += 100) {
    EXPECT_GT(deadline.Turn(kBegin + hours(1) + milliseconds(ms)), nanoseconds(0)) << ms;
  }
  EXPECT_EQ(deadline.Turn(kBegin + hours(1) + milliseconds(800)), nanoseconds(0));
}

TEST(SuspendAwareDeadline, AClockThatIsSetBackDoesNotLengthenIt) {
  SuspendAwareDeadline deadline(milliseconds(1000), kBegin);
  constexpr std::chrono::steady_clock::time_point kBefore = kBegin - hours(900);
  EXPECT_EQ(deadline.Turn(kBefore), milliseconds(100));
  EXPECT_EQ(deadline.Turn(kBefore + milliseconds(950)), milliseconds(100)) << "two turns at most";
  for (int ms = 1000; ms < 1750; ms += 100) deadline.Turn(kBefore + milliseconds(ms));
  EXPECT_EQ(deadline.Turn(kBefore + milliseconds(1760)), nanoseconds(0));
}

TEST(SuspendAwareDeadline, WithoutALimitThereIsNone) {
  EXPECT_EQ(SuspendAwareDeadline(nanoseconds(0), kBegin).Turn(kBegin), nanoseconds(0));
}

}  // namespace
}  // namespace duetbench
