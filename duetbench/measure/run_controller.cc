#include "duetbench/measure/run_controller.h"

#include <algorithm>

#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

// The first measurement of a batch this long is believed: noise does not make a short one so long.
constexpr double kSurelyLongNs = 1e9;

// Likewise for calls that take so long with their set-up, by each of which a variant was asked for
// its iterations before.
constexpr double kExpensiveCallNs = 10e6;

// A shorter batch must be long again and again, for this time and at least twice: the first
// batches of what allocates may take fifty times as long as later ones, for the pages that they
// touch. Each loop may be a separate process, whose first batch has to initialise what
// the others have initialised for themselves.
constexpr double kConfirmingNs = 1e6;
constexpr int kMaxConfirmations = 20;  // of what takes no time at all

// After a segment in which a variant was solo the other one comes from sleep, and its caches are
// cold. This number of pairs, and those within this time, are not measured.
constexpr uint64_t kDiscardAfterSolo = 2;
constexpr double kDiscardAfterSoloNs = 1e6;

// The most by which a run that shall have a number of samples, and waits for its CPU, takes longer.
// Source: chosen.
constexpr double kMostTimesAsLong = 3;

}  // namespace

RunController::RunController(const RunPlan& plan, int first_assignment, size_t capacity)
    : plan_(plan),
      capacity_(capacity),
      phase_(plan.batch == 0 ? Phase::kCalibrating : Phase::kWarmingUp),
      assignment_(static_cast<uint8_t>(first_assignment)),
      blocks_of_segment_(static_cast<uint32_t>(LoopsOfCpu(plan))) {
  if (plan.batch > 0) {
    batch_ = plan.batch;
    sample_ns_ = plan.sample_ns;
    pacing_ = PaceRun(plan, sample_ns_);
    if (IsFixed()) phase_ = Phase::kMeasuring;
  }
}

void RunController::BeginWith(uint64_t least) {
  if (phase_ == Phase::kCalibrating && !IsFixed()) batch_ = std::max(batch_, least);
}

bool RunController::Advance(uint64_t reference, absl::Span<const SampleTime> times) {
  if (IsFixed()) return AdvanceFixed(reference, times);
  const bool swap = AdvanceInTime(reference, times);
  iterations_ = batch_;
  return swap;
}

void RunController::Close(bool recorded) {
  ++pair_index_;
  ++phase_pairs_;
  if (!recorded) return;
  ++recorded_;
  ++recorded_in_block_;
}

// A batch must be long enough for the clock without the pauses of the variant, and short enough for
// those who wait with them.
double RunController::FasterNs(absl::Span<const SampleTime> times) const {
  uint64_t ticks = times[0].net;
  for (const SampleTime& time : times) ticks = std::min(ticks, time.net);
  return Ns(ticks);
}

double RunController::SlowerNs(absl::Span<const SampleTime> times) const {
  uint64_t ticks = 0;
  for (const SampleTime& time : times) ticks = std::max(ticks, time.wall());
  return Ns(ticks);
}

bool RunController::AdvanceFixed(uint64_t reference, absl::Span<const SampleTime> times) {
  const bool calibrates = phase_ == Phase::kCalibrating;
  if (calibrates && plan_.calls != 0) {
    // One call executes them all: what it has set up may be meant for exactly this number.
    batch_ = plan_.fixed_iterations;
    if (pair_index_ > 0) sample_ns_ = Ns(reference - last_opening_);
    last_opening_ = reference;
  } else if (calibrates && pair_index_ > 0) {
    // The last batch may have been a part of one.
    const double parts = static_cast<double>(batch_) / static_cast<double>(iterations_);
    const double faster_ns = FasterNs(times) * parts;
    const double slower_ns = SlowerNs(times) * parts;
    const uint64_t next = NextCalibrationBatch(batch_, faster_ns, slower_ns, plan_);
    sample_ns_ = slower_ns * static_cast<double>(next) / static_cast<double>(batch_);
    batch_ = next;
  }
  const uint64_t left = plan_.fixed_iterations - given_;
  if (left == 0) {
    phase_ = Phase::kEnded;
    return false;
  }
  if (calibrates) {
    iterations_ = std::min(batch_, left);
  } else {
    const FixedPacing pacing = PaceFixed(plan_);
    if (pair_index_ * pacing.blocks / pacing.pieces > block_) {
      ++block_;
      assignment_ ^= 1;
      phase_pairs_ = 0;
      return true;
    }
    // The pieces that are left share the iterations that are left.
    const uint64_t pieces_left = pacing.pieces - pair_index_;
    iterations_ = (left + pieces_left - 1) / pieces_left;
  }
  given_ += iterations_;
  return false;
}

bool RunController::AdvanceInTime(uint64_t reference, absl::Span<const SampleTime> times) {
  if (phase_ == Phase::kCalibrating) {
    if (pair_index_ > 0) Calibrate(Ns(reference - last_opening_), times);
    last_opening_ = reference;
    if (phase_ != Phase::kWarmingUp) return false;
  }
  if (!phase_began_) {
    phase_began_ = true;
    phase_begin_ = reference;
    phase_pairs_ = 0;
  }
  if (phase_ == Phase::kWarmingUp) {
    if (phase_pairs_ > 0) ComparePair(times);
    if (reference - phase_begin_ < Ticks(pacing_.warm_up_ns) ||
        phase_pairs_ < pacing_.warm_up_pairs) {
      return false;
    }
    phase_ = Phase::kMeasuring;
    measuring_begin_ = reference;
    phase_begin_ = reference;
    phase_pairs_ = pacing_.discard_pairs;  // warm: the first block discards nothing
    if (plan_.schedule != Schedule::kAlternating) return false;
  }
  BeginSolo(reference);
  if (is_solo()) return false;
  if (UsesTwoCpus(plan_.schedule) && pair_index_ < discard_until_) {
    phase_began_ = false;  // the block that began with a segment begins anew
    return false;
  }
  if (plan_.schedule == Schedule::kAlternating) {
    phase_ = Phase::kEnded;  // there is nothing but segments
    return false;
  }
  const bool is_full = recorded_ >= capacity_;
  if (!is_full && !BlockIsOver(reference)) return false;
  if (is_full || RunIsOver(reference)) {
    phase_ = Phase::kEnded;
    return false;
  }
  ++block_;
  assignment_ ^= 1;
  recorded_in_block_ = 0;
  phase_began_ = false;
  return true;
}

// The shortest of several, since a sample may be disturbed. What a variant sets up for each call
// may be meant for the iterations of a batch.
void RunController::ComparePair(absl::Span<const SampleTime> times) {
  if (plan_.calls != 0 || plan_.same_iterations != 0) return;
  uint64_t slower = 0;
  for (size_t variant = 0; variant < times.size(); ++variant) {
    uint64_t& shortest = shortest_ticks_[variant];
    const uint64_t ticks = times[variant].wall();
    shortest = shortest > 0 ? std::min(shortest, ticks) : ticks;
    slower = std::max(slower, shortest);
  }
  for (size_t variant = 0; variant < times.size(); ++variant) {
    solo_batches_[variant] =
        std::max<uint64_t>(1, slower / std::max<uint64_t>(1, shortest_ticks_[variant]));
  }
}

void RunController::Calibrate(double pair_ns, absl::Span<const SampleTime> times) {
  const double faster_ns = FasterNs(times);
  const double slower_ns = SlowerNs(times);
  const double sample_ns = plan_.calls != 0 ? pair_ns : slower_ns;
  // Shorter batches are single calls, whose quantiles are wanted.
  const bool may_grow = plan_.calls != 0 && plan_.min_batch_ns >= kMeasuringPolicy.min_batch_ns;
  const double call_ns = pair_ns / static_cast<double>(times.size());
  const double set_up_ns = may_grow ? std::max(0.0, call_ns - slower_ns) : 0;
  const uint64_t next = NextCalibrationBatch(batch_, faster_ns, slower_ns, plan_, set_up_ns);
  if (next != batch_) {
    batch_ = next;
    confirmations_ = 0;
    confirming_ns_ = 0;
    return;
  }
  sample_ns_ = confirmations_ > 0 ? std::min(sample_ns_, sample_ns) : sample_ns;
  ++confirmations_;
  confirming_ns_ += sample_ns;
  const bool is_expensive = plan_.calls != 0 && pair_ns >= kExpensiveCallNs;
  const bool is_sure =
      is_expensive || faster_ns >= kSurelyLongNs || confirmations_ >= kMaxConfirmations ||
      (confirmations_ > static_cast<int>(blocks_of_segment_) && confirming_ns_ >= kConfirmingNs);
  if (!is_sure) return;
  // Both loops end; the one that is too fast says why.
  const bool hopeless = TakesNoTime(faster_ns, batch_, plan_);
  for (size_t variant = 0; hopeless && variant < times.size(); ++variant) {
    nothing_to_measure_[variant] = TakesNoTime(Ns(times[variant].net), batch_, plan_);
  }
  // The pairs of a pilot are compared with those of others, for which one pair is too few.
  const bool too_long = plan_.is_pilot != 0 && sample_ns_ > plan_.budget_ns;
  if (plan_.budget_ns <= 0 || hopeless || too_long) {
    phase_ = Phase::kEnded;
    return;
  }
  pacing_ = PaceRun(plan_, sample_ns_);
  phase_ = Phase::kWarmingUp;
  phase_began_ = false;
}

bool RunController::IsSoloDue(uint64_t reference) const {
  if (phase_ != Phase::kMeasuring || is_solo()) return false;
  const SoloPacing pacing = PaceSolo(plan_, sample_ns_);
  if (solo_segments_ >= pacing.segments) return false;
  if (plan_.schedule == Schedule::kAlternating) return true;
  if (UsesTwoCpus(plan_.schedule)) {
    // At the start of a block: of the second assignment, then of the first one.
    const bool starts_block = phase_pairs_ == 0;
    if (!starts_block || (block_ ^ solo_segments_) % 2 == 0) return false;
  }
  // Between equal parts of the run.
  return Ns(reference - measuring_begin_) >=
         plan_.budget_ns * (solo_segments_ + 1) / (pacing.segments + 1);
}

void RunController::BeginSolo(uint64_t reference) {
  if (!IsSoloDue(reference)) return;
  const SoloPacing pacing = PaceSolo(plan_, sample_ns_);
  ++solo_segments_;
  solo_pairs_ = pacing.pairs;
  solo_discard_ = pacing.discard;
  solo_closed_ = 0;
  if (UsesTwoCpus(plan_.schedule)) {
    const auto cold = static_cast<uint64_t>(kDiscardAfterSoloNs / std::max(sample_ns_, 1.0));
    discard_until_ = pair_index_ + pacing.pairs + kDiscardAfterSolo + cold;
  }
}

void RunController::CloseSolo() {
  const bool is_last_block = solo_closed_ >= (blocks_of_segment_ - 1) * solo_pairs_;
  if (is_last_block && IsSoloMeasured()) ++recorded_;
  ++solo_closed_;
  ++pair_index_;
  // The block of the next variant has the same pairs.
  const bool has_next_block = solo_closed_ < blocks_of_segment_ * solo_pairs_;
  if (solo_closed_ % solo_pairs_ == 0 && has_next_block) pair_index_ -= solo_pairs_;
}

bool RunController::IsMeasured(uint64_t reference) const {
  if (phase_ != Phase::kMeasuring || pair_index_ < discard_until_) return false;
  if (IsFixed()) return phase_pairs_ >= PaceFixed(plan_).discard;
  if (phase_pairs_ < pacing_.discard_pairs) return false;
  const bool swapped = block_ > 0;
  return !swapped || reference - phase_begin_ >= Ticks(pacing_.discard_ns);
}

bool RunController::BlockIsOver(uint64_t reference) const {
  // Half a sample early is as near to the end of the block as half a sample late.
  const double elapsed_ns = Ns(reference - phase_begin_) + sample_ns_ / 2;
  const bool is_time = elapsed_ns >= pacing_.block_ns * (LacksSamples() ? kMostTimesAsLong : 1);
  return recorded_in_block_ > 0 && (is_time || plan_.one_pair != 0);
}

// Beside busy processes the variants wait, and see less of their inputs in a time.
bool RunController::LacksSamples() const {
  if (plan_.same_iterations == 0 || plan_.calls != 0) return false;
  if (UsesTwoCpus(plan_.schedule)) return false;
  const double pair_ns = sample_ns_ * plan_.variants;
  return phase_pairs_ * pair_ns < pacing_.block_ns * (1 - plan_.solo_share);
}

// At the end of a block. Beside busy processes a swap may take longer than a block: then the time
// is up before all blocks are done, and the run ends once both assignments had equally many.
bool RunController::RunIsOver(uint64_t reference) const {
  const uint32_t done = block_ + 1;
  if (done >= pacing_.blocks) return true;
  if (done % 2 != 0) return false;
  const double elapsed_ns = Ns(reference - measuring_begin_);
  const double two_blocks_ns = elapsed_ns * 2 / done;
  return elapsed_ns + two_blocks_ns / 2 >= plan_.budget_ns;
}

}  // namespace duetbench
