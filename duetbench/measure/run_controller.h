#ifndef DUETBENCH_MEASURE_RUN_CONTROLLER_H_
#define DUETBENCH_MEASURE_RUN_CONTROLLER_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/measure/sample_timer.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {

// Leads one loop through a run: calibration, warm-up, and blocks between which the
// variants swap CPUs. It decides from numbers that both loops know after a meeting (its instant,
// and how long either sample took), so the controllers of both come to the same decisions without a
// leader. Arithmetic alone: no clock, no threads.
class RunController {
 public:
  // `first_assignment` as drawn for the run (run_randomization.h); `capacity`: room for measured
  // samples.
  RunController(const RunPlan& plan, int first_assignment, size_t capacity);

  // Decides what the next pair is, before it opens. Both loops have met at the instant `reference`;
  // `times` are those of the samples that were closed last, by variant. Returns true if the
  // variants must first swap CPUs, as assignment() then says, and meet once more: the next pair is
  // decided at that meeting.
  bool Advance(uint64_t reference, absl::Span<const SampleTime> times);

  // The plan asks for a number of iterations, and not for a time.
  bool IsFixed() const { return plan_.fixed_iterations > 0; }

  // The plan is carried out, or there is nothing to measure: no pair opens any more.
  bool has_ended() const { return phase_ == Phase::kEnded; }

  // --- Of the pair that opens ---

  uint64_t pair_index() const { return pair_index_; }  // from 0, calibration included
  uint64_t iterations() const { return iterations_; }  // of either sample
  // Iterations of a solo sample: the faster variant has as many batches as take the slower one's
  // time, so both run solo for the same time.
  uint64_t SoloIterations(int variant) const { return batch_ * solo_batches_[variant]; }
  uint32_t block() const { return block_; }
  // Which variant is on which CPU, for kDuet.
  uint8_t assignment() const { return assignment_; }
  // True if its times belong to the result; `reference` is the instant at which it opens.
  bool IsMeasured(uint64_t reference) const;

  // That pair is over. `recorded`: its times were kept, which is not so for every measured pair.
  void Close(bool recorded);

  // --- Segments in which one variant runs solo: a block of one, then a block of the other ---

  // The next samples of the loops that share this are solo. With kDuet, of the loop's own block.
  bool is_solo() const { return solo_closed_ < blocks_of_segment_ * solo_pairs_; }
  // The number of solo segments before this one.
  uint64_t solo_segment() const { return solo_segments_ - 1; }
  // The number of blocks of the segment before that of the next solo sample, and whether that
  // belongs to the result.
  uint64_t solo_block() const { return solo_closed_ / solo_pairs_; }
  bool IsSoloMeasured() const { return solo_closed_ % solo_pairs_ >= solo_discard_; }
  // The solo sample is over.
  void CloseSolo();

  // --- What the calibration found ---

  // Before the first sample: the least iterations of a sample that the variants ask for.
  void BeginWith(uint64_t least);

  uint64_t batch() const { return batch_; }
  double sample_ns() const { return sample_ns_; }
  // The calibration ended at a batch that takes `variant` no measurable time.
  bool nothing_to_measure(int variant) const { return nothing_to_measure_[variant]; }

 private:
  enum class Phase { kCalibrating, kWarmingUp, kMeasuring, kEnded };

  // The next pair where time ends the phases.
  bool AdvanceInTime(uint64_t reference, absl::Span<const SampleTime> times);
  // The same for a fixed number of iterations.
  bool AdvanceFixed(uint64_t reference, absl::Span<const SampleTime> times);
  // Learns from the last pair of the warm-up how long a batch takes either variant.
  void ComparePair(absl::Span<const SampleTime> times);
  void Calibrate(double pair_ns, absl::Span<const SampleTime> times);
  double FasterNs(absl::Span<const SampleTime> times) const;
  double SlowerNs(absl::Span<const SampleTime> times) const;
  // Begins a segment if it is time for one, at a meeting at the instant `reference`.
  void BeginSolo(uint64_t reference);
  bool IsSoloDue(uint64_t reference) const;
  bool BlockIsOver(uint64_t reference) const;
  bool LacksSamples() const;
  bool RunIsOver(uint64_t reference) const;
  double Ns(uint64_t ticks) const { return static_cast<double>(ticks) * plan_.ns_per_tick; }
  uint64_t Ticks(double ns) const { return static_cast<uint64_t>(ns / plan_.ns_per_tick); }

  const RunPlan plan_;
  const size_t capacity_;

  Phase phase_;
  uint64_t pair_index_ = 0;
  uint64_t iterations_ = 0;
  uint64_t given_ = 0;  // iterations of all samples so far, of a fixed number
  uint64_t batch_ = 1;
  double sample_ns_ = 0;
  int confirmations_ = 0;      // the batch was long enough so often …
  double confirming_ns_ = 0;   // … in samples that took so long together
  uint64_t last_opening_ = 0;  // instant of it, while calibrating
  bool nothing_to_measure_[kMaxVariants] = {};
  Pacing pacing_{};
  uint32_t block_ = 0;
  uint8_t assignment_;
  uint64_t measuring_begin_ = 0;  // instant of the first block's first pair
  uint64_t phase_begin_ = 0;      // and of the warm-up's or the current block's
  bool phase_began_ = false;
  uint32_t phase_pairs_ = 0;  // closed since
  uint32_t recorded_in_block_ = 0;
  uint64_t recorded_ = 0;

  uint64_t shortest_ticks_[kMaxVariants] = {};  // of a batch of each, in the warm-up; 0: none
  uint64_t solo_batches_[kMaxVariants] = {1, 1, 1, 1, 1, 1, 1, 1};
  uint32_t solo_segments_ = 0;        // begun
  uint64_t solo_pairs_ = 0;           // of this segment: the samples of each of its blocks
  uint64_t solo_discard_ = 0;         // samples at the start of a block that are not measured
  uint64_t solo_closed_ = 0;          // samples of this segment, of the loops that share this
  const uint32_t blocks_of_segment_;  // of the loops that share this
  uint64_t discard_until_ = 0;        // pairs after a segment that are not measured
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_CONTROLLER_H_
