#include "duetbench/platform/ticks.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

#include "duetbench/platform/text_file.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace duetbench::ticks {
namespace {

#if defined(__x86_64__)
constexpr char kCounterName[] = "tsc";

// CPUID 80000007h EDX[8]: the counter has one rate in all power states.
bool CounterIsInvariant() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx >> 8 & 1u) != 0;
}

// The kernel checks that the counters of all CPUs agree before it uses them for its own clock.
bool KernelTrustsCounter() {
  const std::string source =
      ReadTextFile("/sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("");
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

namespace duetbench {
namespace {

struct Reading {
  uint64_t ticks;
  uint64_t ns;
};

// Reads both clocks at nearly the same instant: the closest of several pairs of readings.
Reading ReadBoth() {
  Reading best{};
  uint64_t best_gap = std::numeric_limits<uint64_t>::max();
  for (int attempt = 0; attempt < 5; ++attempt) {
    const uint64_t before = ticks::Now();
    const uint64_t ns = ticks::MonotonicNs();
    const uint64_t after = ticks::Now();
    if (after - before < best_gap) {
      best_gap = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

// The most frequent value; if several are, the smallest.
uint64_t Mode(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  uint64_t mode = 0;
  std::ptrdiff_t frequency = 0;
  for (auto it = values.begin(); it != values.end();) {
    const auto end = std::upper_bound(it, values.end(), *it);
    if (end - it > frequency) {
      frequency = end - it;
      mode = *it;
    }
    it = end;
  }
  return mode;
}

}  // namespace

double NsPerTick() {
  static const Reading first = ReadBoth();
  if (!ticks::internal::kUseCounter) return 1.0;
  constexpr uint64_t kLeastNs = 10'000'000;
  Reading now = ReadBoth();
  while (now.ns - first.ns < kLeastNs) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLeastNs - (now.ns - first.ns)));
    now = ReadBoth();
  }
  return static_cast<double>(now.ns - first.ns) / static_cast<double>(now.ticks - first.ticks);
}

ClockTraits ClockTraitsFrom(std::vector<uint64_t> regions, const std::vector<uint64_t>& stamps) {
  ClockTraits traits;
  traits.overhead_ticks = Mode(std::move(regions));
  uint64_t step = std::numeric_limits<uint64_t>::max();
  for (size_t i = 1; i < stamps.size(); ++i) {
    if (stamps[i] > stamps[i - 1]) step = std::min(step, stamps[i] - stamps[i - 1]);
  }
  if (step != std::numeric_limits<uint64_t>::max()) traits.step_ticks = step;
  return traits;
}

ClockTraits MeasureClock() {
  constexpr int kSamples = 1000;
  std::vector<uint64_t> regions(kSamples);
  std::vector<uint64_t> stamps(kSamples);
  for (uint64_t& region : regions) {
    const uint64_t start = ticks::Start();
    region = ticks::Stop() - start;
  }
  for (uint64_t& stamp : stamps) stamp = ticks::Now();
  return ClockTraitsFrom(std::move(regions), stamps);
}

uint64_t SpeedProbeTicks() {
  constexpr int kSteps = 2000;
  constexpr int kUnrolled = 8;  // else the loop itself takes one of two times
  const uint64_t start = ticks::Now();
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, operand = 7;
  asm volatile("" : "+r"(operand));
  // Six chains of one operation each. The empty asm keeps compilers from removing or vectorizing
  // them.
  const auto step = [&] {
    a += operand, b ^= operand, c -= operand, d ^= operand, e += operand, f ^= operand;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  };
  for (int i = 0; i < kSteps / kUnrolled; ++i) {
    step(), step(), step(), step(), step(), step(), step(), step();
  }
  return std::max<uint64_t>(1, ticks::Stop() - start);
}

}  // namespace duetbench
