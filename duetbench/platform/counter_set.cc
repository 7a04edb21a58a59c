#include "duetbench/platform/counter_set.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace duetbench {
namespace {

class Perf final : public PerfSystem {
 public:
  int Open(const EventCode& code, int leader) override {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = code.type;
    attributes.config = code.config;
    attributes.config1 = code.config1;
    attributes.config2 = code.config2;
    attributes.exclude_user = code.exclude_user;
    attributes.exclude_kernel = code.exclude_kernel;
    attributes.exclude_hv = code.exclude_hypervisor;
    attributes.precise_ip = code.precise & 3u;
    attributes.disabled = leader < 0 ? 1 : 0;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    constexpr int kThisThread = 0;
    constexpr int kAnyCpu = -1;
    const long event = syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyCpu, leader,
                               PERF_FLAG_FD_CLOEXEC);
    return event < 0 ? -errno : static_cast<int>(event);
  }

  void Close(int event) override { close(event); }

  // Only the leader: members are always enabled, and count while their leader does. Disabled and
  // enabled as a whole group (PERF_IOC_FLAG_GROUP), the clocks among the software events stood
  // still from the second time on (Linux 6.18).
  void Enable(int leader) override { ioctl(leader, PERF_EVENT_IOC_ENABLE, 0); }
  void Disable(int leader) override { ioctl(leader, PERF_EVENT_IOC_DISABLE, 0); }

  long Read(int leader, void* buffer, size_t size) override {
    const ssize_t bytes = read(leader, buffer, size);
    return bytes < 0 ? -errno : static_cast<long>(bytes);
  }

  void Exercise() override {
    for (int i = 0; i < 10'000; ++i) asm volatile("" : "+r"(i));
  }
};

constexpr int kEmptyRegions = 16;

}  // namespace

bool IsSoftware(const EventCode& code) { return code.type == PERF_TYPE_SOFTWARE; }

PerfSystem& LinuxPerf() {
  static Perf* const system = new Perf;  // never destroyed: threads may outlive main
  return *system;
}

bool DecodeGroupRead(const void* bytes, size_t size, size_t events, GroupReading* reading) {
  if (events > kMaxEvents || size != GroupReadBytes(events)) return false;
  uint64_t words[3 + kMaxEvents];
  std::memcpy(words, bytes, size);
  if (words[0] != events) return false;
  reading->enabled_ns = words[1];
  reading->running_ns = words[2];
  std::copy(words + 3, words + 3 + events, reading->values);
  return true;
}

Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index) {
  // Modulo 2^64, as the counters themselves.
  const uint64_t value = after.values[index] - before.values[index];
  const uint64_t enabled = after.enabled_ns - before.enabled_ns;
  const uint64_t running = after.running_ns - before.running_ns;
  Count count;
  if (running == 0) return count;
  count.counted = true;
  count.scaled = running < enabled;
  count.value = static_cast<double>(value);
  if (count.scaled) count.value *= static_cast<double>(enabled) / static_cast<double>(running);
  return count;
}

CounterSet::CounterSet(PerfSystem* system, const EventCode* codes, size_t events)
    : system_(system), events_(std::min(events, kMaxEvents)) {
  std::copy(codes, codes + events_, codes_);
  for (size_t event = 0; event < events_; ++event) Open(event);
  MeasureOverhead();
}

CounterSet::~CounterSet() {
  // Members first: if its leader is closed first, each member becomes a group.
  for (Group& group : groups_) {
    while (group.size > 0) CloseLast(&group);
  }
}

// On success the event is in its group; on failure errors_ says why.
void CounterSet::Open(size_t event) {
  Group& group = groups_[IsSoftware(codes_[event]) ? 0 : 1];
  int file = system_->Open(codes_[event], group.leader);
  if (file < 0 && group.size > 0) {
    // Alone?
    const int alone = system_->Open(codes_[event], -1);
    if (alone >= 0) system_->Close(alone);
    errors_[event] = alone >= 0 ? kNoCounterLeft : -alone;
    return;
  }
  errors_[event] = file < 0 ? -file : 0;
  if (file < 0) return;
  if (group.leader < 0) group.leader = file;
  group.files[group.size] = file;
  group.events[group.size++] = event;
  if (IsSoftware(codes_[event]) || group.size == 1 || GetsOntoPmu(group)) return;
  CloseLast(&group);
  errors_[event] = kNoCounterLeft;
}

void CounterSet::CloseLast(Group* group) {
  system_->Close(group->files[--group->size]);
  if (group->size == 0) group->leader = -1;
}

bool CounterSet::GetsOntoPmu(const Group& group) {
  GroupReading before;
  GroupReading after;
  system_->Enable(group.leader);
  bool runs = Read(group, &before);
  system_->Exercise();
  runs = runs && Read(group, &after) && after.running_ns > before.running_ns;
  system_->Disable(group.leader);
  return runs;
}

void CounterSet::MeasureOverhead() {
  double smallest[kMaxEvents] = {};
  bool known[kMaxEvents] = {};
  Enable();
  for (int i = 0; i < kEmptyRegions; ++i) {
    Start();
    Stop();
    for (size_t event = 0; event < events_; ++event) {
      if (!counts_[event].counted) continue;
      smallest[event] =
          known[event] ? std::min(smallest[event], counts_[event].value) : counts_[event].value;
      known[event] = true;
    }
  }
  Disable();
  std::copy(smallest, smallest + kMaxEvents, overhead_);
}

void CounterSet::Enable() {
  for (const Group& group : groups_) {
    if (group.size > 0) system_->Enable(group.leader);
  }
}

void CounterSet::Disable() {
  for (const Group& group : groups_) {
    if (group.size > 0) system_->Disable(group.leader);
  }
}

bool CounterSet::Read(const Group& group, GroupReading* reading) {
  char bytes[GroupReadBytes(kMaxEvents)];
  const long size = system_->Read(group.leader, bytes, GroupReadBytes(group.size));
  return size > 0 && DecodeGroupRead(bytes, static_cast<size_t>(size), group.size, reading);
}

void CounterSet::Start() {
  if (events_ == 0) return;
  std::fill(counts_, counts_ + events_, Count{});
  for (const Group& group : groups_) {
    for (size_t i = 0; i < group.size; ++i) counts_[group.events[i]].counted = true;
  }
  Resume();
}

void CounterSet::Resume() {
  for (Group& group : groups_) group.begun = group.size > 0 && Read(group, &group.before);
}

void CounterSet::Pause() {
  GroupReading after[2];
  bool is_read[2] = {false, false};
  for (int g = 1; g >= 0; --g) is_read[g] = groups_[g].begun && Read(groups_[g], &after[g]);
  for (int g = 0; g < 2; ++g) {
    const Group& group = groups_[g];
    for (size_t i = 0; i < group.size; ++i) {
      Count& count = counts_[group.events[i]];
      const Count part = is_read[g] ? CountBetween(group.before, after[g], i) : Count{};
      count.counted = count.counted && part.counted;  // of every part
      count.scaled = count.scaled || part.scaled;
      count.value += std::max(0.0, part.value - overhead_[group.events[i]]);
    }
  }
}

void CounterSet::Stop() { Pause(); }

}  // namespace duetbench
