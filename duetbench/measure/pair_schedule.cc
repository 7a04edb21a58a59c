#include "duetbench/measure/pair_schedule.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

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
  const RunController& controller = loop_.controller;
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

// Enabling counters takes microseconds, more than the release leaves: both meet once more. False:
// the partner has left.
bool ConcurrentSchedule::PrepareEvents(bool is_measured, uint64_t packed_time, Meeting* meeting) {
  const RunController& controller = loop_.controller;
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

}  // namespace duetbench
