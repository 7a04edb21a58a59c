#include "duetbench/experiment/lane_schedule.h"

#include "duetbench/experiment/run_randomization.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

void LaneSchedule::Closed(bool recorded) {
  RoundController& controller = loop_.controller;
  lane().last_variant = loop_.variant;
  lane().packed_time_of[loop_.variant] = loop_.timer.packed_time();
  if (controller.alone_lane() >= 0) {
    controller.CloseAlone();
  } else if (IsUncoupled()) {
    if (lane().is_second != 0) PairSchedule::Closed(recorded);
    lane().is_second ^= 1u;
  } else {
    ConcurrentSchedule::Closed(recorded);
  }
}

bool LaneSchedule::IsUncoupled() const {
  return loop_.plan.schedule == Schedule::kUncoupled && !loop_.controller.is_calibrating();
}

uint64_t LaneSchedule::EnterLoop() {
  const bool meets = loop_.controller.alone_lane() < 0 && !IsUncoupled();
  return meets ? ConcurrentSchedule::EnterLoop() : PairSchedule::EnterLoop();
}

LaneSchedule::Step LaneSchedule::NextStep(uint64_t now) {
  RoundController& controller = loop_.controller;
  if (controller.alone_lane() == loop_.lane) return Step::kAlone;
  if (controller.alone_lane() >= 0) controller.SkipAlone();
  if (lane().meets_after_alone != 0) return Step::kEndAlone;
  if (!IsUncoupled()) return Step::kMeet;
  return lane().is_second == 0 && controller.IsAloneDue(now) ? Step::kBeginAlone : Step::kUncoupled;
}

int LaneSchedule::First(Step step) const {
  const RunPlan& plan = loop_.plan;
  const RoundController& controller = loop_.controller;
  if (step == Step::kAlone) {
    return OldGoesFirst(plan.seed, plan.run, controller.alone_segment()) ? 0 : 1;
  }
  const int assignment = CrossedAssignment(plan.seed, plan.run, controller.pair_index());
  return step == Step::kUncoupled ? assignment ^ loop_.lane : assignment;
}

int LaneSchedule::Next(Step step, int first) const {
  if (step == Step::kAlone) return first ^ (loop_.controller.is_in_second_block() ? 1 : 0);
  if (step == Step::kUncoupled) return first ^ static_cast<int>(lane().is_second);
  return first ^ loop_.lane;
}

Opening LaneSchedule::Open() {
  RoundController& controller = loop_.controller;
  LaneTurn& lane = this->lane();
  // Whoever closed a sample has the turn.
  while (lane.Await(loop_.variant)) {
    if (lane.partner_left != 0) return End(Opening::Kind::kPartnerLeft);
    if (controller.has_ended()) return End(Opening::Kind::kComplete);
    const uint64_t now = ticks::Now();
    const Step step = NextStep(now);
    const int first = First(step);
    if (const int next = Next(step, first); next != loop_.variant) {
      lane.Give(next);
      continue;
    }
    if (step == Step::kAlone) {
      Opening opening = OpenAlone(static_cast<uint8_t>(first));
      opening.pair_index = NumberOfAllLanes(opening.pair_index);
      return opening;
    }
    if (step == Step::kUncoupled) {
      if (lane.is_second == 0) {
        controller.Advance(now, UnpackSampleTime(lane.packed_time_of[0]),
                           UnpackSampleTime(lane.packed_time_of[1]));
        if (controller.has_ended()) continue;
        lane.is_measured = controller.IsMeasured(now) ? 1 : 0;
      }
      return OpenUncoupled(first);
    }

    loop_.rendezvous.Resume();
    if (step != Step::kMeet) {
      if (MeetForSegment(step)) continue;
    } else if (Meeting meeting; MeetUntilSynchronized(lane.last_packed_time(), &meeting)) {
      controller.BeginWith(loop_.block.asked_iterations);
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

// The lanes meet before and after a segment. Without spinning, which would take power and cache
// lines from the lane that is alone. False: the partner has left.
bool LaneSchedule::MeetForSegment(Step step) {
  const Meeting meeting = loop_.rendezvous.MeetBlocking(0);
  if (meeting.partner_left) return false;
  if (step == Step::kBeginAlone) loop_.controller.BeginAlone(meeting.release);
  lane().meets_after_alone = step == Step::kBeginAlone ? 1 : 0;
  return true;
}

Opening LaneSchedule::OpenUncoupled(int first) {
  const RoundController& controller = loop_.controller;
  const bool is_measured = lane().is_measured != 0;
  loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  Opening opening = SampleAt(0, static_cast<uint8_t>(first), is_measured);
  opening.pair_index = NumberOfAllLanes(controller.pair_index());
  return opening;
}

// Each lane numbers its uncoupled pairs; among those of both they get numbers of their own.
uint64_t LaneSchedule::NumberOfAllLanes(uint64_t pair_index) const {
  if (loop_.plan.schedule != Schedule::kUncoupled) return pair_index;
  return 2 * pair_index + static_cast<uint64_t>(loop_.lane);
}

Opening LaneSchedule::End(Opening::Kind kind) {
  lane().Give(1 - loop_.variant);
  return {kind};
}

}  // namespace duetbench
