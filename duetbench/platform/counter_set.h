#ifndef DUETBENCH_PLATFORM_COUNTER_SET_H_
#define DUETBENCH_PLATFORM_COUNTER_SET_H_

#include <cstddef>
#include <cstdint>

#include "duetbench/platform/event.h"

namespace duetbench {

// True if the kernel itself counts the event, without a PMU.
bool IsSoftware(const EventCode& code);

// The system calls for counters: an interface, so that tests can imitate every kernel.
class PerfSystem {
 public:
  virtual ~PerfSystem() = default;

  // Opens an event for the calling thread, on any CPU, not for its children. `leader` is the event
  // whose group it joins; -1: it leads a new group, which is disabled. Returns a file descriptor,
  // or -errno.
  virtual int Open(const EventCode& code, int leader) = 0;
  virtual void Close(int event) = 0;

  // For the whole group.
  virtual void Enable(int leader) = 0;
  virtual void Disable(int leader) = 0;

  // Returns the number of bytes read (GroupReadBytes), or -errno.
  virtual long Read(int leader, void* buffer, size_t size) = 0;

  // Executes instructions for a few microseconds, for counters to count.
  virtual void Exercise() = 0;
};

// The kernel of this machine. Enable and Disable together 4.9 µs, Read 0.6 µs.
PerfSystem& LinuxPerf();

// The counters of one group at one instant; all since they were opened.
struct GroupReading {
  uint64_t enabled_ns = 0;  // how long the group was enabled
  uint64_t running_ns = 0;  // how long it was on the PMU
  uint64_t values[kMaxEvents] = {};
};

// Bytes that read() gives for a group of n events with PERF_FORMAT_GROUP, _TOTAL_TIME_ENABLED and
// _TOTAL_TIME_RUNNING: n, time enabled, time running, n values, 8 bytes each.
constexpr size_t GroupReadBytes(size_t events) { return (3 + events) * sizeof(uint64_t); }

// Decodes them. False if the bytes are not a reading of a group of `events`.
bool DecodeGroupRead(const void* bytes, size_t size, size_t events, GroupReading* reading);

// The number of times that an event happened between two readings.
struct Count {
  double value = 0;
  // The group was on the PMU at some time in between. Otherwise the count is unknown, and not 0.
  bool counted = false;
  // The group was off the PMU at some time, because others used it: `value` is scaled to the whole
  // time, which is right for events that happen evenly.
  bool scaled = false;
};

// The count of event `index` of a group between two of its readings: value * enabled / running.
Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index);

// The counters of one thread, which opens, enables and reads them itself.
//
// Software events form one group, and the others another one, which is counted as a whole or not at
// all, so that its events belong to the same instructions. Events that the PMU has no counter for
// beside those before them are left out.
//
// Nothing is allocated. An event that cannot be opened is never counted; error() says why.
class CounterSet {
 public:
  // No events: every call is free.
  CounterSet() = default;
  // Opens at most kMaxEvents. About 10 µs an event, and 50 µs a group to measure its overhead,
  // which is the count of an empty region.
  CounterSet(PerfSystem* system, const EventCode* codes, size_t events);
  ~CounterSet();
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  size_t events() const { return events_; }
  // The errno of an event that could not be opened; kNoCounterLeft; 0 if it is open.
  int error(size_t event) const { return errors_[event]; }
  // The PMU counts the event alone, but not beside those before it. (A counter may be in use, by
  // the NMI watchdog for instance: the kernel then accepts the group, and never puts it on the
  // PMU.)
  static constexpr int kNoCounterLeft = -1;

  // From here to Disable events are counted: 2.5 µs a call.
  void Enable();
  void Disable();

  // Begin and end the counted region, and leave a part of it out; by one read() a group, 0.6 µs.
  // Start resets all counts.
  void Start();
  void Pause();
  void Resume();
  void Stop();

  // The count of the last region.
  const Count& count(size_t event) const { return counts_[event]; }

 private:
  struct Group {
    int leader = -1;
    size_t size = 0;
    size_t events[kMaxEvents] = {};
    int files[kMaxEvents] = {};
    GroupReading before;
    bool begun = false;  // `before` is of this region
  };

  void Open(size_t event);
  void CloseLast(Group* group);
  bool GetsOntoPmu(const Group& group);
  void MeasureOverhead();
  bool Read(const Group& group, GroupReading* reading);
  PerfSystem* system_ = nullptr;
  size_t events_ = 0;
  EventCode codes_[kMaxEvents];
  int errors_[kMaxEvents] = {};
  double overhead_[kMaxEvents] = {};  // the counts of an empty region
  Group groups_[2];  // software, hardware; the latter, on the PMU, is read next to the region
  Count counts_[kMaxEvents];
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_COUNTER_SET_H_
