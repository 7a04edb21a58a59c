#ifndef DUETBENCH_PLATFORM_EVENT_H_
#define DUETBENCH_PLATFORM_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace duetbench {

// Groups and readings are arrays of this size, so that the measuring threads allocate nothing.
inline constexpr size_t kMaxEvents = 16;

// The part of perf_event_attr that a name determines. Trivially copyable: names are resolved once,
// and the codes are sent to the process of each run.
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

// An event that a user named.
struct Event {
  std::string name;  // as it was typed
  EventCode code;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_EVENT_H_
