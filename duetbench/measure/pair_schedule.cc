#include "duetbench/measure/pair_schedule.h"

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "duetbench/measure/run_randomization.h"
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

Opening PairSchedule::OpenSolo(uint8_t assignment) {
  const RunController& controller = loop_.controller;
  const bool is_measured = controller.IsSoloMeasured();
  // Else the counts are those of the samples together, or in turns.
  const bool counts = is_measured && loop_.plan.schedule == Schedule::kAlternating;
  loop_.events.Prepare(counts, controller.sample_ns(), controller.pair_index());
  loop_.usage.Arrive();
  Opening opening = SampleAt(0, assignment, is_measured);
  opening.is_solo = true;
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

void TurnSchedule::Closed(bool recorded) {
  RunController& controller = loop_.controller;
  turn().packed_time_of[loop_.variant] = loop_.timer.packed_time();
  if (controller.is_solo()) {
    controller.CloseSolo();
  } else if (--turn().samples_left == 0) {
    controller.Close(recorded);
  }
}

Opening TurnSchedule::Open() {
  RunController& controller = loop_.controller;
  const RunPlan& plan = loop_.plan;
  while (turn().Await(loop_.variant)) {
    if (controller.has_ended()) {
      turn().Give((loop_.variant + 1) % variants());  // the next one learns of it
      return {Opening::Kind::kComplete};
    }
    const bool is_segment = controller.is_solo();
    if (!is_segment && turn().samples_left == 0) {
      Advance();
      continue;
    }
    const int place = is_segment ? static_cast<int>(controller.solo_block())
                                 : variants() - static_cast<int>(turn().samples_left);
    const uint64_t number =
        plan.run + (is_segment ? controller.solo_segment() : controller.pair_index());
    const int next = VariantAtPlace(plan.seed, number, variants(), place);
    if (next != loop_.variant) {
      turn().Give(next);
      continue;
    }
    if (is_segment) return OpenSolo(static_cast<uint8_t>(place));
    // A run of turns has one block, in which the instant of a sample decides nothing.
    const bool is_measured = controller.IsMeasured(/*reference=*/0);
    loop_.events.Prepare(is_measured, controller.sample_ns(), controller.pair_index());
    loop_.usage.Arrive();
    return SampleAt(/*start=*/0, static_cast<uint8_t>(place), is_measured);
  }
  return {Opening::Kind::kPartnerLeft};
}

void TurnSchedule::Advance() {
  SampleTime times[kMaxVariants];
  for (int v = 0; v < variants(); ++v) times[v] = UnpackSampleTime(turn().packed_time_of[v]);
  loop_.controller.BeginWith(loop_.block.least_iterations);
  loop_.controller.Advance(ticks::Now(), absl::MakeConstSpan(times, loop_.plan.variants));
  if (!loop_.controller.is_solo()) turn().samples_left = loop_.plan.variants;
}

}  // namespace duetbench
