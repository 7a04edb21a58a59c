#include "duetbench/experiment/pair_schedule.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "duetbench/experiment/run_randomization.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

// After this long a time of meetings for each of which a thread slept, and this many of them, the
// threads are taken to share a CPU. A shorter time proves nothing: a host runs two virtual CPUs
// that wake together on one CPU of its own, until it notices that both stay busy and separates
// them.
constexpr double kMaxBlockedMeetingsNs = 100e6;
constexpr int kMinBlockedMeetings = 4;

// Filling goes on in steps of this part of a batch, so that the last step ends soon after the
// partner's sample.
constexpr uint64_t kFillSteps = 32;

constexpr char kSharedCpu[] =
    "old and new were not awake at the same time and ran one after the other: other processes left "
    "them one CPU, two virtual CPUs share one, or a variant changed its CPU";

}  // namespace

void PairSchedule::Pin() {
  const RunPlan& plan = loop_.plan;
  const int cpu = plan.cpus[Place()];
  if (cpu < 0) return;
  const absl::Status status = plan.cpus_per_variant == 1
                                  ? PinThisThread(cpu)
                                  : ConfineThisThread(plan.cpus, plan.cpus_per_variant);
  if (!status.ok()) pin_error_ = std::string(status.message());
}

bool PairSchedule::Advance(uint64_t reference, int variant, uint64_t packed_time,
                           uint64_t partner_packed_time) {
  if (variant != 0) std::swap(packed_time, partner_packed_time);
  return loop_.controller.Advance(reference, UnpackSampleTime(packed_time),
                                  UnpackSampleTime(partner_packed_time));
}

Opening PairSchedule::OpenAlone(uint8_t assignment) {
  const RoundController& controller = loop_.controller;
  const bool is_measured = controller.IsAloneMeasured();
  // Else the counts are those of the samples together, or in turns.
  const bool counts = is_measured && loop_.plan.schedule == Schedule::kAlternating;
  loop_.events.Prepare(counts, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  Opening opening = SampleAt(0, assignment, is_measured);
  opening.is_alone = true;
  return opening;
}

uint64_t PairSchedule::EnterLoop() {
  loop_.usage.Arrive();
  return ticks::Now();
}

void PairSchedule::Leave() {
  loop_.rendezvous.Leave();
  loop_.block.Leave();
}

void ConcurrentSchedule::Closed(bool recorded) {
  PairSchedule::Closed(recorded);
  if (loop_.plan.fill == 0 || loop_.controller.IsFixed()) return;
  loop_.rendezvous.Publish(loop_.timer.stop(), 0);
  is_filling_ = true;
}

uint64_t ConcurrentSchedule::FillIterations() {
  is_filling_ = is_filling_ && !loop_.rendezvous.PartnerPublishedOrLeft(loop_.rendezvous.epoch());
  return is_filling_ ? std::max<uint64_t>(1, loop_.controller.batch() / kFillSteps) : 0;
}

void DuetSchedule::Closed(bool recorded) {
  if (is_in_segment_) return loop_.controller.CloseAlone();
  ConcurrentSchedule::Closed(recorded);
}

Opening DuetSchedule::Open() {
  RoundController& controller = loop_.controller;
  if (controller.alone_lane() >= 0) return OpenAlone(controller.assignment());
  if (is_in_segment_ && !EndSegment()) return {Opening::Kind::kPartnerLeft};
  const uint64_t packed_time = loop_.timer.packed_time();
  Meeting meeting;
  for (;;) {
    if (!MeetUntilSynchronized(packed_time, &meeting)) return {Opening::Kind::kPartnerLeft};
    controller.BeginWith(loop_.block.asked_iterations);
    const bool swap = Advance(meeting.release, loop_.variant, packed_time, meeting.partner_payload);
    if (controller.has_ended()) return {Opening::Kind::kComplete};
    if (controller.alone_lane() >= 0) {
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
  return OldGoesFirst(plan.seed, plan.run, loop_.controller.alone_segment()) ==
         (loop_.variant == 0);
}

uint64_t DuetSchedule::EnterLoop() {
  return is_in_segment_ ? PairSchedule::EnterLoop() : ConcurrentSchedule::EnterLoop();
}

// Enabling counters takes microseconds, more than the release leaves: both meet once more. False:
// the partner has left.
bool ConcurrentSchedule::PrepareEvents(bool is_measured, uint64_t packed_time, Meeting* meeting) {
  const RoundController& controller = loop_.controller;
  return !loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index()) ||
         MeetUntilSynchronized(packed_time, meeting);
}

// Meets until neither thread had to sleep, so that what is counted from the arrival on belongs to
// the sample. Threads that share a CPU are never awake at once: after a while, which both measure
// alike, they stop trying. False: the partner has left.
bool ConcurrentSchedule::MeetUntilSynchronized(uint64_t packed_time, Meeting* meeting) {
  uint64_t first_release = 0;
  for (int meetings = 1; !shares_cpu_; ++meetings) {
    loop_.usage.Arrive();
    *meeting = loop_.rendezvous.Meet(packed_time);
    if (meeting->partner_left) return false;
    if (meeting->attempts == 1) return true;
    if (meetings == 1) first_release = meeting->release;
    const double elapsed_ns =
        static_cast<double>(meeting->release - first_release) * loop_.plan.ns_per_tick;
    shares_cpu_ = meetings >= kMinBlockedMeetings && elapsed_ns >= kMaxBlockedMeetingsNs;
  }
  *meeting = loop_.rendezvous.MeetBlocking(packed_time);
  loop_.usage.Arrive();
  return !meeting->partner_left;
}

uint64_t ConcurrentSchedule::EnterLoop() {
  Meeting meeting{};
  // If the partner has left, the sample does not count: the next one is not opened.
  if (MeetUntilSynchronized(loop_.timer.packed_time(), &meeting)) {
    return meeting.release;
  }
  return PairSchedule::EnterLoop();
}

std::string ConcurrentSchedule::notice() const {
  const std::string pin_error = PairSchedule::notice();
  return pin_error.empty() && shares_cpu_ ? kSharedCpu : pin_error;
}

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
  old_goes_first_ = OldGoesFirst(loop_.plan.seed, loop_.plan.run, turns_);
  const uint32_t before = ++turns_;
  const bool go_first = old_goes_first_ == (loop_.variant == 0);
  const bool partner_came = rendezvous.Await(go_first ? before : before + 1, 0);
  if (!partner_came && !rendezvous.PartnerPublished(before)) return {Opening::Kind::kPartnerLeft};
  // Known to both: what each published with epoch `before`.
  const uint64_t reference =
      std::max(rendezvous.MyArrival(before), rendezvous.PartnerArrival(before));
  controller.BeginWith(loop_.block.asked_iterations);
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

PlannedSchedule::PlannedSchedule(const PairSchedule::Loop& loop) {
  switch (loop.plan.schedule) {
    case Schedule::kDuet:
      schedule_ = &schedules_.emplace<DuetSchedule>(loop);
      break;
    case Schedule::kInterleaved:
    case Schedule::kAlternating:
      schedule_ = &schedules_.emplace<InterleavedSchedule>(loop);
      break;
    case Schedule::kCrossed:
    case Schedule::kUncoupled:
      schedule_ = &schedules_.emplace<LaneSchedule>(loop);
      break;
  }
}

}  // namespace duetbench
