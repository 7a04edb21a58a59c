#include "duetbench/measure/lane_schedule.h"

#include "duetbench/measure/run_randomization.h"

namespace duetbench {

void LaneSchedule::Closed(bool recorded) {
  RoundController& controller = loop_.controller;
  lane().last_variant = loop_.variant;
  lane().packed_time_of[loop_.variant] = loop_.timer.packed_time();
  if (controller.alone_lane() >= 0) {
    controller.CloseAlone();
  } else {
    ConcurrentSchedule::Closed(recorded);
  }
}

uint64_t LaneSchedule::EnterLoop() {
  return loop_.controller.alone_lane() < 0 ? ConcurrentSchedule::EnterLoop()
                                           : PairSchedule::EnterLoop();
}

LaneSchedule::Step LaneSchedule::NextStep() {
  RoundController& controller = loop_.controller;
  if (controller.alone_lane() == loop_.lane) return Step::kAlone;
  if (controller.alone_lane() >= 0) controller.SkipAlone();
  return lane().meets_after_alone != 0 ? Step::kEndAlone : Step::kMeet;
}

int LaneSchedule::First(Step step) const {
  const RunPlan& plan = loop_.plan;
  const RoundController& controller = loop_.controller;
  if (step == Step::kAlone) {
    return VariantAtPlace(plan.seed, plan.run + controller.alone_segment(), 2, /*place=*/0);
  }
  return CrossedAssignment(plan.seed, plan.run, controller.pair_index());
}

int LaneSchedule::Next(Step step, int first) const {
  if (step == Step::kAlone) return first ^ static_cast<int>(loop_.controller.alone_block());
  return first ^ loop_.lane;
}

Opening LaneSchedule::Open() {
  RoundController& controller = loop_.controller;
  LaneTurn& lane = this->lane();
  // Whoever closed a sample has the turn.
  while (lane.Await(loop_.variant)) {
    if (lane.partner_left != 0) return End(Opening::Kind::kPartnerLeft);
    if (controller.has_ended()) return End(Opening::Kind::kComplete);
    const Step step = NextStep();
    const int first = First(step);
    if (const int next = Next(step, first); next != loop_.variant) {
      lane.Give(next);
      continue;
    }
    if (step == Step::kAlone) {
      return OpenAlone(static_cast<uint8_t>(first));
    }

    loop_.rendezvous.Resume();
    if (step == Step::kEndAlone) {
      if (MeetAfterSegment()) continue;
    } else if (Meeting meeting; MeetUntilSynchronized(lane.last_packed_time(), &meeting)) {
      controller.BeginWith(loop_.block.asked.Chosen());
      Advance(meeting.release, lane.last_variant, lane.last_packed_time(), meeting.partner_payload);
      if (controller.alone_lane() >= 0) lane.meets_after_alone = 1;
      if (controller.has_ended() || controller.alone_lane() >= 0) continue;
      const bool is_measured = controller.IsMeasured(meeting.release);
      if (PrepareEvents(is_measured, lane.last_packed_time(), &meeting)) {
        return SampleAt(meeting.release, static_cast<uint8_t>(first), is_measured);
      }
    }
    lane.partner_left = 1;
  }
  return {Opening::Kind::kPartnerLeft};
}

// Without spinning, which would take power and cache lines from the lane that is alone. False: the
// partner has left.
bool LaneSchedule::MeetAfterSegment() {
  lane().meets_after_alone = 0;
  return !loop_.rendezvous.MeetBlocking(0).partner_left;
}

}  // namespace duetbench
