#include "duetbench/measure/interleaved_schedule.h"

#include <algorithm>

#include "duetbench/measure/run_randomization.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

void InterleavedSchedule::Closed(bool recorded) {
  if (loop_.controller.alone_lane() < 0) return PairSchedule::Closed(recorded);
  loop_.controller.CloseAlone();
}

// Epoch 1 is the end of the set-up, epoch k+2 the end of this loop's turn k (from 0). The first in
// turn k waits for the partner's epoch k+1, the second for k+2. The second must sleep through the
// first one's turn: on one CPU it would take time from it otherwise.
Opening InterleavedSchedule::Open() {
  RoundController& controller = loop_.controller;
  if (controller.alone_lane() >= 0) return OpenAlone(old_goes_first_ ? 0 : 1);
  Rendezvous& rendezvous = loop_.rendezvous;
  const uint64_t packed_time = loop_.timer.packed_time();
  // The later of the two stamps is the end of the turn.
  rendezvous.Publish(turns_ > 0 ? loop_.timer.stop() : ticks::Now(), packed_time);
  old_goes_first_ = OrderOfTurn();
  const uint32_t before = ++turns_;
  const bool go_first = old_goes_first_ == (loop_.variant == 0);
  const bool partner_came = rendezvous.Await(go_first ? before : before + 1, 0);
  if (!partner_came && !rendezvous.PartnerPublished(before)) return {Opening::Kind::kPartnerLeft};
  // Known to both: what each published with epoch `before`.
  const uint64_t reference =
      std::max(rendezvous.MyArrival(before), rendezvous.PartnerArrival(before));
  controller.BeginWith(loop_.block.asked.Chosen());
  Advance(reference, loop_.variant, packed_time, rendezvous.PartnerPayload(before));
  if (controller.has_ended()) {
    // The one that would be second sleeps until this epoch, and then reads what was published with
    // the last one: nothing more may be published before it has decided to end, too.
    rendezvous.Publish(0, 0);
    rendezvous.Await(before + 1, 0);
    return {Opening::Kind::kComplete};
  }
  if (!partner_came) return {Opening::Kind::kPartnerLeft};
  if (controller.alone_lane() >= 0) return OpenAlone(old_goes_first_ ? 0 : 1);
  const bool is_measured = controller.IsMeasured(reference);
  loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  return SampleAt(reference, old_goes_first_ ? 0 : 1, is_measured);
}

// A run may have a single turn of blocks: then the next run has the opposite order.
bool InterleavedSchedule::OrderOfTurn() const {
  const RunPlan& plan = loop_.plan;
  if (plan.schedule != Schedule::kAlternating) return OldGoesFirst(plan.seed, plan.run, turns_);
  return OldGoesFirst(plan.seed, plan.run / 2, turns_) != (plan.run % 2 != 0);
}

}  // namespace duetbench
