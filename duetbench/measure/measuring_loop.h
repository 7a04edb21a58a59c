#ifndef DUETBENCH_MEASURE_MEASURING_LOOP_H_
#define DUETBENCH_MEASURE_MEASURING_LOOP_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "duetbench/measure/empty_comparison.h"
#include "duetbench/measure/event_counting.h"
#include "duetbench/measure/pair_schedule.h"
#include "duetbench/measure/run_controller.h"
#include "duetbench/measure/run_randomization.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/measure/sample_timer.h"
#include "duetbench/measure/shared_block.h"
#include "duetbench/measure/usage_meter.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {

// The activity of a variant, for the message about a run that is stuck.
enum class Activity : uint32_t {
  kNotStarted,
  kSetUp,
  kWaiting,
  kIterating,
  kFilling,  // untimed iterations, until the partner is done: it holds nothing up
  kTearDown,
  kDone
};

// The measuring loop of one variant in a run: opens its samples when the schedule says
// so, and records them. The partner executes the same code with the same plan.
//
// Used by one thread; others see its activity in the block.
class MeasuringLoop final : public SampleLoop {
 public:
  struct Config {
    RunPlan plan;
    SharedBlock* block;         // all that the loops of the run share
    RunController* controller;  // of this loop, or of all that share its CPU
    int loop;                   // from 0
    RunRandomization randomization;
    uint64_t overhead_ticks;  // of an empty timed region; subtracted
    uint64_t pause_ticks;     // of a pair of pauses; likewise
    Sample* samples;          // room for `capacity` measured samples, on its own pages
    size_t capacity;
    CounterSet* counters;        // opened by the thread of this loop
    CountRecord* count_records;  // room for `count_capacity` samples that count, likewise
    size_t count_capacity;
    benchmark::MemoryManager* memory_manager;  // of the program; null: none
  };

  explicit MeasuringLoop(const Config& config);

  // --- What a State calls ---

  uint64_t NextSample(uint64_t stop, uint64_t iterations) override;
  void EndEarly() override { progress_ = Progress::kEndedEarly; }
  void Pause() override {
    timer_.Pause();
    usage_.Pause();
  }
  void Resume() override {
    usage_.Resume();
    timer_.Resume();
  }
  void AddManualTime(double seconds) override;
  bool IsCalibrating() const override { return config_.plan.batch == 0; }
  void AskForIterations(uint64_t least) override { least_iterations_ = least; }
  uint64_t least_iterations() const override { return config_.block->least_iterations; }
  uint64_t NextCall() override;
  void EnterLoop() override;
  void LeaveLoop(uint64_t stop, uint64_t iterations) override;
  uint64_t seed() const override { return SeedOfInputs(config_.plan.seed, config_.plan.run); }
  uint64_t fixed_iterations() const override { return config_.plan.fixed_iterations; }

  // --- What the run calls, on the same thread ---

  // Pins the calling thread to the CPU on which this variant begins; errors go to notice().
  void Pin() { schedule_->Pin(); }

  EmptyComparison& empty() { return empty_; }

  // Where the stacks of timed samples are recorded; null: nowhere.
  void SampleStacks(StackSampler* stacks) { timer_.set_stacks(stacks); }

  // Waits for this variant's turn to be set up. False: the partner failed, do not start.
  bool AwaitSetUp();

  // Waits until the partner's tear-down is over too, or it failed.
  void AwaitTearDown();

  // Releases the partner for good. Every way out of the thread ends here.
  void Leave();

  // --- What the run reads, when the loop has ended ---

  int variant() const { return variant_; }
  // The loop was entered; and it was told to end. A variant that returned before that left the loop
  // by itself.
  bool began() const { return progress_ != Progress::kSetUp; }
  bool ended() const { return progress_ >= Progress::kEndedEarly; }
  // It ended because the plan is carried out.
  bool completed() const { return progress_ == Progress::kCompleted; }
  // Calibration ended at a batch that takes the variant no measurable time.
  bool nothing_to_measure() const { return controller_.nothing_to_measure(variant_); }
  // A time that the variant has reported (UseManualTime), and that is none: the loop has ended.
  std::optional<double> wrong_manual_time() const { return wrong_manual_time_; }
  bool has_manual_time() const { return has_manual_time_; }

  const Sample* samples() const { return config_.samples; }
  size_t sample_count() const { return sample_count_; }
  uint64_t batch() const { return controller_.batch(); }
  uint64_t total_iterations() const { return total_iterations_; }
  // When the set-up was over; 0 if the loop was never entered.
  uint64_t set_up_end() const { return set_up_end_; }
  // Puts what was measured into the record of this loop.
  void FillRecord(LoopRecord* record) const;

  void set_activity(Activity activity) {
    __atomic_store_n(&config_.block->activities[config_.loop].activity,
                     static_cast<uint32_t>(activity), __ATOMIC_RELAXED);
  }

 private:
  enum class Progress { kSetUp, kMeasuring, kEndedEarly, kCompleted };

  // NextSample without the change of activity at the end.
  uint64_t CloseAndOpen(uint64_t stop, uint64_t iterations);
  void Close(uint64_t stop, uint64_t iterations);
  // Waits until both variants are set up. False: the partner failed.
  bool Enter();
  uint64_t Open();
  // Times the first iteration, where the samples have more of them.
  bool StartFirstIteration();
  void EndFirstIteration(uint64_t stop, uint64_t iterations);
  // The number of untimed iterations before the open sample, which StartWarm() follows; 0: none.
  uint64_t WarmUpIterations() const;
  uint64_t StartWarm(uint64_t executed);
  // Starts the clock of the sample that Open has opened.
  void Start(uint64_t release);
  void StartTimer();
  uint64_t Complete();
  // The set-up or the tear-down of a call is over at the instant `now`.
  void EndOutside(uint64_t now);

  const Config config_;
  const int variant_;
  Rendezvous rendezvous_;
  RunController& controller_;
  UsageMeter usage_;
  EventCounting events_;
  SampleTimer timer_;
  AllocationCounting allocations_;
  const PlannedSchedule schedule_;

  Progress progress_ = Progress::kSetUp;
  bool is_first_iteration_ = false;  // it is running
  uint64_t first_cpu_ns_ = 0;        // CPU time of the thread before it
  FirstIteration first_iteration_{};
  EmptyComparison empty_;
  std::optional<double> wrong_manual_time_;
  bool has_manual_time_ = false;
  Sample* open_ = nullptr;         // the record of the running sample
  Sample unmeasured_{};            // of a sample that does not belong to the result
  uint64_t unmeasured_ticks_ = 0;  // of such samples
  size_t sample_count_ = 0;
  uint64_t total_iterations_ = 0;
  uint64_t set_up_end_ = 0;
  uint64_t iterations_ = 0;          // of the open sample
  uint64_t warm_up_iterations_ = 0;  // before it
  uint64_t warm_up_begin_ = 0;       // 0: they are over
  uint64_t warm_up_step_ = 0;        // what a variant executes at least, if that is more
  // The number that a variant asked for; used if it is called anew for each sample.
  uint64_t least_iterations_ = 0;
  bool awaits_loop_ = false;         // a sample is open, and its clock does not run yet
  uint64_t untimed_iterations_ = 0;  // of a call that was no sample
  uint64_t outside_since_ = 0;       // within a call, outside of its loop; 0: not so
  uint64_t around_loops_ticks_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_MEASURING_LOOP_H_
