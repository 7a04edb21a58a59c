#include "duetbench/platform/ticks.h"

#include <cstring>
#include <fstream>
#include <string>

#include "duetbench/platform/stand_ins.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace duetbench::ticks {
namespace {

#if DUETBENCH_STAND_INS
constexpr char kCounterName[] = "";
const char* WhyNotCounter() { return "this build knows of no cycle counter"; }
#elif defined(__x86_64__)
constexpr char kCounterName[] = "tsc";

// CPUID 80000007h EDX[8]: the counter runs at one rate in all power states.
bool CounterIsInvariant() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx >> 8 & 1u) != 0;
}

// The kernel checks that the counters of all CPUs agree before it uses them for its own clock.
bool KernelTrustsCounter() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  return source == "tsc" || source == "kvm-clock" || source == "hyperv_clocksource_tsc_page";
}

const char* WhyNotCounter() {
  if (!CounterIsInvariant()) return "the time stamp counter of this CPU is not invariant";
  if (!KernelTrustsCounter()) return "the kernel does not use the time stamp counter as its clock";
  return "";
}
#elif defined(__aarch64__)
constexpr char kCounterName[] = "cntvct";
// The generic timer is constant and common to all CPUs by architecture.
const char* WhyNotCounter() { return ""; }
#else
constexpr char kCounterName[] = "";
const char* WhyNotCounter() { return "no cycle counter is known for this architecture"; }
#endif

const char* const kWhyNotCounter = WhyNotCounter();

}  // namespace

namespace internal {
const bool kUseCounter = std::strlen(kWhyNotCounter) == 0;
}  // namespace internal

const char* SourceName() { return internal::kUseCounter ? kCounterName : "clock_gettime"; }

const char* FallbackReason() { return kWhyNotCounter; }

}  // namespace duetbench::ticks
