#ifndef DUETBENCH_TESTS_PLATFORM_FAKE_PERF_H_
#define DUETBENCH_TESTS_PLATFORM_FAKE_PERF_H_

#include <linux/perf_event.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "duetbench/platform/counter_set.h"

namespace duetbench {

inline EventCode HardwareCode(uint64_t config) {
  EventCode code;
  code.type = PERF_TYPE_HARDWARE;
  code.config = config;
  return code;
}

inline EventCode SoftwareCode(uint64_t config) {
  EventCode code;
  code.type = PERF_TYPE_SOFTWARE;
  code.config = config;
  return code;
}

// A kernel and a PMU as a test wants them. Time stands still but for Happen() and what reading
// costs. Every event counts config + 1 an event of Happen.
class FakePerf final : public PerfSystem {
 public:
  std::map<uint64_t, int> errors;  // by config: the errno of opening it
  size_t accepted = kMaxEvents;    // hardware events in one group; more is EINVAL
  size_t counters = kMaxEvents;    // of the PMU; a larger group is accepted but never runs
  uint64_t cost_of_read = 0;       // events that happen while a group is read
  double share = 1;                // of the time that a hardware group is on the PMU
  int reads = 0;

  // So many happen, a nanosecond each.
  void Happen(uint64_t events) {
    for (auto& [leader, group] : groups_) {
      if (!group.enabled) continue;
      group.enabled_ns += events;
      if (!Runs(group)) continue;
      const auto on_pmu = static_cast<uint64_t>(
          group.software ? static_cast<double>(events) : static_cast<double>(events) * share);
      group.running_ns += on_pmu;
      for (const int member : group.members) {
        files_[member].value += on_pmu * (files_[member].code.config + 1);
      }
    }
  }

  // Descriptors that have not been closed.
  size_t open_files() const { return files_.size(); }
  // The enabled counters, by config.
  std::multiset<uint64_t> enabled() const {
    std::multiset<uint64_t> configs;
    for (const auto& [leader, group] : groups_) {
      if (!group.enabled) continue;
      for (const int member : group.members) configs.insert(files_.at(member).code.config);
    }
    return configs;
  }

  int Open(const EventCode& code, int leader) override {
    const auto error = errors.find(code.config);
    if (error != errors.end()) return -error->second;
    if (leader >= 0 && groups_[leader].members.size() >= accepted && !IsSoftware(code)) {
      return -EINVAL;
    }
    const int file = next_++;
    files_[file].code = code;
    Group& group = groups_[leader < 0 ? file : leader];
    group.software = IsSoftware(code);
    group.members.push_back(file);
    files_[file].leader = leader < 0 ? file : leader;
    return file;
  }

  void Close(int event) override {
    Group& group = groups_[files_.at(event).leader];
    for (size_t i = 0; i < group.members.size(); ++i) {
      if (group.members[i] == event)
        group.members.erase(group.members.begin() + static_cast<long>(i));
    }
    if (group.members.empty()) groups_.erase(files_[event].leader);
    files_.erase(event);
  }

  void Enable(int leader) override { groups_.at(leader).enabled = true; }
  void Disable(int leader) override { groups_.at(leader).enabled = false; }

  long Read(int leader, void* buffer, size_t size) override {
    ++reads;
    const Group& group = groups_.at(leader);
    std::vector<uint64_t> words = {group.members.size(), group.enabled_ns, group.running_ns};
    for (const int member : group.members) words.push_back(files_[member].value);
    if (size < words.size() * 8) return -ENOSPC;
    std::memcpy(buffer, words.data(), words.size() * 8);
    Happen(cost_of_read);
    return static_cast<long>(words.size() * 8);
  }

  void Exercise() override { Happen(1000); }

 private:
  struct File {
    EventCode code;
    int leader = -1;
    uint64_t value = 0;
  };
  struct Group {
    std::vector<int> members;
    bool software = false;
    bool enabled = false;
    uint64_t enabled_ns = 0;
    uint64_t running_ns = 0;
  };
  bool Runs(const Group& group) const { return group.software || group.members.size() <= counters; }

  int next_ = 3;
  std::map<int, File> files_;
  std::map<int, Group> groups_;
};

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_PLATFORM_FAKE_PERF_H_
