#include "duetbench/experiment/pair_schedule.h"

#include <algorithm>

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
    "in at least one run old and new were not awake at the same time and ran one after the other: "
    "other processes left them one CPU, two virtual CPUs share one, or a variant changed its CPU";

}  // namespace

void PairSchedule::Pin() {
  const int cpu = loop_.plan.cpus[Place()];
  if (cpu < 0) return;
  const absl::Status status = PinThisThread(cpu);
  if (!status.ok()) pin_error_ = std::string(status.message());
}

void PairSchedule::Leave() {
  loop_.rendezvous.Leave();
  loop_.block.Leave();
}

void ConcurrentSchedule::Closed() {
  if (loop_.plan.fill == 0 || loop_.controller.IsFixed()) return;
  loop_.rendezvous.Publish(loop_.timer.stop(), 0);
  is_filling_ = true;
}

uint64_t ConcurrentSchedule::FillIterations() {
  is_filling_ = is_filling_ && !loop_.rendezvous.PartnerPublishedOrLeft(loop_.rendezvous.epoch());
  return is_filling_ ? std::max<uint64_t>(1, loop_.controller.batch() / kFillSteps) : 0;
}

Opening DuetSchedule::Open() {
  RoundController& controller = loop_.controller;
  const uint64_t ticks = loop_.timer.net_ticks();
  Meeting meeting;
  for (;;) {
    if (!MeetUntilSynchronized(ticks, &meeting)) return {Opening::Kind::kPartnerLeft};
    controller.BeginWith(loop_.block.asked_iterations);
    const bool swap = controller.Advance(meeting.release, ticks, meeting.partner_payload);
    if (controller.has_ended()) return {Opening::Kind::kComplete};
    if (!swap) break;
    Pin();
  }
  const bool is_measured = controller.IsMeasured(meeting.release);
  if (!PrepareEvents(is_measured, ticks, &meeting)) return {Opening::Kind::kPartnerLeft};
  return SampleAt(meeting.release, controller.assignment(), is_measured);
}

// Enabling counters takes microseconds, more than the release leaves: both meet once more. False:
// the partner has left.
bool ConcurrentSchedule::PrepareEvents(bool is_measured, uint64_t net_ticks, Meeting* meeting) {
  const RoundController& controller = loop_.controller;
  return !loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index()) ||
         MeetUntilSynchronized(net_ticks, meeting);
}

// Meets until neither thread had to sleep, so that what is counted from the arrival on belongs to
// the sample. Threads that share a CPU are never awake at once: after a while, which both measure
// alike, they stop trying. False: the partner has left.
bool ConcurrentSchedule::MeetUntilSynchronized(uint64_t net_ticks, Meeting* meeting) {
  uint64_t first_release = 0;
  for (int meetings = 1; !shares_cpu_; ++meetings) {
    loop_.usage.Arrive();
    *meeting = loop_.rendezvous.Meet(net_ticks);
    if (meeting->partner_left) return false;
    if (meeting->attempts == 1) return true;
    if (meetings == 1) first_release = meeting->release;
    const double elapsed_ns =
        static_cast<double>(meeting->release - first_release) * loop_.plan.ns_per_tick;
    shares_cpu_ = meetings >= kMinBlockedMeetings && elapsed_ns >= kMaxBlockedMeetingsNs;
  }
  *meeting = loop_.rendezvous.MeetBlocking(net_ticks);
  loop_.usage.Arrive();
  return !meeting->partner_left;
}

uint64_t ConcurrentSchedule::EnterLoop() {
  Meeting meeting{};
  // If the partner has left, the sample does not count: the next one is not opened.
  if (loop_.controller.alone_lane() < 0 &&
      MeetUntilSynchronized(loop_.timer.net_ticks(), &meeting)) {
    return meeting.release;
  }
  loop_.usage.Arrive();
  return ticks::Now();
}

std::string ConcurrentSchedule::notice() const {
  const std::string pin_error = PairSchedule::notice();
  return pin_error.empty() && shares_cpu_ ? kSharedCpu : pin_error;
}

void CrossedSchedule::Closed() {
  RoundController& controller = loop_.controller;
  lane().net_ticks = loop_.timer.net_ticks();
  if (controller.alone_lane() < 0) ConcurrentSchedule::Closed();
}

Opening CrossedSchedule::Open() {
  RoundController& controller = loop_.controller;
  LaneTurn& lane = this->lane();
  Meeting meeting;
  // Whoever closed a sample has the turn.
  while (lane.Await(loop_.variant)) {
    if (lane.partner_left != 0) return End(Opening::Kind::kPartnerLeft);
    if (controller.has_ended()) return End(Opening::Kind::kComplete);
    const bool is_alone = controller.alone_lane() == loop_.lane;
    if (!is_alone && controller.alone_lane() >= 0) {
      controller.SkipAlone();
      lane.partner_was_alone = 1;
    }
    const RunPlan& plan = loop_.plan;
    const uint64_t pair = controller.pair_index();
    const int first = is_alone ? (OldGoesFirst(plan.seed, plan.run, pair) ? 0 : 1)
                               : CrossedAssignment(plan.seed, plan.run, pair);
    const int next = first ^ (is_alone ? (controller.is_second_alone() ? 1 : 0) : loop_.lane);
    if (next != loop_.variant) {
      lane.Give(next);
      continue;
    }
    if (is_alone) return OpenAlone(first);

    loop_.rendezvous.Resume();
    if (lane.partner_was_alone != 0) {
      // Spinning for that long would take power and cache lines from the partner.
      loop_.rendezvous.Await(loop_.rendezvous.epoch() + 1, 0);
      lane.partner_was_alone = 0;
    }
    if (!MeetUntilSynchronized(lane.net_ticks, &meeting)) {
      lane.partner_left = 1;
      return End(Opening::Kind::kPartnerLeft);
    }
    controller.BeginWith(loop_.block.asked_iterations);
    controller.Advance(meeting.release, lane.net_ticks, meeting.partner_payload);
    if (controller.has_ended() || controller.alone_lane() >= 0) continue;
    const bool is_measured = controller.IsMeasured(meeting.release);
    if (!PrepareEvents(is_measured, lane.net_ticks, &meeting)) {
      lane.partner_left = 1;
      return End(Opening::Kind::kPartnerLeft);
    }
    return SampleAt(meeting.release, static_cast<uint8_t>(first), is_measured);
  }
  return {Opening::Kind::kPartnerLeft};
}

Opening CrossedSchedule::OpenAlone(int first) {
  const RoundController& controller = loop_.controller;
  loop_.events.Prepare(false, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  Opening opening = SampleAt(0, static_cast<uint8_t>(first), controller.IsAloneMeasured());
  opening.is_alone = true;
  return opening;
}

Opening CrossedSchedule::End(Opening::Kind kind) {
  lane().Give(1 - loop_.variant);
  return {kind};
}

// Epoch 1 is the end of the set-up, epoch k+2 the end of this loop's sample of pair k (from 0). The
// first in pair k waits for the partner's epoch k+1, the second for k+2. The second must sleep
// through the first one's sample: on one CPU it would take time from it otherwise.
Opening InterleavedSchedule::Open() {
  RoundController& controller = loop_.controller;
  Rendezvous& rendezvous = loop_.rendezvous;
  const uint64_t net_ticks = loop_.timer.net_ticks();
  const auto before = static_cast<uint32_t>(controller.pair_index() + 1);
  // The later of the two stamps is the end of the pair.
  rendezvous.Publish(controller.pair_index() > 0 ? loop_.timer.stop() : ticks::Now(), net_ticks);
  const bool old_first = OldGoesFirst(loop_.plan.seed, loop_.plan.run, controller.pair_index());
  const bool go_first = old_first == (loop_.variant == 0);
  const bool partner_came = rendezvous.Await(go_first ? before : before + 1, 0);
  if (!partner_came && !rendezvous.PartnerPublished(before)) return {Opening::Kind::kPartnerLeft};
  // Known to both: what each published with epoch `before`.
  const uint64_t reference =
      std::max(rendezvous.MyArrival(before), rendezvous.PartnerArrival(before));
  controller.BeginWith(loop_.block.asked_iterations);
  controller.Advance(reference, net_ticks, rendezvous.PartnerPayload(before));
  if (controller.has_ended()) {
    // The one that would be second sleeps until this epoch, and then reads what was published with
    // the last one: nothing more may be published before it has decided to end, too.
    rendezvous.Publish(0, 0);
    rendezvous.Await(before + 1, 0);
    return {Opening::Kind::kComplete};
  }
  if (!partner_came) return {Opening::Kind::kPartnerLeft};
  const bool is_measured = controller.IsMeasured(reference);
  loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  return SampleAt(reference, old_first ? 0 : 1, is_measured);
}

uint64_t InterleavedSchedule::EnterLoop() {
  loop_.usage.Arrive();
  return ticks::Now();
}

PlannedSchedule::PlannedSchedule(const PairSchedule::Loop& loop) {
  switch (loop.plan.schedule) {
    case Schedule::kDuet:
      schedule_ = &schedules_.emplace<DuetSchedule>(loop);
      break;
    case Schedule::kInterleaved:
      schedule_ = &schedules_.emplace<InterleavedSchedule>(loop);
      break;
    case Schedule::kCrossed:
      schedule_ = &schedules_.emplace<CrossedSchedule>(loop);
      break;
  }
}

}  // namespace duetbench
