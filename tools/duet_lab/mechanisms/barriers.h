#ifndef DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_BARRIERS_H_
#define DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_BARRIERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "duetbench/platform/ticks.h"

// Barriers for two threads, to be compared. Files in C++17 and in C++20 (std::barrier) include this
// header, so it includes nothing whose layout depends on the language version.
namespace duetbench::lab {

// Times of one thread in one rendezvous.
struct RendezvousStamps {
  uint64_t arrival;  // before it waits
  uint64_t start;    // the stamp that opens its timed region, after the release
};

struct RendezvousSeries {
  size_t count;
  uint64_t max_delay_ticks;  // each thread arrives late by a random delay up to this
  uint64_t seed;
};

class Barrier {
 public:
  virtual ~Barrier() = default;
  // Called by both threads (0 and 1) at the same time, each with its own `stamps`.
  virtual void Repeat(int side, const RendezvousSeries& series, RendezvousStamps* stamps) = 0;
};

// The loop of every Repeat, with the waiting inlined: a virtual call in each rendezvous would be
// measured too. Without the delays two threads that have just started together would also arrive
// together, and no barrier would have to wait.
template <class Wait>
inline void RecordSeries(int side, const RendezvousSeries& series, RendezvousStamps* stamps,
                         Wait wait) {
  uint64_t random = series.seed * 2 + static_cast<uint64_t>(side);
  for (size_t i = 0; i < series.count; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t delay = (random >> 33) % (series.max_delay_ticks + 1);
    const uint64_t begin = ticks::Now();
    while (ticks::Now() - begin < delay) {
    }
    stamps[i].arrival = ticks::Now();
    wait();
    stamps[i].start = ticks::Start();
  }
}

// The library's rendezvous: epoch flags, then both wait for an agreed instant of the clock.
std::unique_ptr<Barrier> MakeAlignedRendezvous(double ns_per_tick);
// The same flags without the instant.
std::unique_ptr<Barrier> MakeFlagRendezvous(double ns_per_tick);
// std::barrier (C++20) with an expected count of two.
std::unique_ptr<Barrier> MakeStdBarrier();
// pthread_barrier_t.
std::unique_ptr<Barrier> MakePthreadBarrier();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_BARRIERS_H_
