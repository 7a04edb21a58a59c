#include "duetbench/experiment/measuring_loop.h"

#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

MeasuringLoop::MeasuringLoop(const Config& config)
    : config_(config),
      variant_(config.randomization.variant_of_thread[config.thread] ^ (config.round & 1)),
      rendezvous_(config.block, config.thread,
                  static_cast<uint64_t>(kSpinNs / config.plan.ns_per_tick),
                  static_cast<uint64_t>(kLeadNs / config.plan.ns_per_tick)),
      controller_(config.plan, config.randomization.first_assignment, config.round,
                  config.capacity),
      usage_(config.plan.ns_per_tick),
      events_(config_.plan, config.counters, config.count_records, config.count_capacity),
      timer_(config.overhead_ticks, &events_),
      allocations_(config.memory_manager, variant_, &rendezvous_),
      schedule_({config_.plan, variant_, rendezvous_, controller_, usage_, events_, timer_}) {}

bool MeasuringLoop::AwaitSetUp() {
  if (config_.randomization.thread_set_up_first == config_.thread) return true;
  return rendezvous_.Await(1, 0);
}

bool MeasuringLoop::AwaitTearDown() {
  set_activity(Activity::kWaiting);
  rendezvous_.Publish(ticks::Now(), 0);
  return rendezvous_.Await(rendezvous_.epoch(), 0);
}

void MeasuringLoop::Leave() {
  if (allocations_.is_counting()) allocations_.End(0);
  set_activity(Activity::kDone);
  rendezvous_.Leave();
}

uint64_t MeasuringLoop::NextSample(uint64_t stop, uint64_t iterations) {
  const uint64_t next = CloseAndOpen(stop, iterations);
  if (next == 0) set_activity(Activity::kTearDown);
  return next;
}

uint64_t MeasuringLoop::CloseAndOpen(uint64_t stop, uint64_t iterations) {
  total_iterations_ += iterations;
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
  if (!began() && !Enter()) return 0;
  return Open();
}

bool MeasuringLoop::Enter() {
  progress_ = Progress::kMeasuring;
  set_up_end_ = ticks::Now();
  // Now it is the partner's turn to be set up.
  rendezvous_.Publish(set_up_end_, 0);
  if (rendezvous_.Await(1, 0)) return true;
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
  const bool recorded = opening.is_measured && events_.IsTimed(controller_.sample_ns());
  open_ = recorded ? &config_.samples[sample_count_++] : &unmeasured_;
  open_->pair_index = controller_.pair_index();
  open_->block = controller_.block();
  open_->assignment = opening.assignment;
  open_->cpu_at_start = static_cast<uint16_t>(CurrentCpu());
  set_activity(Activity::kIterating);
  WaitForRelease(opening.start);
  timer_.Start(open_);
  return controller_.iterations();
}

void MeasuringLoop::Close(uint64_t stop, uint64_t iterations) {
  timer_.Stop(stop);
  usage_.Stop(stop, open_);
  open_->iterations = iterations;
  open_->cpu_at_stop = static_cast<uint16_t>(CurrentCpu());
  events_.Record(*open_);
  controller_.Close(open_ != &unmeasured_);
  if (!ended()) schedule_->Closed();
}

// Returns how many iterations the loop executes after its last sample, for the allocations. A fixed
// number of iterations has none to spare.
uint64_t MeasuringLoop::Complete() {
  progress_ = Progress::kCompleted;
  if (sample_count_ == 0 || controller_.IsFixed()) return 0;
  const uint64_t iterations = allocations_.Begin(controller_.batch());
  if (iterations > 0) set_activity(Activity::kIterating);
  return iterations;
}

}  // namespace duetbench
