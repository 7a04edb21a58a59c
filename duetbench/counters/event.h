#ifndef DUETBENCH_COUNTERS_EVENT_H_
#define DUETBENCH_COUNTERS_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace duetbench {

// The most events that one duet counts. Groups and readings are arrays of this size, so that the
// measuring threads allocate nothing.
inline constexpr size_t kMostEvents = 16;

// An event as the kernel is asked for it: the part of perf_event_attr that a name stands for.
// Trivially copyable: names are resolved once, and the codes travel to the process of each run.
struct EventCode {
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
  uint32_t type = 0;           // PERF_TYPE_HARDWARE, _SOFTWARE, …, or the number of a PMU
  uint8_t exclude_user = 0;    // 1: not in user mode
  uint8_t exclude_kernel = 1;  // 1: not in the kernel
  uint8_t exclude_hypervisor = 1;
  uint8_t precise = 0;  // precise_ip
};
static_assert(std::is_trivially_copyable_v<EventCode>);

// Counted by the kernel itself: needs no PMU, and never has to share one.
bool IsSoftware(const EventCode& code);

// What an event means for the columns that are derived from several (derived.h).
enum class EventRole : uint8_t {
  kOther,
  kInstructions,
  kCycles,
  kBranches,
  kBranchMisses,
  kMisses,  // of a cache or TLB
};

// An event that a user named.
struct Event {
  std::string name;  // as it was typed
  EventCode code;
};

// The role of an event, by its code where that is generic, else by the names that the PMUs of
// Intel, AMD and Arm have for it. kOther unless it counts user mode and nothing else (as it does
// without modifiers): a quotient of counts from different modes means nothing.
EventRole RoleOf(const EventCode& code, const std::string& name);

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_EVENT_H_
