#include "duetbench/runner/counting.h"

#include "duetbench/stats/random.h"

namespace duetbench {
namespace {

// Apart from the streams of roles.cc by their numbers.
enum Stream : uint64_t { kIterations = 4, kTurns = 5 };

stats::Random RandomOf(const RunPlan& plan, Stream stream, uint64_t index) {
  return stats::Random(plan.seed, ((uint64_t{plan.run} << 40) + index) * 8 + stream);
}

}  // namespace

bool CountsAndTimes(const RunPlan& plan, double iteration_ns) {
  return iteration_ns >= kLongIterationNs || plan.operations > 0;
}

bool CountsIteration(const RunPlan& plan, double iteration_ns, uint64_t index, size_t counted) {
  if (plan.events == 0) return false;
  if (CountsAndTimes(plan, iteration_ns) || counted == 0) return true;
  return RandomOf(plan, kIterations, index).Below(kIterationsPerCount) == 0;
}

uint64_t CountingTurn(const RunPlan& plan, uint64_t index) {
  return RandomOf(plan, kTurns, index).Next() >> 32;
}

void AddCounts(const CountRecord* old_records, size_t old_count, const CountRecord* new_records,
               size_t new_count, std::vector<EventTally>* tallies) {
  for (size_t i = 0, j = 0; i < old_count && j < new_count;) {
    const CountRecord* const records[2] = {&old_records[i], &new_records[j]};
    if (records[0]->iteration != records[1]->iteration) {
      // One side ended before the other.
      ++(records[0]->iteration < records[1]->iteration ? i : j);
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
        tally.operations[variant] += static_cast<double>(records[variant]->operations);
        if (records[variant]->cpu_ns <= 0) continue;
        tally.undisturbed_counts[variant] += counts[variant]->value;
        tally.undisturbed_cpu_ns[variant] += records[variant]->cpu_ns;
      }
    }
  }
}

}  // namespace duetbench
