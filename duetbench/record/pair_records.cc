#include "duetbench/record/pair_records.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

// The time that a sample stands for, in ticks; 0 if the region is no longer than its overhead.
double NetTicks(const Sample& sample, const RunPlan& plan, uint64_t overhead_ticks) {
  if (plan.manual_time != 0) return sample.manual_seconds * 1e9 / plan.ns_per_tick;
  const uint64_t region = sample.stop - sample.start;
  const uint64_t taken_off = sample.paused + overhead_ticks;
  return region > taken_off ? static_cast<double>(region - taken_off) : 0;
}

// True if the time of a preempted sample is known: it is the time on the CPU if nothing but the
// preemption kept the thread from it.
bool HasOwnTime(const Sample& sample, const RunPlan& plan) {
  return plan.manual_time == 0 && sample.voluntary_switches == 0 &&
         sample.cpu_at_start == sample.cpu_at_stop;
}

// True if the cost of a preemption, beyond the time off the CPU, is a small part of the sample:
// refilling caches that others have used takes about 200 µs.
bool IsLongBeside(const Sample& sample, double on_cpu_ns) {
  constexpr double kRefillNs = 200e3;
  constexpr double kSmallPart = 0.02;
  return sample.involuntary_switches * kRefillNs <= kSmallPart * on_cpu_ns;
}

}  // namespace

std::vector<PairRecord> MakePairs(absl::Span<const Sample> old_samples,
                                  absl::Span<const Sample> new_samples, const RunPlan& plan,
                                  uint64_t overhead_ticks) {
  std::vector<PairRecord> pairs;
  for (size_t i = 0, j = 0; i < old_samples.size() && j < new_samples.size();) {
    const Sample* const samples[2] = {&old_samples[i], &new_samples[j]};
    if (samples[0]->pair_index != samples[1]->pair_index) {
      // One variant ended before the other.
      ++(samples[0]->pair_index < samples[1]->pair_index ? i : j);
      continue;
    }
    ++i;
    ++j;
    PairRecord pair{};
    pair.pair_index = samples[0]->pair_index;
    pair.block = samples[0]->block;
    // In turns a sample has its place.
    pair.assignment = RunsConcurrently(plan.schedule)
                          ? samples[0]->assignment
                          : (samples[0]->assignment < samples[1]->assignment ? 0 : 1);
    bool is_corrected = false;
    bool has_unknown_time = false;
    for (int variant = 0; variant < 2; ++variant) {
      const Sample& sample = *samples[variant];
      pair.ticks[variant] = NetTicks(sample, plan, overhead_ticks);
      pair.iterations[variant] = sample.iterations;
      pair.cpus[variant] = sample.cpu_at_start;
      const auto region_ns = static_cast<double>(sample.stop - sample.start) * plan.ns_per_tick;
      const auto paused_ns = static_cast<double>(sample.paused) * plan.ns_per_tick;
      pair.cpu_ns[variant] = std::max(0.0, region_ns - paused_ns - sample.blocked_ns);
      // On several CPUs a variant goes where its threads leave room, and is preempted by them: that
      // is its own time.
      const bool has_one_cpu = plan.cpus_per_variant == 1;
      if (has_one_cpu && sample.involuntary_switches > 0) {
        const bool has_own_time = HasOwnTime(sample, plan);
        if (has_own_time) {
          pair.ticks[variant] =
              std::max(0.0, pair.ticks[variant] - sample.blocked_ns / plan.ns_per_tick);
        }
        // Where both share a CPU, it is what both do in turns.
        const bool is_disturbed = plan.schedule != Schedule::kSliced &&
                                  !IsLongBeside(sample, pair.ticks[variant] * plan.ns_per_tick);
        if (!has_own_time || is_disturbed) {
          pair.flags |= variant == 0 ? kOldPreempted : kNewPreempted;
          (has_own_time ? is_corrected : has_unknown_time) = true;
        }
      }
      if (has_one_cpu && sample.cpu_at_start != sample.cpu_at_stop) {
        pair.flags |= variant == 0 ? kOldMigrated : kNewMigrated;
        has_unknown_time = true;
      }
      if (!(pair.ticks[variant] > 0) || !std::isfinite(pair.ticks[variant])) pair.flags |= kNoTime;
    }
    if (is_corrected && !has_unknown_time) pair.flags |= kOnCpuTime;
    pair.skew_ticks =
        static_cast<double>(static_cast<int64_t>(samples[1]->start - samples[0]->start));
    for (int v = 0; v < 2; ++v) pair.probe_ticks[v] = samples[v]->probe_ticks;
    if (samples[0]->solo != 0 && plan.schedule != Schedule::kAlternating) pair.flags |= kSolo;
    pairs.push_back(pair);
  }
  return pairs;
}

double SecondsPerIteration(const Sample* samples, size_t count, const RunPlan& plan,
                           uint64_t overhead_ticks) {
  std::vector<double> undisturbed;
  std::vector<double> all;
  for (size_t i = 0; i < count; ++i) {
    const Sample& sample = samples[i];
    all.push_back(NetTicks(sample, plan, overhead_ticks) * plan.ns_per_tick * 1e-9 /
                  static_cast<double>(sample.iterations));
    if (sample.involuntary_switches == 0) undisturbed.push_back(all.back());
  }
  if (all.empty()) return 0;
  return stats::TrimmedMean(std::move(undisturbed.empty() ? all : undisturbed), 0.1);
}

}  // namespace duetbench
