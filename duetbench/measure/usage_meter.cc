#include "duetbench/measure/usage_meter.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

// Who waits longer than that at a meeting has left the CPU.
constexpr double kMaxSpinNs = 250e3;

// Who needs longer than that to read the counters has left the CPU.
constexpr double kMaxReadingNs = 20e3;

template <class Small>
Small Clamp(uint64_t value) {
  return static_cast<Small>(std::min<uint64_t>(value, std::numeric_limits<Small>::max()));
}

// Google Benchmark's own number.
constexpr uint64_t kMaxCountedIterations = 16;

}  // namespace

UsageMeter::Reading UsageMeter::Read() {
  const uint64_t cpu_ns = ThisThreadCpuNs();
  return {ticks::Now(), cpu_ns};
}

double UsageMeter::OffCpuNs(const Reading& from, const Reading& to) const {
  const double wall_ns = static_cast<double>(to.ticks - from.ticks) * ns_per_tick_;
  return std::max(0.0, wall_ns - static_cast<double>(to.cpu_ns - from.cpu_ns));
}

void UsageMeter::Arrive() {
  paused_off_cpu_ns_ = 0;
  arrival_usage_ = ThisThreadUsage();
  arrival_ = Read();
  if (paused_) pause_begin_ = arrival_;
}

void UsageMeter::Pause() {
  if (paused_) return;
  paused_ = true;
  pause_is_metered_ = has_blocked_;
  if (!pause_is_metered_) return;
  const uint64_t begin = ticks::Now();
  pause_begin_ = Read();
  // Preempted while it read its clock, the thread was off the CPU in the pause.
  const double reading_ns = static_cast<double>(pause_begin_.ticks - begin) * ns_per_tick_;
  if (reading_ns > kMaxReadingNs) pause_begin_.ticks = begin;
}

void UsageMeter::Resume() {
  if (!paused_) return;
  paused_ = false;
  if (pause_is_metered_) paused_off_cpu_ns_ += OffCpuNs(pause_begin_, Read());
}

void UsageMeter::Stop(uint64_t stop, Sample* sample) {
  const ThreadUsage usage = ThisThreadUsage();
  sample->involuntary_switches =
      Clamp<uint16_t>(usage.involuntary_switches - arrival_usage_.involuntary_switches);
  sample->voluntary_switches =
      Clamp<uint16_t>(usage.voluntary_switches - arrival_usage_.voluntary_switches);
  sample->minor_faults = Clamp<uint32_t>(usage.minor_faults - arrival_usage_.minor_faults);
  sample->major_faults = Clamp<uint32_t>(usage.major_faults - arrival_usage_.major_faults);
  sample->blocked_ns = 0;
  const bool left_cpu = sample->involuntary_switches > 0 || sample->voluntary_switches > 0;
  // A thread that neither sleeps nor is preempted has a CPU time equal to its real time.
  if (left_cpu) {
    const Reading now = Read();
    if (paused_ && pause_is_metered_) paused_off_cpu_ns_ += OffCpuNs(pause_begin_, now);
    double off_ns = OffCpuNs(arrival_, now) - paused_off_cpu_ns_;
    const double since_stop_ns = static_cast<double>(now.ticks - stop) * ns_per_tick_;
    if (since_stop_ns > kMaxReadingNs) off_ns -= since_stop_ns;
    const double waited_ns =
        sample->start > arrival_.ticks
            ? static_cast<double>(sample->start - arrival_.ticks) * ns_per_tick_
            : 0;
    const double paused_ns = static_cast<double>(sample->paused) * ns_per_tick_;
    const double timed_ns =
        std::max(0.0, static_cast<double>(stop - sample->start) * ns_per_tick_ - paused_ns);
    // Where the thread may have been off the CPU, but not in the timed region.
    const double elsewhere_ns = waited_ns + (has_blocked_ ? 0 : paused_ns);
    if (off_ns > elsewhere_ns) {
      const bool left_in_both = waited_ns > kMaxSpinNs;
      sample->blocked_ns = std::clamp(left_in_both ? off_ns - waited_ns : off_ns, 0.0, timed_ns);
    }
  }
  has_blocked_ = has_blocked_ || sample->voluntary_switches > 0;
}

uint64_t AllocationCounting::Begin(uint64_t batch) {
  if (manager_ == nullptr) return 0;
  block_->completed.Pass();
  if (!block_->completed.Await(variants_) || !block_->counted.Await(turn_)) return 0;
  is_counting_ = true;
  manager_->Start();
  return std::min(batch, kMaxCountedIterations);
}

void AllocationCounting::End(uint64_t iterations) {
  // Zeroed memory in place of a constructed one: its constructor needs a constant that shared
  // builds of Google Benchmark 1.7.1 do not export. (Its trivial copy constructor makes it a type
  // that storage may hold as it is.)
  using Result = benchmark::MemoryManager::Result;
  static_assert(std::is_trivially_copyable_v<Result>);
  alignas(Result) unsigned char storage[sizeof(Result)] = {};
  void* const memory = storage;
  Result& result = *static_cast<Result*>(memory);
  manager_->Stop(result);
  is_counting_ = false;
  allocations_ = static_cast<uint64_t>(std::max<int64_t>(0, result.num_allocs));
  iterations_ = iterations;
  // A manager that does not count them leaves the zero, or a tombstone below it.
  if (result.max_bytes_used > 0) peak_bytes_ = static_cast<double>(result.max_bytes_used);
  block_->counted.Pass();
  // Allocations of a tear-down belong to no iteration.
  block_->counted.Await(variants_);
}

}  // namespace duetbench
