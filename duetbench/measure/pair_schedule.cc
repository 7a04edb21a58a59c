#include "duetbench/measure/pair_schedule.h"

#include "absl/status/status.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

void PairSchedule::Pin() {
  const RunPlan& plan = loop_.plan;
  const int cpu = plan.cpus[Place()];
  if (cpu < 0) return;
  const absl::Status status = plan.cpus_per_variant == 1
                                  ? PinThisThread(cpu)
                                  : ConfineThisThread(plan.cpus, plan.cpus_per_variant);
  if (!status.ok()) pin_error_ = std::string(status.message());
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

PlannedSchedule::PlannedSchedule(const PairSchedule::Loop& loop) {
  if (RunsConcurrently(loop.plan.schedule)) {
    schedule_ = &schedules_.emplace<DuetSchedule>(loop);
  } else {
    schedule_ = &schedules_.emplace<TurnSchedule>(loop);
  }
}

}  // namespace duetbench
