#include "duetbench/measure/empty_comparison.h"

#include <algorithm>

#include "duetbench/record/measuring_policy.h"
#include "duetbench/variant/empty_loop.h"

namespace duetbench {

void EmptyComparison::Begin(const Variant* variant, const State* state, double ns_per_tick) {
  variant_ = variant;
  state_ = state;
  ns_per_tick_ = ns_per_tick;
}

void EmptyComparison::ExecuteEmptyLoops() {
  empty_ticks_ = 0;
  if (variant_ == nullptr || has_work_) return;
  if (samples_++ % kMeasuringPolicy.samples_per_empty_comparison != 0) return;
  empty_ticks_ = EmptyIterationTicks(LoopFormOf(*variant_, *state_));
}

void EmptyComparison::Compare(const Sample& sample, uint64_t net_ticks) {
  if (!(empty_ticks_ > 0) || sample.iterations == 0) return;
  // Beside busy processes most samples are preempted: the time on the CPU counts.
  const double off_ns = sample.voluntary_switches == 0 ? sample.blocked_ns : 0;
  const double ticks = std::max(0.0, static_cast<double>(net_ticks) - off_ns / ns_per_tick_) /
                       static_cast<double>(sample.iterations);
  ++tally_.samples;
  if (ticks <= empty_ticks_) ++tally_.no_longer;
  tally_.empty_ns += empty_ticks_ * ns_per_tick_;
  // A disturbed sample is not known to have work.
  const bool is_disturbed = sample.involuntary_switches > 0;
  if (!is_disturbed && ticks > kMeasuringPolicy.far_from_empty * empty_ticks_) has_work_ = true;
}

}  // namespace duetbench
