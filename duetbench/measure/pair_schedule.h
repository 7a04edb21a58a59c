#ifndef DUETBENCH_MEASURE_PAIR_SCHEDULE_H_
#define DUETBENCH_MEASURE_PAIR_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <variant>

#include "duetbench/measure/event_counting.h"
#include "duetbench/measure/run_controller.h"
#include "duetbench/measure/sample_timer.h"
#include "duetbench/measure/shared_block.h"
#include "duetbench/measure/usage_meter.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/record/plan.h"

namespace duetbench {

// The answer of a schedule about the next sample of its loop.
struct Opening {
  enum class Kind {
    kSample,       // it opens
    kComplete,     // the plan is carried out
    kPartnerLeft,  // the partner will execute no more samples
  };
  Kind kind;
  // With kSample: the instant at which it starts, or the past if it may start at once; which
  // variant is on which CPU, or the place in its turn (Sample::assignment); whether it belongs to
  // the result; whether the other CPU is idle meanwhile. `pair_index` numbers the pairs.
  uint64_t start = 0;
  uint64_t pair_index = 0;
  uint8_t assignment = 0;
  bool is_measured = false;
  bool is_solo = false;
};

// When the samples of a pair take place: how a measuring loop waits for its next sample. Each loop
// has a schedule. The two that meet decide the same from what they share: the plan, the instants of
// their meetings, and the times that either sample took. They share no memory but the SharedBlock;
// those that share a CPU share its controller, too.
//
// Used by one thread: that of its loop.
class PairSchedule {
 public:
  // The parts of a loop that its schedule works with.
  struct Loop {
    const RunPlan& plan;
    int variant;
    SharedBlock& block;
    Rendezvous& rendezvous;
    RunController& controller;
    UsageMeter& usage;
    EventCounting& events;
    const SampleTimer& timer;
  };

  explicit PairSchedule(const Loop& loop) : loop_(loop) {}
  virtual ~PairSchedule() = default;
  PairSchedule(const PairSchedule&) = delete;
  PairSchedule& operator=(const PairSchedule&) = delete;

  // The sample has closed. `recorded`: its times were kept, which is not so for every measured one.
  virtual void Closed(bool recorded) { loop_.controller.Close(recorded); }
  // The number of untimed iterations to execute before the next call of Open; 0: none.
  virtual uint64_t FillIterations() { return 0; }
  // Waits until the next sample may open. Usage is counted from here on, and the events that the
  // sample counts are enabled.
  virtual Opening Open() = 0;
  // Where a variant is called anew for each sample (plan.calls): its loop begins, after Open and
  // the set-up of the call. Returns the instant at which the sample starts: here at once.
  virtual uint64_t EnterLoop();

  // Pins the calling thread to the CPU of its current assignment.
  void Pin();

  // Releases every loop that waits for this one.
  void Leave();

  // Says what degraded; empty: nothing did.
  virtual std::string notice() const { return pin_error_; }

 protected:
  // Which of plan.cpus is this loop's.
  virtual int Place() const { return 0; }

  Opening SampleAt(uint64_t start, uint8_t assignment, bool is_measured) const {
    return {Opening::Kind::kSample, start, loop_.controller.pair_index(), assignment, is_measured};
  }
  // A sample of a block (RunController::is_solo).
  Opening OpenSolo(uint8_t assignment);

  const Loop loop_;

 private:
  std::string pin_error_;
};

// Both samples of a pair take place at the same time. Each variant has its own CPU, and they swap
// CPUs between blocks; or they share one (kSliced). In a segment one executes its block while the
// other sleeps, then the other one its own.
class DuetSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  void Closed(bool recorded) override;
  uint64_t FillIterations() override;
  Opening Open() override;
  uint64_t EnterLoop() override;
  std::string notice() const override;

 protected:
  int Place() const override { return loop_.variant ^ loop_.controller.assignment(); }

 private:
  // Meets the partner, and sends it the time of the last sample (SampleTime).
  bool MeetUntilSynchronized(uint64_t packed_time, Meeting* meeting);
  // Waits until it is this loop's turn to be solo, or until the segment is over. False: the
  // partner has left.
  bool BeginSegment();
  bool EndSegment();
  bool GoesFirstSolo() const;

  bool is_filling_ = false;
  // They share it by their schedule; or the partner was never awake at the same time, and from some
  // pair on they run one after the other.
  bool shares_cpu_ = loop_.plan.schedule == Schedule::kSliced;
  bool is_in_segment_ = false;
};

// The variants, one after the other on one CPU, in the order of a Latin square (VariantAtPlace; of
// two variants ABBA or BAAB): each has a sample in a turn (kInterleaved), or a block of them in a
// segment (all of kAlternating but its calibration and warm-up, and the segments of kInterleaved).
// Sample::assignment is the place of the variant in the turn.
class TurnSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  void Closed(bool recorded) override;
  Opening Open() override;

 private:
  Turn& turn() { return loop_.block.turn; }
  int variants() const { return static_cast<int>(loop_.plan.variants); }
  // Decides with the times of all what the next turn is.
  void Advance();
};

// The schedule that the plan asks for, in place: a loop lies on its own pages, where leak
// checkers do not look for pointers to the heap.
class PlannedSchedule {
 public:
  explicit PlannedSchedule(const PairSchedule::Loop& loop);
  PairSchedule* operator->() const { return schedule_; }

 private:
  std::variant<std::monostate, DuetSchedule, TurnSchedule> schedules_;
  PairSchedule* schedule_;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_PAIR_SCHEDULE_H_
