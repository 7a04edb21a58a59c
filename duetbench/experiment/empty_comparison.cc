#include "duetbench/experiment/empty_comparison.h"

#include "duetbench/variant/empty_loop.h"

namespace duetbench {
namespace {

constexpr uint64_t kSamplesPerComparison = 4;
// Times an empty iteration. A sample that is disturbed is not known to have work.
constexpr double kFarFromEmpty = 4;

}  // namespace

void EmptyComparison::Begin(const Variant* variant, const State* state, double ns_per_tick) {
  variant_ = variant;
  state_ = state;
  ns_per_tick_ = ns_per_tick;
}

void EmptyComparison::ExecuteEmptyLoops() {
  empty_ticks_ = 0;
  if (variant_ == nullptr || has_work_ || samples_++ % kSamplesPerComparison != 0) return;
  empty_ticks_ = EmptyIterationTicks(LoopFormOf(*variant_, *state_));
}

void EmptyComparison::Compare(const Sample& sample, uint64_t net_ticks) {
  if (!(empty_ticks_ > 0) || sample.iterations == 0) return;
  const double ticks = static_cast<double>(net_ticks) / static_cast<double>(sample.iterations);
  ++tally_.samples;
  if (ticks <= empty_ticks_) ++tally_.no_longer;
  tally_.empty_ns += empty_ticks_ * ns_per_tick_;
  const bool is_disturbed = sample.involuntary_switches > 0;
  if (!is_disturbed && ticks > kFarFromEmpty * empty_ticks_) has_work_ = true;
}

}  // namespace duetbench
