#ifndef DUETBENCH_PLATFORM_COUNTER_SET_H_
#define DUETBENCH_PLATFORM_COUNTER_SET_H_

#include <cstddef>
#include <cstdint>

#include "duetbench/platform/event.h"
#include "duetbench/platform/perf_system.h"
#include "duetbench/platform/reading.h"

namespace duetbench {

// The counters of one thread, which opens, enables and reads them itself.
//
// Software events form one group, which always counts. The others form as few groups as the PMU
// allows, in their order: a group is counted as a whole or not at all, so that its events belong to
// the same instructions. Groups take turns. The caller chooses the turn, the same for both threads
// of a duet, so that counts that are compared are of the same time.
//
//   CounterSet counters(&LinuxPerf(), codes, 2);
//   counters.Enable(turn);
//   counters.Start();  … the region …  counters.Stop();
//   counters.Disable();
//   if (counters.count(0).counted) …
//
// Nothing is allocated. An event that cannot be opened is never counted; error() says why.
class CounterSet {
 public:
  // No events: every call is free.
  CounterSet() = default;
  // Opens at most kMaxEvents. A group that the kernel accepted, but does not put on the PMU (a
  // counter is in use, by the NMI watchdog for instance), is split. About 10 µs an event, and 50 µs
  // a group to measure its overhead, which is the count of an empty region.
  CounterSet(PerfSystem* system, const EventCode* codes, size_t events);
  ~CounterSet();
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  size_t events() const { return events_; }
  // The errno of an event that could not be opened; 0 if it could.
  int error(size_t event) const { return errors_[event]; }
  // Number of groups that take turns; at least 1.
  size_t turns() const { return turns_ == 0 ? 1 : turns_; }
  // In which turn an event is counted; -1: in all of them, or never.
  int turn_of(size_t event) const { return turn_of_[event]; }

  // From here to Disable the groups of this turn count: 2.5 µs a call. `turn` is taken modulo
  // turns().
  void Enable(uint64_t turn);
  void Disable();

  // Begin and end the counted region, and leave a part of it out; by rdpmc where the kernel allows
  // it, else by one read() a group, 0.6 µs. Start resets all counts.
  void Start();
  void Pause();
  void Resume();
  void Stop();

  // The count of the last region; not `counted` for events of other turns.
  const Count& count(size_t event) const { return counts_[event]; }

 private:
  struct Group {
    int leader = -1;
    size_t size = 0;
    size_t events[kMaxEvents] = {};
    GroupReading before;
    bool begun = false;  // `before` is of this region
    double overhead[kMaxEvents] = {};
  };

  void OpenSoftware();
  void OpenHardware();
  bool Join(Group* group, size_t event);
  void CloseGroup(Group* group);
  bool GetsOntoPmu(Group* group);
  void MeasureOverhead();
  bool Read(const Group& group, GroupReading* reading);
  bool ReadKernel(const Group& group, GroupReading* reading);
  // Calls visit with every group that is enabled.
  template <class Visit>
  void ForEnabled(Visit visit);

  PerfSystem* system_ = nullptr;
  size_t events_ = 0;
  EventCode codes_[kMaxEvents];
  int errors_[kMaxEvents] = {};
  int files_[kMaxEvents] = {};
  int turn_of_[kMaxEvents] = {};
  const volatile perf_event_mmap_page* pages_[kMaxEvents] = {};
  Group software_;
  Group groups_[kMaxEvents];
  size_t turns_ = 0;
  Group* enabled_ = nullptr;  // of the groups that take turns
  size_t segments_ = 0;       // of the region that have ended
  Count counts_[kMaxEvents];
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_COUNTER_SET_H_
