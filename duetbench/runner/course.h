#ifndef DUETBENCH_RUNNER_COURSE_H_
#define DUETBENCH_RUNNER_COURSE_H_

#include <cstddef>
#include <cstdint>

#include "duetbench/runner/pacing.h"
#include "duetbench/runner/plan.h"

namespace duetbench {

// The course of one round of a run: calibration, warm-up, and blocks between which the variants
// swap CPUs. It decides from numbers that both sides know after a meeting (its instant, and how
// long either batch took), so that the courses of the two sides come to the same decisions, and
// there is no leader. Arithmetic alone: no clock, no threads.
class Course {
 public:
  // `first_assignment` as drawn for the run (roles.h); `round` from 0; `capacity`: room for
  // measured iterations.
  Course(const RunPlan& plan, int first_assignment, int round, size_t capacity);

  // Decides what the next iteration is, before it opens. Both sides have met at the instant
  // `reference`; `ticks` and `partner_ticks` are the net times of the batches that were closed
  // last. Returns true if the variants must first swap CPUs, which assignment() then tells, and
  // meet once more: the next iteration is decided at that meeting.
  bool Advance(uint64_t reference, uint64_t ticks, uint64_t partner_ticks);

  // The plan asks for a number of operations, and not for a time.
  bool IsFixed() const { return plan_.operations > 0; }

  // The plan is carried out, or there is nothing to measure: no iteration opens any more.
  bool has_ended() const { return phase_ == Phase::kEnded; }

  // --- Of the iteration that opens ---

  uint64_t iteration() const { return iteration_; }  // from 0, calibration included
  uint64_t operations() const { return operations_; }
  uint32_t block() const { return block_; }
  // Which variant is on which CPU, for kDuet.
  uint8_t assignment() const { return assignment_; }
  // Whether its times belong to the result; `reference` is the instant at which it opens.
  bool IsMeasured(uint64_t reference) const;

  // That iteration is over. `recorded`: its times were kept, as not all are that IsMeasured.
  void Close(bool recorded);

  // --- What the calibration found ---

  uint64_t batch() const { return batch_; }
  double iteration_ns() const { return iteration_ns_; }
  // The calibration ended at a batch that takes this side no measurable time.
  bool nothing_to_measure() const { return nothing_to_measure_; }

 private:
  enum class Phase { kCalibrating, kWarmingUp, kMeasuring, kEnded };

  // The next iteration where time ends the phases.
  bool AdvanceInTime(uint64_t reference, uint64_t ticks, uint64_t partner_ticks);
  // The same for a fixed number of operations.
  bool AdvanceFixed(uint64_t ticks, uint64_t partner_ticks);
  void Calibrate(uint64_t ticks, uint64_t partner_ticks);
  bool BlockIsOver(uint64_t reference) const;
  bool RoundIsOver(uint64_t reference) const;
  double Ns(uint64_t ticks) const { return static_cast<double>(ticks) * plan_.ns_per_tick; }
  uint64_t Ticks(double ns) const { return static_cast<uint64_t>(ns / plan_.ns_per_tick); }

  const RunPlan plan_;
  const size_t capacity_;

  Phase phase_;
  uint64_t iteration_ = 0;
  uint64_t operations_ = 0;
  uint64_t given_ = 0;  // operations of all iterations so far, of a fixed number
  uint64_t batch_ = 1;
  double iteration_ns_ = 0;
  bool confirmed_ = false;  // the batch was long enough once
  bool nothing_to_measure_ = false;
  Pacing pacing_{};
  uint32_t block_ = 0;
  uint8_t assignment_;
  uint64_t measuring_begin_ = 0;  // instant of the first block's first iteration
  uint64_t phase_begin_ = 0;      // and of the warm-up's or the current block's
  bool phase_began_ = false;
  uint32_t phase_iterations_ = 0;  // closed since
  uint32_t recorded_in_block_ = 0;
  uint64_t recorded_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_COURSE_H_
