#include "duetbench/measure/measuring_loop.h"

#include <algorithm>

#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

// The time for which a thread spins for its partner before it sleeps, and that from the later
// arrival to the start of both (rendezvous.h).
constexpr double kSpinNs = 200e3;
constexpr double kLeadNs = 400;

// Before each sample the variant executes this part of its iterations untimed. The kernel and the
// other variant have used the caches and the branch predictors before, so that the first iterations
// take longer: by 0.1 to 0.3 µs of 30 to 60 on an AMD Zen 5, which moved a ratio of 1.944 to 1.937.
constexpr uint64_t kWarmUpDivisor = 32;

}  // namespace

MeasuringLoop::MeasuringLoop(const Config& config)
    : config_(config),
      variant_(IsGroup(config.plan) ? config.loop
                                    : config.randomization.variant_of_thread[config.loop]),
      rendezvous_(&config.block->rendezvous, config.loop & 1,
                  static_cast<uint64_t>(kSpinNs / config.plan.ns_per_tick),
                  static_cast<uint64_t>(kLeadNs / config.plan.ns_per_tick)),
      controller_(*config.controller),
      usage_(config.plan.ns_per_tick, config.plan.schedule == Schedule::kSliced),
      events_(config_.plan, config.counters, config.count_records, config.count_capacity),
      timer_(config.overhead_ticks, config.pause_ticks, &events_),
      allocations_(config.memory_manager, variant_, config.plan.variants, config.block),
      schedule_({config_.plan, variant_, *config_.block, rendezvous_, controller_, usage_, events_,
                 timer_}) {}

bool MeasuringLoop::AwaitSetUp() {
  const int position =
      SetUpPosition(config_.randomization, config_.loop, static_cast<int>(config_.plan.variants));
  return config_.block->set_up.Await(static_cast<uint32_t>(position));
}

void MeasuringLoop::AwaitTearDown() {
  set_activity(Activity::kWaiting);
  config_.block->torn_down.Pass();
  config_.block->torn_down.Await(config_.plan.variants);
}

void MeasuringLoop::Leave() {
  if (allocations_.is_counting()) allocations_.End(0);
  set_activity(Activity::kDone);
  schedule_->Leave();
}

void MeasuringLoop::AddManualTime(double seconds) {
  timer_.AddManualTime(seconds);
  if (config_.plan.manual_time == 0) return;
  has_manual_time_ = true;
  const bool is_time = seconds == 0 || (seconds >= kMeasuringPolicy.min_manual_s &&
                                        seconds <= kMeasuringPolicy.max_manual_s);
  if (!is_time && !wrong_manual_time_.has_value()) wrong_manual_time_ = seconds;
}

uint64_t MeasuringLoop::NextSample(uint64_t stop, uint64_t iterations) {
  const uint64_t next = CloseAndOpen(stop, iterations);
  if (next == 0) set_activity(Activity::kTearDown);
  // The partner is called anew for each sample: it has its set-up before it now.
  if (awaits_loop_) EnterLoop();
  return next;
}

uint64_t MeasuringLoop::NextCall() {
  awaits_loop_ = false;
  const uint64_t now = ticks::Stop();
  EndOutside(now);
  const uint64_t next = CloseAndOpen(now, untimed_iterations_);
  untimed_iterations_ = 0;
  set_activity(next == 0 ? Activity::kTearDown : Activity::kSetUp);
  if (awaits_loop_) outside_since_ = ticks::Now();
  return next;
}

void MeasuringLoop::EndOutside(uint64_t now) {
  if (outside_since_ != 0) around_loops_ticks_ += now - outside_since_;
  outside_since_ = 0;
}

void MeasuringLoop::EnterLoop() {
  if (!awaits_loop_) return;
  awaits_loop_ = false;
  if (outside_since_ != 0) EndOutside(ticks::Now());
  set_activity(Activity::kWaiting);
  Start(schedule_->EnterLoop());
}

void MeasuringLoop::LeaveLoop(uint64_t stop, uint64_t iterations) {
  if (!timer_.is_running()) {
    untimed_iterations_ = iterations;
    return;
  }
  total_iterations_ += iterations;
  Close(stop, iterations);
  outside_since_ = ticks::Now();
  set_activity(Activity::kTearDown);
}

uint64_t MeasuringLoop::CloseAndOpen(uint64_t stop, uint64_t iterations) {
  total_iterations_ += iterations;
  if (wrong_manual_time_.has_value()) EndEarly();
  if (is_first_iteration_) EndFirstIteration(stop, iterations);
  if (warm_up_begin_ != 0 && !ended()) return StartWarm(iterations);
  if (allocations_.is_counting()) {
    set_activity(Activity::kWaiting);
    allocations_.End(iterations);
  }
  if (timer_.is_running()) Close(stop, iterations);
  if (ended()) return 0;
  if (const uint64_t fill = schedule_->FillIterations(); fill > 0) {
    set_activity(Activity::kFilling);
    return fill;
  }
  set_activity(Activity::kWaiting);
  if (!began()) {
    if (!Enter()) return 0;
    if (StartFirstIteration()) return 1;
  }
  return Open();
}

// Iterations that a sample has alone are too long to be executed once more.
bool MeasuringLoop::StartFirstIteration() {
  if (config_.plan.calls != 0 || controller_.IsFixed() || config_.plan.batch <= 1) return false;
  set_activity(Activity::kIterating);
  first_iteration_.faults = ThisThreadUsage().minor_faults;
  first_cpu_ns_ = ThisThreadCpuNs();
  is_first_iteration_ = true;
  timer_.Start(&unmeasured_);
  return true;
}

// Beside the partner: the time on the CPU has no preemption, and the timed one has no pause.
void MeasuringLoop::EndFirstIteration(uint64_t stop, uint64_t iterations) {
  is_first_iteration_ = false;
  timer_.Stop(stop);
  unmeasured_ticks_ += timer_.net_ticks();
  const double timed_ns = static_cast<double>(timer_.net_ticks()) * config_.plan.ns_per_tick;
  first_iteration_.ns = std::min(timed_ns, static_cast<double>(ThisThreadCpuNs() - first_cpu_ns_));
  first_iteration_.iterations = iterations;
  first_iteration_.faults = ThisThreadUsage().minor_faults - first_iteration_.faults;
}

bool MeasuringLoop::Enter() {
  progress_ = Progress::kMeasuring;
  set_up_end_ = ticks::Now();
  uint64_t& least = config_.block->least_iterations;
  least = std::max(least, least_iterations_);
  // Now it is the next one's turn to be set up.
  config_.block->set_up.Pass();
  if (config_.block->set_up.Await(config_.plan.variants)) return true;
  progress_ = Progress::kEndedEarly;
  return false;
}

uint64_t MeasuringLoop::Open() {
  const Opening opening = schedule_->Open();
  if (opening.kind == Opening::Kind::kPartnerLeft) {
    progress_ = Progress::kEndedEarly;
    return 0;
  }
  if (opening.kind == Opening::Kind::kComplete) return Complete();
  const bool recorded = opening.is_measured && sample_count_ < config_.capacity &&
                        (opening.is_solo || events_.IsTimed(controller_.sample_ns()));
  open_ = recorded ? &config_.samples[sample_count_++] : &unmeasured_;
  open_->pair_index = opening.pair_index;
  open_->block = controller_.block();
  open_->assignment = opening.assignment;
  open_->solo = opening.is_solo ? 1 : 0;
  open_->cpu_at_start = static_cast<uint16_t>(CurrentCpu());
  // In blocks of one variant at a time: the core may change between one block and the next.
  const bool probes = config_.plan.schedule == Schedule::kAlternating && config_.plan.calls == 0;
  open_->probe_ticks = probes ? static_cast<uint32_t>(SpeedProbeTicks()) : 0;
  iterations_ = opening.is_solo ? controller_.SoloIterations(variant_) : controller_.iterations();
  if (config_.plan.calls != 0) {
    awaits_loop_ = true;
    return iterations_;
  }
  warm_up_iterations_ = WarmUpIterations();
  if (warm_up_iterations_ > 0) {
    set_activity(Activity::kIterating);
    WaitForRelease(opening.start);
    warm_up_begin_ = ticks::Now();
    return warm_up_iterations_;
  }
  Start(opening.start);
  return iterations_;
}

// Their number changes from pair to pair: what a variant does in each n-th iteration must not be
// untimed each time. None for a variant that blocks: the kernel runs in each of its iterations
// anyway.
uint64_t MeasuringLoop::WarmUpIterations() const {
  if (controller_.IsFixed() || usage_.has_blocked()) return 0;
  const uint64_t fewest = iterations_ / kWarmUpDivisor;
  if (fewest == 0 || fewest < warm_up_step_) return 0;
  return fewest + open_->pair_index % (fewest / 4 + 2);
}

// A variant may execute more than it is told, in its own batches: then, once they are known, it
// has no untimed iterations that would take as long as the sample.
uint64_t MeasuringLoop::StartWarm(uint64_t executed) {
  if (executed > warm_up_iterations_) warm_up_step_ = std::max(warm_up_step_, executed);
  unmeasured_ticks_ += ticks::Now() - warm_up_begin_;
  warm_up_begin_ = 0;
  StartTimer();
  return iterations_;
}

void MeasuringLoop::Start(uint64_t release) {
  set_activity(Activity::kIterating);
  WaitForRelease(release);
  StartTimer();
}

// Its partner executes iterations now.
void MeasuringLoop::StartTimer() {
  if (open_ != &unmeasured_) empty_.ExecuteEmptyLoops();
  timer_.Start(open_);
}

void MeasuringLoop::Close(uint64_t stop, uint64_t iterations) {
  timer_.Stop(stop);
  usage_.Stop(stop, open_);
  around_loops_ticks_ += open_->paused;
  open_->iterations = iterations;
  open_->cpu_at_stop = static_cast<uint16_t>(CurrentCpu());
  events_.Record(*open_);
  // Compared with the times of pairs, which the variant reports with UseManualTime.
  if (config_.plan.manual_time == 0 && first_iteration_.iterations > 0 &&
      first_iteration_.next_ns == 0) {
    first_iteration_.next_ns = static_cast<double>(timer_.net_ticks()) * config_.plan.ns_per_tick /
                               static_cast<double>(iterations);
  }
  if (open_ != &unmeasured_) empty_.Compare(*open_, timer_.net_ticks());
  if (open_ == &unmeasured_) unmeasured_ticks_ += timer_.net_ticks();
  if (!ended()) schedule_->Closed(open_ != &unmeasured_);
}

void MeasuringLoop::FillRecord(LoopRecord* record) const {
  const auto ns = [this](uint64_t ticks) {
    return static_cast<double>(ticks) * config_.plan.ns_per_tick;
  };
  record->variant = variant_;
  record->notice = schedule_->notice();
  record->batch = controller_.batch();
  record->sample_ns = controller_.sample_ns();
  record->unmeasured_ns = ns(unmeasured_ticks_);
  record->empty = empty_.tally();
  // A time that the variant reports itself has no pauses.
  if (config_.plan.manual_time == 0) record->pause_share = timer_.pause_share();
  record->first_iteration = first_iteration_;
  record->call_set_ups_ns = ns(around_loops_ticks_);
  record->allocations = allocations_.allocations();
  record->allocating_iterations = allocations_.iterations();
  if (allocations_.iterations() > 0) record->peak_heap_bytes = allocations_.peak_bytes();
  record->samples.assign(config_.samples, config_.samples + sample_count_);
  record->counts.assign(config_.count_records, config_.count_records + events_.record_count());
}

// Returns how many iterations the loop executes after its last sample, for the allocations. A fixed
// number of iterations has none to spare.
uint64_t MeasuringLoop::Complete() {
  progress_ = Progress::kCompleted;
  if (controller_.IsFixed()) return 0;
  const uint64_t iterations = allocations_.Begin(controller_.batch());
  if (iterations > 0) set_activity(Activity::kIterating);
  return iterations;
}

}  // namespace duetbench
