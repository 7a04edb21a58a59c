#ifndef DUETBENCH_MEASURE_SAMPLE_TIMER_H_
#define DUETBENCH_MEASURE_SAMPLE_TIMER_H_

#include <algorithm>
#include <cstdint>

#include "duetbench/measure/event_counting.h"
#include "duetbench/measure/stack_sampler.h"
#include "duetbench/record/pair_records.h"

namespace duetbench {

// Time of a sample in ticks: the time that counts, and that between PauseTiming and ResumeTiming,
// which the partner and the user wait for all the same.
struct SampleTime {
  uint64_t net = 0;
  uint64_t paused = 0;

  uint64_t wall() const { return net + paused; }
};

// In one word, which a rendezvous exchanges: 40 bits of net time, and 24 bits of paused time in
// steps of 2^16 ticks, rounded down: 20 µs at 3 GHz, nothing beside a sample that is long by its
// pauses. Either is at most 2^40 ticks, 6 minutes.
inline constexpr int kNetBits = 40;
inline constexpr int kPausedStepBits = 16;
inline constexpr uint64_t kMaxPackedTicks = (uint64_t{1} << kNetBits) - 1;

inline uint64_t Pack(const SampleTime& time) {
  const uint64_t paused = std::min(time.paused, kMaxPackedTicks) >> kPausedStepBits;
  return paused << kNetBits | std::min(time.net, kMaxPackedTicks);
}

inline SampleTime UnpackSampleTime(uint64_t packed) {
  return {packed & kMaxPackedTicks, packed >> kNetBits << kPausedStepBits};
}

// The stopwatch of one measuring loop: times one sample after the other, without the pauses that
// the variant asks for. Where the sample counts events, they are counted in the same regions.
class SampleTimer {
 public:
  // `overhead_ticks`: the length of an empty timed region; `pause_ticks`: by how much an empty
  // pause lengthens it (MeasurePauseTicks).
  SampleTimer(uint64_t overhead_ticks, uint64_t pause_ticks, EventCounting* events)
      : overhead_ticks_(overhead_ticks), pause_ticks_(pause_ticks), events_(events) {}

  // Told when samples are timed; null: nobody is.
  void set_stacks(StackSampler* stacks) { stacks_ = stacks; }

  // Starts the clock; the times go to `sample`. A loop that is paused starts paused.
  void Start(Sample* sample);
  // The sample ended at the instant `stop`.
  void Stop(uint64_t stop);

  // Without effect outside of a sample, or twice in a row.
  void Pause();
  void Resume();
  // Adds to the time that the variant reports itself.
  void AddManualTime(double seconds) { manual_seconds_ += seconds; }

  // Pauses of the open sample, so far.
  uint64_t paused_ticks() const { return paused_ticks_ + cost_ticks_; }

  bool is_running() const { return sample_ != nullptr; }

  // The sample that stopped last: its end, its real time without pauses and overhead, and the time
  // that the loops exchange.
  uint64_t stop() const { return stop_; }
  uint64_t net_ticks() const { return net_ticks_; }
  // Share of pauses in all samples: the time of pauses, which was subtracted, over the time that is
  // left.
  double pause_share() const {
    return static_cast<double>(all_cost_ticks_) /
           static_cast<double>(std::max<uint64_t>(1, all_net_ticks_));
  }
  // With the cost of the pauses: whether the clock sees a batch does not depend on how well that
  // is known.
  uint64_t packed_time() const { return Pack({net_ticks_ + cost_ticks_, paused_ticks_}); }

 private:
  void TellTimed(bool timed) {
    if (stacks_ != nullptr) stacks_->SetTimed(timed);
  }

  const uint64_t overhead_ticks_;
  const uint64_t pause_ticks_;
  EventCounting* const events_;
  StackSampler* stacks_ = nullptr;
  Sample* sample_ = nullptr;
  bool paused_ = false;
  uint64_t pause_begin_ = 0;
  uint64_t paused_ticks_ = 0;
  uint64_t cost_ticks_ = 0;  // of the pauses, in the timed region
  double manual_seconds_ = 0;
  uint64_t stop_ = 0;
  uint64_t net_ticks_ = 0;
  uint64_t all_net_ticks_ = 0;
  uint64_t all_cost_ticks_ = 0;
};

// By how many ticks a pair of PauseTiming and ResumeTiming lengthens the timed region, which
// depends on the work before it: the median of several kinds of work, measured on the calling
// thread. Takes 0.4 ms.
uint64_t MeasurePauseTicks(double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_SAMPLE_TIMER_H_
