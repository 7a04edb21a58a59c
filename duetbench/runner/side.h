#ifndef DUETBENCH_RUNNER_SIDE_H_
#define DUETBENCH_RUNNER_SIDE_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "duetbench/counters/counter_set.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/thread_usage.h"
#include "duetbench/runner/counting.h"
#include "duetbench/runner/course.h"
#include "duetbench/runner/plan.h"
#include "duetbench/runner/roles.h"
#include "duetbench/runner/sample.h"

namespace duetbench {

// What a side is doing, for the message about a run that never ended.
enum class Activity : uint32_t {
  kNotStarted,
  kSetUp,
  kWaiting,
  kOperating,
  kFilling,  // untimed operations, until the partner is done
  kTearDown,
  kDone
};

// One of the two sides of a run: meets its partner before every iteration, times its batches, and
// keeps what was measured. Both sides execute this same code, and their courses (course.h) come to
// the same decisions.
//
// A side is used by one thread; `activity` alone may be read by another.
class Side {
 public:
  struct Config {
    RunPlan plan;
    RendezvousBlock* block;  // all that the two sides share
    int thread;              // 0 or 1: its slot in the block
    int round;               // of the run, from 0; in odd rounds the variants have changed threads
    Roles roles;
    uint64_t overhead_ticks;  // of an empty timed region; subtracted
    Sample* samples;          // room for `capacity` measured iterations, on pages of its own
    size_t capacity;
    CounterSet* counters;        // opened by the thread of this side
    CountRecord* count_records;  // room for `count_capacity` iterations that count, likewise
    size_t count_capacity;
    benchmark::MemoryManager* memory_manager;  // of the program; null: none
  };

  explicit Side(const Config& config);

  // --- What State's loop calls ---

  // Closes the batch that was running (if any) and opens the next; returns the number of operations
  // to execute, 0 when the loop shall end. `stop` is the stamp taken on entry, `operations` what
  // was executed since the last call.
  uint64_t Next(uint64_t stop, uint64_t operations);

  void Pause();
  void Resume();
  void AddManualTime(double seconds) { manual_seconds_ += seconds; }

  // Makes Next return 0 from now on.
  void EndEarly() { ended_ = true; }

  // What the plan asks for; 0: as many as the time allows.
  uint64_t operations() const { return config_.plan.operations; }

  // --- What the run calls, on the same thread ---

  // Pins the calling thread to the CPU of its current assignment; errors go to pin_error().
  void PinForAssignment();

  // Waits for this side's turn to be set up. False: the partner failed, do not start.
  bool AwaitSetUp();

  // Waits until the partner's tear-down is over too. False: the partner failed.
  bool AwaitTearDown();

  // Every way out of the thread ends here.
  void Leave();

  // --- What the run reads, when the thread has ended ---

  size_t sample_count() const { return sample_count_; }
  size_t count_record_count() const { return count_record_count_; }
  uint64_t batch() const { return course_.batch(); }
  double iteration_ns() const { return course_.iteration_ns(); }
  uint64_t total_operations() const { return total_operations_; }
  // When the set-up was over; 0 if the loop never began.
  uint64_t set_up_end() const { return set_up_end_; }
  // The variant was told to end its loop; if it returned before that, it left the loop by itself.
  bool loop_began() const { return loop_began_; }
  bool ended() const { return ended_; }
  // What the memory manager counted, and over how many operations; 0: it was not asked.
  uint64_t allocations() const { return allocations_; }
  uint64_t allocating_operations() const { return allocating_operations_; }
  // The loop was ended by the plan, not by the variant or by the partner.
  bool completed() const { return completed_; }
  // Calibration ended at a batch that takes no measurable time.
  bool nothing_to_measure() const { return course_.nothing_to_measure(); }
  // A thread could not be pinned; empty if all could.
  const std::string& pin_error() const { return pin_error_; }
  // The sides were not awake at once: from some iteration on they ran one after the other.
  bool shares_cpu() const { return shares_cpu_; }
  int variant() const { return variant_; }

  Activity activity() const {
    return static_cast<Activity>(__atomic_load_n(&activity_, __ATOMIC_RELAXED));
  }
  void set_activity(Activity activity) {
    __atomic_store_n(&activity_, static_cast<uint32_t>(activity), __ATOMIC_RELAXED);
  }

 private:
  void CloseIteration(uint64_t stop, uint64_t operations);
  uint64_t OpenIteration();
  uint64_t OpenInTurn();
  uint64_t BeginAllocating();
  void EndAllocating(uint64_t operations);
  bool MeetAwake(Meeting* meeting);
  uint64_t Begin(uint64_t reference);
  void TakeUsage();
  // Decides whether the next iteration counts events; if so, its counters are enabled.
  bool PrepareCounting(uint64_t reference);
  void RecordCounts(const Sample& sample);

  const Config config_;
  Rendezvous rendezvous_;
  const int variant_;
  Course course_;
  uint8_t assignment_;

  bool loop_began_ = false;
  bool timing_ = false;   // a timed batch is running
  bool filling_ = false;  // untimed operations are running
  bool ended_ = false;
  bool completed_ = false;
  bool shares_cpu_ = false;
  std::string pin_error_;
  uint32_t activity_ = 0;

  Sample* open_ = nullptr;  // the record of the running iteration
  Sample unmeasured_{};     // of an iteration that is not measured
  size_t sample_count_ = 0;
  bool counting_ = false;  // the running iteration counts events
  size_t count_record_count_ = 0;
  uint64_t last_ticks_ = 0;  // net time of the last closed batch
  uint64_t paused_ticks_ = 0;
  uint64_t pause_begin_ = 0;
  bool paused_ = false;
  double manual_seconds_ = 0;
  uint64_t total_operations_ = 0;
  bool allocating_ = false;  // untimed operations for the memory manager are running
  uint64_t allocations_ = 0;
  uint64_t allocating_operations_ = 0;
  uint64_t set_up_end_ = 0;

  // An operation has blocked, or nobody would know: its CPU time is not its real time.
  bool may_block_ = !ThreadUsageIsCounted();
  uint64_t arrival_ticks_ = 0;  // when the usage below was taken; 0: not taken
  uint64_t arrival_cpu_ns_ = 0;
  uint64_t arrival_involuntary_ = 0;
  uint64_t arrival_voluntary_ = 0;
  uint64_t arrival_minor_faults_ = 0;
  uint64_t arrival_major_faults_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_SIDE_H_
