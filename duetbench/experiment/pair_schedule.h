#ifndef DUETBENCH_EXPERIMENT_PAIR_SCHEDULE_H_
#define DUETBENCH_EXPERIMENT_PAIR_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <variant>

#include "duetbench/experiment/event_counting.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/round_controller.h"
#include "duetbench/experiment/sample_timer.h"
#include "duetbench/experiment/usage_meter.h"
#include "duetbench/platform/rendezvous.h"

namespace duetbench {

// What a schedule found out about the next sample of its loop.
struct Opening {
  enum class Kind {
    kSample,       // it opens
    kComplete,     // the plan is carried out
    kPartnerLeft,  // the partner will execute no more samples
  };
  Kind kind;
  // Of kSample: the instant at which it starts, or the past if it may start at once; which variant
  // is on which CPU, or goes first (Sample::assignment); whether it belongs to the result.
  uint64_t start = 0;
  uint8_t assignment = 0;
  bool is_measured = false;
};

// When the samples of a pair take place: how a measuring loop waits for its next sample. Each of
// the two loops of a pair has a schedule, and both decide the same from what they share: the plan,
// the instants of their meetings, and the times that either sample took. They share no memory but
// the block of the rendezvous.
//
// Used by one thread: that of its loop.
class PairSchedule {
 public:
  // The parts of a loop that its schedule works with.
  struct Loop {
    const RunPlan& plan;
    int variant;
    Rendezvous& rendezvous;
    RoundController& controller;
    UsageMeter& usage;
    EventCounting& events;
    const SampleTimer& timer;
  };

  explicit PairSchedule(const Loop& loop) : loop_(loop) {}
  virtual ~PairSchedule() = default;
  PairSchedule(const PairSchedule&) = delete;
  PairSchedule& operator=(const PairSchedule&) = delete;

  // A sample has closed, and the loop goes on.
  virtual void Closed() {}
  // How many untimed iterations to execute before the next call of Open; 0: none.
  virtual uint64_t FillIterations() { return 0; }
  // Waits until the next sample may open. Usage is counted from here on, and the events that the
  // sample counts are enabled.
  virtual Opening Open() = 0;

  // Pins the calling thread to the CPU of its current assignment.
  void Pin();

  // What degraded; empty: nothing did.
  virtual std::string notice() const { return pin_error_; }

 protected:
  Opening SampleAt(uint64_t start, uint8_t assignment, bool is_measured) const {
    return {Opening::Kind::kSample, start, assignment, is_measured};
  }
  const Loop loop_;

 private:
  std::string pin_error_;
};

// Both samples at the same time, each on a CPU of its own; the variants swap CPUs between blocks.
class ConcurrentSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  void Closed() override;
  uint64_t FillIterations() override;
  Opening Open() override;
  std::string notice() const override;

 private:
  bool MeetUntilSynchronized(Meeting* meeting);

  bool is_filling_ = false;
  // The partner was never awake at the same time: from some pair on they run one after the other.
  bool shares_cpu_ = false;
};

// One sample after the other on one CPU; the order is drawn for each two pairs (OldGoesFirst).
class InterleavedSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  Opening Open() override;
};

// The schedule that the plan asks for, in place: a loop lies on pages of its own, where leak
// checkers do not look for pointers to the heap.
class PlannedSchedule {
 public:
  explicit PlannedSchedule(const PairSchedule::Loop& loop);
  PairSchedule* operator->() const { return schedule_; }

 private:
  std::variant<std::monostate, ConcurrentSchedule, InterleavedSchedule> schedules_;
  PairSchedule* schedule_;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PAIR_SCHEDULE_H_
