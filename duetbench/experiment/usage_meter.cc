#include "duetbench/experiment/usage_meter.h"

#include <algorithm>
#include <limits>

#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

template <class Small>
Small Clamp(uint64_t value) {
  return static_cast<Small>(std::min<uint64_t>(value, std::numeric_limits<Small>::max()));
}

}  // namespace

void UsageMeter::Arrive() {
  arrival_ = ThisThreadUsage();
  if (may_block_) {
    arrival_cpu_ns_ = ThisThreadCpuNs();
    arrival_ticks_ = ticks::Now();
  }
}

void UsageMeter::Stop(uint64_t stop, Sample* sample) {
  const uint64_t cpu_ns = arrival_ticks_ != 0 ? ThisThreadCpuNs() : 0;
  const ThreadUsage usage = ThisThreadUsage();
  sample->involuntary_switches =
      Clamp<uint16_t>(usage.involuntary_switches - arrival_.involuntary_switches);
  sample->voluntary_switches =
      Clamp<uint16_t>(usage.voluntary_switches - arrival_.voluntary_switches);
  sample->minor_faults = Clamp<uint32_t>(usage.minor_faults - arrival_.minor_faults);
  sample->major_faults = Clamp<uint32_t>(usage.major_faults - arrival_.major_faults);
  if (arrival_ticks_ != 0) {
    const double wall_ns = static_cast<double>(stop - arrival_ticks_) * ns_per_tick_;
    sample->blocked_ns = std::max(0.0, wall_ns - static_cast<double>(cpu_ns - arrival_cpu_ns_));
  }
  may_block_ = may_block_ || sample->voluntary_switches > 0;
}

}  // namespace duetbench
