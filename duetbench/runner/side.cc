#include "duetbench/runner/side.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "duetbench/platform/affinity.h"
#include "duetbench/platform/thread_usage.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

// How long a side spins for its partner before it sleeps, and how long after the later arrival both
// start (mechanisms: rendezvous.h).
constexpr double kSpinNs = 200e3;
constexpr double kLeadNs = 400;

// After so long a time of meetings for each of which a side slept, and so many of them, the sides
// are taken to share a CPU. A shorter time tells nothing: a host runs two virtual CPUs that wake
// together on one CPU of its own, until it sees that both stay busy and takes them apart.
constexpr double kLongestTurnsNs = 100e6;
constexpr int kFewestMeetings = 4;

// Google Benchmark's own number.
constexpr uint64_t kAllocatingOperations = 16;

// Filling goes on in steps of this part of a batch, so that the last step ends soon after the
// partner.
constexpr uint64_t kFillSteps = 32;

template <class Small>
Small Clamp(uint64_t value) {
  return static_cast<Small>(std::min<uint64_t>(value, std::numeric_limits<Small>::max()));
}

}  // namespace

Side::Side(const Config& config)
    : config_(config),
      rendezvous_(config.block, config.thread,
                  static_cast<uint64_t>(kSpinNs / config.plan.ns_per_tick),
                  static_cast<uint64_t>(kLeadNs / config.plan.ns_per_tick)),
      variant_(config.roles.variant_of_thread[config.thread] ^ (config.round & 1)),
      course_(config.plan, config.roles.first_assignment, config.round, config.capacity),
      assignment_(course_.assignment()) {}

bool Side::AwaitSetUp() {
  if (config_.roles.thread_set_up_first == config_.thread) return true;
  return rendezvous_.Await(1, 0);
}

bool Side::AwaitTearDown() {
  set_activity(Activity::kWaiting);
  rendezvous_.Publish(ticks::Now(), 0);
  return rendezvous_.Await(rendezvous_.epoch(), 0);
}

void Side::Leave() {
  if (allocating_) EndAllocating(0);
  set_activity(Activity::kDone);
  rendezvous_.Leave();
}

void Side::PinForAssignment() {
  const int cpu =
      config_.plan
          .cpus[config_.plan.schedule == Schedule::kInterleaved ? 0 : variant_ ^ assignment_];
  if (cpu < 0) return;
  const absl::Status status = PinThisThread(cpu);
  if (!status.ok()) pin_error_ = std::string(status.message());
}

uint64_t Side::Next(uint64_t stop, uint64_t operations) {
  total_operations_ += operations;
  if (allocating_) EndAllocating(operations);
  if (timing_) {
    CloseIteration(stop, operations);
    if (config_.plan.fill != 0 && config_.plan.schedule == Schedule::kDuet && !course_.IsFixed() &&
        !ended_) {
      rendezvous_.Publish(stop, 0);
      filling_ = true;
    }
  }
  if (ended_) return 0;
  if (filling_) {
    if (!rendezvous_.PartnerReached(rendezvous_.epoch())) {
      set_activity(Activity::kFilling);
      return std::max<uint64_t>(1, course_.batch() / kFillSteps);
    }
    filling_ = false;
  }
  set_activity(Activity::kWaiting);
  if (!loop_began_) {
    // Set up; now it is the partner's turn.
    loop_began_ = true;
    set_up_end_ = ticks::Now();
    rendezvous_.Publish(set_up_end_, 0);
    if (!rendezvous_.Await(1, 0)) {
      ended_ = true;
      return 0;
    }
  }
  const uint64_t batch =
      config_.plan.schedule == Schedule::kInterleaved ? OpenInTurn() : OpenIteration();
  return completed_ ? BeginAllocating() : batch;
}

// A memory manager counts the allocations of the whole process: old executes a few operations more
// while new waits, then new while old does, both still within their loops. There are no operations
// to spare where their number is fixed.
uint64_t Side::BeginAllocating() {
  if (config_.memory_manager == nullptr || sample_count_ == 0 || course_.IsFixed()) return 0;
  if (variant_ == 1 && !rendezvous_.Await(rendezvous_.epoch() + 1, 0)) return 0;
  allocating_ = true;
  set_activity(Activity::kOperating);
  config_.memory_manager->Start();
  return std::min(course_.batch(), kAllocatingOperations);
}

void Side::EndAllocating(uint64_t operations) {
  // Zeroed memory in place of a constructed one: its constructor needs a constant that shared
  // builds of Google Benchmark 1.7.1 do not export. (Its trivial copy constructor makes it a type
  // that storage may hold without further ado.)
  using Result = benchmark::MemoryManager::Result;
  static_assert(std::is_trivially_copyable_v<Result>);
  alignas(Result) unsigned char storage[sizeof(Result)] = {};
  void* const memory = storage;
  Result& result = *static_cast<Result*>(memory);
  config_.memory_manager->Stop(result);
  allocating_ = false;
  allocations_ = static_cast<uint64_t>(std::max<int64_t>(0, result.num_allocs));
  allocating_operations_ = operations;
  set_activity(Activity::kWaiting);
  rendezvous_.Publish(ticks::Now(), 0);
  // What old's tear-down allocates is not new's.
  if (variant_ == 0) rendezvous_.Await(rendezvous_.epoch(), 0);
}

void Side::CloseIteration(uint64_t stop, uint64_t operations) {
  timing_ = false;
  if (counting_ && !paused_) config_.counters->Stop();
  const uint64_t cpu_ns = arrival_ticks_ != 0 ? ThisThreadCpuNs() : 0;
  const ThreadUsage usage = ThisThreadUsage();
  Sample& sample = *open_;
  if (paused_) paused_ticks_ += stop - pause_begin_;
  sample.stop = stop;
  sample.paused = paused_ticks_;
  sample.operations = operations;
  sample.manual_seconds = manual_seconds_;
  sample.cpu_at_stop = static_cast<uint16_t>(CurrentCpu());
  sample.involuntary_switches = Clamp<uint16_t>(usage.involuntary_switches - arrival_involuntary_);
  sample.voluntary_switches = Clamp<uint16_t>(usage.voluntary_switches - arrival_voluntary_);
  if (arrival_ticks_ != 0) {
    const double wall_ns = static_cast<double>(stop - arrival_ticks_) * config_.plan.ns_per_tick;
    sample.blocked_ns = std::max(0.0, wall_ns - static_cast<double>(cpu_ns - arrival_cpu_ns_));
  }
  sample.minor_faults = Clamp<uint32_t>(usage.minor_faults - arrival_minor_faults_);
  sample.major_faults = Clamp<uint32_t>(usage.major_faults - arrival_major_faults_);
  if (counting_) RecordCounts(sample);
  // What neither sleeps nor is preempted has a CPU time equal to its real time, and needs no clock
  // for it.
  may_block_ = may_block_ || sample.voluntary_switches > 0;

  // Batches are made long enough in real time, also where the variants report times of their own.
  const uint64_t taken_off = paused_ticks_ + config_.overhead_ticks;
  const uint64_t region = stop - sample.start;
  last_ticks_ = region > taken_off ? region - taken_off : 0;
  course_.Close(open_ != &unmeasured_);
}

void Side::RecordCounts(const Sample& sample) {
  config_.counters->Disable();
  CountRecord& record = config_.count_records[count_record_count_++];
  record.iteration = sample.iteration;
  record.operations = sample.operations;
  const double region_ns =
      static_cast<double>(sample.stop - sample.start - sample.paused) * config_.plan.ns_per_tick;
  record.cpu_ns =
      sample.involuntary_switches == 0 ? std::max(0.0, region_ns - sample.blocked_ns) : 0;
  for (uint32_t event = 0; event < config_.plan.events; ++event) {
    record.counts[event] = config_.counters->count(event);
  }
}

bool Side::PrepareCounting(uint64_t reference) {
  counting_ = course_.IsMeasured(reference) && count_record_count_ < config_.count_capacity &&
              CountsIteration(config_.plan, course_.iteration_ns(), course_.iteration(),
                              count_record_count_);
  if (counting_) config_.counters->Enable(CountingTurn(config_.plan, course_.iteration()));
  return counting_;
}

void Side::TakeUsage() {
  const ThreadUsage usage = ThisThreadUsage();
  arrival_involuntary_ = usage.involuntary_switches;
  arrival_voluntary_ = usage.voluntary_switches;
  arrival_minor_faults_ = usage.minor_faults;
  arrival_major_faults_ = usage.major_faults;
  if (may_block_) {
    arrival_cpu_ns_ = ThisThreadCpuNs();
    arrival_ticks_ = ticks::Now();
  }
}

// Meets until neither side had to sleep, so that what is counted from the arrival on belongs to the
// iteration. Sides that share a CPU are never awake at once: after a while, which both tell alike,
// they stop asking for it. False: the partner has left.
bool Side::MeetAwake(Meeting* meeting) {
  uint64_t first = 0;
  for (int meetings = 1; !shares_cpu_; ++meetings) {
    TakeUsage();
    *meeting = rendezvous_.Meet(last_ticks_);
    if (meeting->partner_left) return false;
    if (meeting->attempts == 1) return true;
    if (meetings == 1) first = meeting->release;
    const double turns_ns =
        static_cast<double>(meeting->release - first) * config_.plan.ns_per_tick;
    shares_cpu_ = meetings >= kFewestMeetings && turns_ns >= kLongestTurnsNs;
  }
  *meeting = rendezvous_.MeetAsleep(last_ticks_);
  TakeUsage();
  return !meeting->partner_left;
}

uint64_t Side::OpenIteration() {
  Meeting meeting;
  for (;;) {
    if (!MeetAwake(&meeting)) {
      ended_ = true;
      return 0;
    }
    const bool swap = course_.Advance(meeting.release, last_ticks_, meeting.partner_payload);
    assignment_ = course_.assignment();
    if (course_.has_ended()) {
      ended_ = true;
      completed_ = true;
      return 0;
    }
    if (!swap) break;
    PinForAssignment();
  }
  // Enabling counters takes microseconds, more than the release leaves: both meet once more.
  if (PrepareCounting(meeting.release) && !MeetAwake(&meeting)) {
    ended_ = true;
    return 0;
  }
  return Begin(meeting.release);
}

// Turns. Epoch 1 is the end of the set-up, epoch k+2 the end of the pair k (from 0) on that side.
// Who goes first in pair k waits for the partner's epoch k+1, who goes second for k+2. The second
// side must sleep through the first one's batch: on one CPU it would else take time from it.
uint64_t Side::OpenInTurn() {
  const auto before = static_cast<uint32_t>(course_.iteration() + 1);
  if (timing_ || course_.iteration() > 0) {
    // Announced with the stamp of the stop, which is the later end of a pair for whoever was
    // second.
    rendezvous_.Publish(open_->stop, last_ticks_);
  }
  const bool old_first = OldGoesFirst(config_.plan.seed, config_.plan.run, course_.iteration());
  const bool go_first = old_first == (variant_ == 0);
  const bool partner_came = rendezvous_.Await(go_first ? before : before + 1, 0);
  if (!partner_came && !rendezvous_.PartnerCame(before)) {
    ended_ = true;
    return 0;
  }
  // Known to both sides: what each published with epoch `before`.
  const uint64_t reference =
      std::max(rendezvous_.MyArrival(before), rendezvous_.PartnerArrival(before));
  course_.Advance(reference, last_ticks_, rendezvous_.PartnerPayload(before));
  if (course_.has_ended()) {
    // Whoever would be second sleeps until this epoch, and then reads what was published with the
    // last one: nothing more may be published before it has come to its own end.
    rendezvous_.Publish(0, 0);
    rendezvous_.Await(before + 1, 0);
    ended_ = true;
    completed_ = true;
    return 0;
  }
  if (!partner_came) {
    ended_ = true;
    return 0;
  }
  assignment_ = old_first ? 0 : 1;
  PrepareCounting(reference);
  TakeUsage();
  return Begin(reference);
}

uint64_t Side::Begin(uint64_t reference) {
  const bool timed = !counting_ || CountsAndTimes(config_.plan, course_.iteration_ns());
  open_ = timed && course_.IsMeasured(reference) ? &config_.samples[sample_count_++] : &unmeasured_;
  Sample& sample = *open_;
  sample.iteration = course_.iteration();
  sample.block = course_.block();
  sample.assignment = assignment_;
  sample.cpu_at_start = static_cast<uint16_t>(CurrentCpu());
  paused_ticks_ = 0;
  manual_seconds_ = 0;
  timing_ = true;
  set_activity(Activity::kOperating);
  if (config_.plan.schedule == Schedule::kDuet) WaitForRelease(reference);
  if (counting_) {
    config_.counters->Start();
    if (paused_) config_.counters->Pause();
  }
  const uint64_t start = ticks::Start();
  sample.start = start;
  if (paused_) pause_begin_ = start;
  return course_.operations();
}

void Side::Pause() {
  if (!timing_ || paused_) return;
  paused_ = true;
  pause_begin_ = ticks::Stop();
  if (counting_) config_.counters->Pause();
}

void Side::Resume() {
  if (!timing_ || !paused_) return;
  if (counting_) config_.counters->Resume();
  // The timed region is now in one more piece, each with its own empty-region overhead.
  const uint64_t now = ticks::Start();
  paused_ticks_ += now - pause_begin_ + config_.overhead_ticks;
  paused_ = false;
}

}  // namespace duetbench
