#ifndef DUETBENCH_MEASURE_EVENT_COUNTING_H_
#define DUETBENCH_MEASURE_EVENT_COUNTING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/event.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"

// In which samples events are counted. Counting must not change what is timed: a read() right
// before a sample of 50 µs costs it caches and branch history, and a group of counters that is
// enabled makes every page fault and context switch slower. So one in eight pairs counts and is not
// timed; in the other seven all counters are off. The first measured pair of a run counts in any
// case: there may be few. The pairs that count are drawn at random: whatever has a rhythm (the
// blocks, the swap of CPUs) meets every event equally often. Both variants count in the same pairs,
// while both run.
//
// A sample of 2 ms or more is timed and counted at once: what counting adds lies outside of its
// stamps, and the cold start that it leaves is below a thousandth of it. So is every sample where
// the number of iterations is fixed, since there are no iterations to spare.
namespace duetbench {

// These tell if samples are timed and counted at once, and if the pair `pair_index` counts. Pure
// functions of values that both variants know. `counted`: pairs of this run that have counted so
// far.
bool CountsAndTimes(const RunPlan& plan, double sample_ns);
bool CountsEventsInPair(const RunPlan& plan, double sample_ns, uint64_t pair_index, size_t counted);

// The counts of one sample. Written by its thread only.
struct CountRecord {
  uint64_t pair_index;
  uint64_t iterations;
  Count counts[kMaxEvents];
};

// Adds up what both variants counted. An event that one of them did not count in a pair (its group
// was off the PMU) is left out of that pair. `tallies` has an element
// for each event.
void AddCounts(absl::Span<const CountRecord> old_records, absl::Span<const CountRecord> new_records,
               std::vector<EventTally>* tallies);

// The events of one measuring loop. Start to Resume do nothing in samples that do not count.
class EventCounting {
 public:
  // `counters` was opened by the thread of the loop; `records` has room for `capacity` samples. A
  // loop whose records are full goes on without counting.
  EventCounting(const RunPlan& plan, CounterSet* counters, CountRecord* records, size_t capacity)
      : plan_(plan), counters_(counters), records_(records), capacity_(capacity) {}

  // Decides whether the sample that opens next counts, and enables the counters if so; that takes
  // microseconds. `measured`: the sample belongs to the result.
  bool Prepare(bool measured, double sample_ns, uint64_t pair_index);

  // The sample that opens next is timed: it does not count, or it does both.
  bool IsTimed(double sample_ns) const { return !counting_ || CountsAndTimes(plan_, sample_ns); }

  void Start() {
    if (counting_) counters_->Start();
  }
  void Pause() {
    if (counting_) counters_->Pause();
  }
  void Resume() {
    if (counting_) counters_->Resume();
  }
  void Stop() {
    if (counting_) counters_->Stop();
  }

  // Disables the counters and records what they counted in `sample`, which has stopped.
  void Record(const Sample& sample);

  size_t record_count() const { return record_count_; }

 private:
  const RunPlan& plan_;
  CounterSet* const counters_;
  CountRecord* const records_;
  const size_t capacity_;
  bool counting_ = false;
  size_t record_count_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_EVENT_COUNTING_H_
