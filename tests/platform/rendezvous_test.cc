#include "duetbench/platform/rendezvous.h"

#include <memory>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAreArray;

constexpr uint64_t kSpinTicks = 200'000;
constexpr uint64_t kLeadTicks = 1'000;

// Runs `body(rendezvous, side)` on two threads.
template <class Body>
void OnBothSides(Body body, uint64_t spin_ticks = kSpinTicks) {
  auto block = std::make_unique<RendezvousBlock>();
  const auto run = [&](int side) {
    Rendezvous rendezvous(block.get(), side, spin_ticks, kLeadTicks);
    body(rendezvous, side);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
}

TEST(Rendezvous, EachSideGetsWhatTheOtherBroughtAndBothTheSameRelease) {
  constexpr int kMeetings = 2'000;
  std::vector<uint64_t> releases[2];
  std::vector<uint64_t> payloads[2];
  OnBothSides([&](Rendezvous& rendezvous, int side) {
    for (uint64_t i = 0; i < kMeetings; ++i) {
      const Meeting meeting = rendezvous.Meet(2 * i + side);
      ASSERT_FALSE(meeting.partner_left);
      releases[side].push_back(meeting.release);
      payloads[side].push_back(meeting.partner_payload);
    }
  });
  EXPECT_EQ(releases[0], releases[1]);
  for (uint64_t i = 0; i < kMeetings; ++i) {
    ASSERT_EQ(payloads[0][i], 2 * i + 1);
    ASSERT_EQ(payloads[1][i], 2 * i);
  }
}

// A meeting orders memory: what one side wrote before, the other reads after. TSan would see a
// race.
TEST(Rendezvous, OrdersPlainMemory) {
  int64_t cells[2] = {0, 0};
  OnBothSides([&](Rendezvous& rendezvous, int side) {
    for (int64_t i = 1; i <= 500; ++i) {
      cells[side] = i;
      rendezvous.Meet(0);
      ASSERT_EQ(cells[1 - side], i);
      rendezvous.Meet(0);  // nobody writes before both have read
    }
  });
}

TEST(Rendezvous, ASideThatSleptMeetsAgainSoThatBothAreAwake) {
  int attempts[2] = {0, 0};
  OnBothSides([&](Rendezvous& rendezvous, int side) {
    for (int i = 0; i < 10; ++i) {
      if (side == i % 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const Meeting meeting = rendezvous.Meet(0);
      ASSERT_FALSE(meeting.partner_left);
      attempts[side] += meeting.attempts;
    }
  });
  EXPECT_EQ(attempts[0], attempts[1]);
  // Each of the ten needs a second meeting, unless the machine kept the other side away as long.
  EXPECT_GE(attempts[0], 15);
}

TEST(Rendezvous, SidesThatAreNeverAwakeAtOnceMeetInTheEnd) {
  Meeting meetings[2];
  OnBothSides([&](Rendezvous& rendezvous, int side) { meetings[side] = rendezvous.Meet(0); },
              /*spin_ticks=*/0);
  EXPECT_LE(meetings[0].attempts, 10);
  EXPECT_EQ(meetings[0].attempts, meetings[1].attempts);
  EXPECT_EQ(meetings[0].release, meetings[1].release);
}

TEST(Rendezvous, MeetingAsleepIsOneMeeting) {
  uint64_t releases[2][10];
  OnBothSides([&](Rendezvous& rendezvous, int side) {
    for (uint64_t i = 0; i < 10; ++i) {
      if (static_cast<uint64_t>(side) == i % 2) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      const Meeting meeting = rendezvous.MeetBlocking(10 * i + static_cast<uint64_t>(side));
      ASSERT_FALSE(meeting.partner_left);
      EXPECT_EQ(meeting.partner_payload, 10 * i + static_cast<uint64_t>(1 - side));
      EXPECT_EQ(rendezvous.epoch(), i + 1);
      releases[side][i] = meeting.release;
    }
    if (side == 0) {
      rendezvous.Leave();
    } else {
      EXPECT_TRUE(rendezvous.MeetBlocking(0).partner_left);
    }
  });
  EXPECT_THAT(releases[0], ElementsAreArray(releases[1]));
}

TEST(Rendezvous, LeavingReleasesAPartnerThatSpinsOrSleeps) {
  for (const int delay_ms : {0, 30}) {
    OnBothSides([&](Rendezvous& rendezvous, int side) {
      EXPECT_FALSE(rendezvous.Meet(0).partner_left);
      if (side == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
        rendezvous.Leave();
      } else {
        EXPECT_TRUE(rendezvous.Meet(0).partner_left);
        EXPECT_TRUE(rendezvous.Meet(0).partner_left);  // and stays so
      }
    });
  }
}

TEST(Rendezvous, WaitForReleaseEndsAtTheInstant) {
  const uint64_t release = ticks::Now() + 100'000;
  WaitForRelease(release);
  EXPECT_GE(ticks::Now(), release);
  WaitForRelease(release);  // in the past: returns at once
}

}  // namespace
}  // namespace duetbench
