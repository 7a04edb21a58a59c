#include "duetbench/measure/event_counting.h"

#include "duetbench/measure/pacing.h"
#include "duetbench/measure/run_randomization.h"
#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

stats::Random RandomOf(const RunPlan& plan, RandomStream stream, uint64_t index) {
  return stats::Random(plan.seed, StreamOf(stream, (uint64_t{plan.run} << 40) + index));
}

}  // namespace

bool CountsAndTimes(const RunPlan& plan, double sample_ns) {
  return sample_ns >= kLongSampleNs || plan.fixed_iterations > 0;
}

bool CountsEventsInPair(const RunPlan& plan, double sample_ns, uint64_t pair_index,
                        size_t counted) {
  if (plan.events == 0) return false;
  if (CountsAndTimes(plan, sample_ns) || counted == 0) return true;
  constexpr uint64_t kPairsPerCount = 8;  // measured pairs to one that counts
  return RandomOf(plan, kCountedPairs, pair_index).Below(kPairsPerCount) == 0;
}

void AddCounts(absl::Span<const CountRecord> old_records, absl::Span<const CountRecord> new_records,
               std::vector<EventTally>* tallies) {
  for (size_t i = 0, j = 0; i < old_records.size() && j < new_records.size();) {
    const CountRecord* const records[2] = {&old_records[i], &new_records[j]};
    if (records[0]->pair_index != records[1]->pair_index) {
      // One variant ended before the other.
      ++(records[0]->pair_index < records[1]->pair_index ? i : j);
      continue;
    }
    ++i;
    ++j;
    for (size_t event = 0; event < tallies->size(); ++event) {
      const Count* const counts[2] = {&records[0]->counts[event], &records[1]->counts[event]};
      if (!counts[0]->counted || !counts[1]->counted) continue;
      EventTally& tally = (*tallies)[event];
      ++tally.pairs;
      if (counts[0]->scaled || counts[1]->scaled) ++tally.scaled;
      for (int variant = 0; variant < 2; ++variant) {
        tally.counts[variant] += counts[variant]->value;
        tally.iterations[variant] += static_cast<double>(records[variant]->iterations);
      }
    }
  }
}

bool EventCounting::Prepare(bool measured, double sample_ns, uint64_t pair_index) {
  counting_ = measured && record_count_ < capacity_ &&
              CountsEventsInPair(plan_, sample_ns, pair_index, record_count_);
  if (counting_) counters_->Enable();
  return counting_;
}

void EventCounting::Record(const Sample& sample) {
  if (!counting_) return;
  counters_->Disable();
  CountRecord& record = records_[record_count_++];
  record.pair_index = sample.pair_index;
  record.iterations = sample.iterations;
  for (uint32_t event = 0; event < plan_.events; ++event) {
    record.counts[event] = counters_->count(event);
  }
}

}  // namespace duetbench
