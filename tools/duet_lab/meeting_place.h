#ifndef DUETBENCH_TOOLS_DUET_LAB_MEETING_PLACE_H_
#define DUETBENCH_TOOLS_DUET_LAB_MEETING_PLACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "duetbench/platform/ticks.h"

// Ways for two threads to meet, to be compared. This header is included by files in C++17 and
// in C++20 (std::barrier), so it includes nothing whose layout depends on the language version.
namespace duetbench::lab {

// What one side sees of one meeting.
struct MeetingStamps {
  uint64_t arrival;  // before it waits
  uint64_t start;    // the stamp that opens its timed region, after the release
};

struct MeetingSeries {
  size_t meetings;
  uint64_t most_delay_ticks;  // each side comes to each meeting late by 0 to so much, at random
  uint64_t seed;
};

class MeetingPlace {
 public:
  virtual ~MeetingPlace() = default;
  // Executed by both sides (0 and 1) at the same time, each with its own `stamps`.
  virtual void MeetManyTimes(int side, const MeetingSeries& series, MeetingStamps* stamps) = 0;
};

// The loop of every MeetManyTimes, with the waiting inlined: a virtual call in each meeting would
// be measured too. Without the delays two sides that have just started together would come
// together, and no way of waiting would have to wait.
template <class Wait>
inline void RecordMeetings(int side, const MeetingSeries& series, MeetingStamps* stamps,
                           Wait wait) {
  uint64_t random = series.seed * 2 + static_cast<uint64_t>(side);
  for (size_t i = 0; i < series.meetings; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t delay = (random >> 33) % (series.most_delay_ticks + 1);
    const uint64_t begin = ticks::Now();
    while (ticks::Now() - begin < delay) {
    }
    stamps[i].arrival = ticks::Now();
    wait();
    stamps[i].start = ticks::Start();
  }
}

// The runner's rendezvous: epoch flags, then both wait for an agreed instant of the clock.
std::unique_ptr<MeetingPlace> MakeAlignedRendezvous(double ns_per_tick);
// The same flags without the instant.
std::unique_ptr<MeetingPlace> MakeFlagRendezvous(double ns_per_tick);
// std::barrier (C++20) with an expected count of two.
std::unique_ptr<MeetingPlace> MakeStdBarrier();
// pthread_barrier_t.
std::unique_ptr<MeetingPlace> MakePthreadBarrier();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MEETING_PLACE_H_
