#include <algorithm>
#include <string>

#include "duetbench/measure/pair_schedule.h"
#include "duetbench/measure/run_randomization.h"

namespace duetbench {
namespace {

// After this long a time of meetings for each of which a thread slept, and this many of them, the
// threads are taken to share a CPU. A shorter time proves nothing: a host runs two virtual CPUs
// that wake together on one of its CPUs, until it notices that both stay busy and separates
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

void DuetSchedule::Closed(bool recorded) {
  if (is_in_segment_) return loop_.controller.CloseSolo();
  PairSchedule::Closed(recorded);
  if (loop_.plan.fill == 0 || loop_.controller.IsFixed()) return;
  loop_.rendezvous.Publish(loop_.timer.stop(), 0);
  is_filling_ = true;
}

Opening DuetSchedule::Open() {
  RunController& controller = loop_.controller;
  if (controller.is_solo()) return OpenSolo(controller.assignment());
  if (is_in_segment_ && !EndSegment()) return {Opening::Kind::kPartnerLeft};
  const uint64_t packed_time = loop_.timer.packed_time();
  Meeting meeting;
  for (;;) {
    if (!MeetUntilSynchronized(packed_time, &meeting)) return {Opening::Kind::kPartnerLeft};
    controller.BeginWith(loop_.block.least_iterations);
    SampleTime times[2];
    times[loop_.variant] = UnpackSampleTime(packed_time);
    times[1 - loop_.variant] = UnpackSampleTime(meeting.partner_payload);
    const bool swap = controller.Advance(meeting.release, times);
    if (controller.has_ended()) return {Opening::Kind::kComplete};
    if (controller.is_solo()) {
      if (!BeginSegment()) return {Opening::Kind::kPartnerLeft};
      return OpenSolo(controller.assignment());
    }
    if (!swap) break;
    Pin();
  }
  const bool is_measured = controller.IsMeasured(meeting.release);
  // Enabling counters takes microseconds, more than the release leaves: both meet once more.
  if (loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index()) &&
      !MeetUntilSynchronized(packed_time, &meeting)) {
    return {Opening::Kind::kPartnerLeft};
  }
  return SampleAt(meeting.release, controller.assignment(), is_measured);
}

// Two meetings are in a segment, between the blocks and after the second one. Without spinning,
// which would take power and cache lines from the solo variant.
bool DuetSchedule::BeginSegment() {
  is_in_segment_ = true;
  return GoesFirstSolo() || !loop_.rendezvous.MeetBlocking(0).partner_left;
}

bool DuetSchedule::EndSegment() {
  is_in_segment_ = false;
  const int meetings = GoesFirstSolo() ? 2 : 1;
  for (int i = 0; i < meetings; ++i) {
    if (loop_.rendezvous.MeetBlocking(0).partner_left) return false;
  }
  return true;
}

bool DuetSchedule::GoesFirstSolo() const {
  const RunPlan& plan = loop_.plan;
  const uint64_t turn = plan.run + loop_.controller.solo_segment();
  return VariantAtPlace(plan.seed, turn, /*variants=*/2, /*place=*/0) == loop_.variant;
}

uint64_t DuetSchedule::FillIterations() {
  is_filling_ = is_filling_ && !loop_.rendezvous.PartnerPublishedOrLeft(loop_.rendezvous.epoch());
  return is_filling_ ? std::max<uint64_t>(1, loop_.controller.batch() / kFillSteps) : 0;
}

// Meets until neither thread had to sleep, so that what is counted from the arrival on belongs to
// the sample. Threads that share a CPU are never awake at once: after a while, which both measure
// alike, they stop trying. False: the partner has left.
bool DuetSchedule::MeetUntilSynchronized(uint64_t packed_time, Meeting* meeting) {
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

uint64_t DuetSchedule::EnterLoop() {
  Meeting meeting{};
  // If the partner has left, the sample does not count: the next one is not opened.
  if (!is_in_segment_ && MeetUntilSynchronized(loop_.timer.packed_time(), &meeting)) {
    return meeting.release;
  }
  return PairSchedule::EnterLoop();
}

std::string DuetSchedule::notice() const {
  const std::string pin_error = PairSchedule::notice();
  const bool is_planned = loop_.plan.schedule == Schedule::kSliced;
  return pin_error.empty() && shares_cpu_ && !is_planned ? kSharedCpu : pin_error;
}

}  // namespace duetbench
