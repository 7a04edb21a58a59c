#include "duetbench/measure/duet_schedule.h"

#include "duetbench/measure/run_randomization.h"

namespace duetbench {

void DuetSchedule::Closed(bool recorded) {
  if (is_in_segment_) return loop_.controller.CloseAlone();
  ConcurrentSchedule::Closed(recorded);
}

Opening DuetSchedule::Open() {
  RunController& controller = loop_.controller;
  if (controller.is_alone()) return OpenAlone(controller.assignment());
  if (is_in_segment_ && !EndSegment()) return {Opening::Kind::kPartnerLeft};
  const uint64_t packed_time = loop_.timer.packed_time();
  Meeting meeting;
  for (;;) {
    if (!MeetUntilSynchronized(packed_time, &meeting)) return {Opening::Kind::kPartnerLeft};
    controller.BeginWith(loop_.block.least_iterations);
    const bool swap = Advance(meeting.release, loop_.variant, packed_time, meeting.partner_payload);
    if (controller.has_ended()) return {Opening::Kind::kComplete};
    if (controller.is_alone()) {
      if (!BeginSegment()) return {Opening::Kind::kPartnerLeft};
      return OpenAlone(controller.assignment());
    }
    if (!swap) break;
    Pin();
  }
  const bool is_measured = controller.IsMeasured(meeting.release);
  if (!PrepareEvents(is_measured, packed_time, &meeting)) return {Opening::Kind::kPartnerLeft};
  return SampleAt(meeting.release, controller.assignment(), is_measured);
}

// Two meetings are in a segment, between the blocks and after the second one. Without spinning,
// which would take power and cache lines from the variant that is alone.
bool DuetSchedule::BeginSegment() {
  is_in_segment_ = true;
  return GoesFirstAlone() || !loop_.rendezvous.MeetBlocking(0).partner_left;
}

bool DuetSchedule::EndSegment() {
  is_in_segment_ = false;
  const int meetings = GoesFirstAlone() ? 2 : 1;
  for (int i = 0; i < meetings; ++i) {
    if (loop_.rendezvous.MeetBlocking(0).partner_left) return false;
  }
  return true;
}

bool DuetSchedule::GoesFirstAlone() const {
  const RunPlan& plan = loop_.plan;
  const uint64_t turn = plan.run + loop_.controller.alone_segment();
  return VariantAtPlace(plan.seed, turn, /*variants=*/2, /*place=*/0) == loop_.variant;
}

uint64_t DuetSchedule::EnterLoop() {
  return is_in_segment_ ? PairSchedule::EnterLoop() : ConcurrentSchedule::EnterLoop();
}

}  // namespace duetbench
