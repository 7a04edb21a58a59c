#include "duetbench/experiment/pool_repetitions.h"

#include <algorithm>
#include <utility>

#include "duetbench/experiment/summarize.h"
#include "duetbench/stats/interval.h"

namespace duetbench {
namespace {

// `values` are those of the layouts in the first repetition, then in the second one, and so on.
std::vector<double> MeansOfRepetitions(const std::vector<double>& values, double repetitions) {
  const size_t layouts = values.size() / static_cast<size_t>(repetitions);
  std::vector<double> means(layouts, 0);
  for (size_t i = 0; i < values.size(); ++i) means[i % layouts] += values[i] / repetitions;
  return means;
}

}  // namespace

std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions) {
  if (repetitions.empty()) return std::nullopt;
  Estimate pooled;
  // The layouts are the same in all repetitions: so are their effects.
  const bool by_layout =
      std::all_of(repetitions.begin(), repetitions.end(), [&](const Estimate* repetition) {
        return repetition->layouts.has_value() &&
               repetition->run_log_ratios.size() == repetitions[0]->run_log_ratios.size();
      });
  std::vector<double> total_values;
  bool has_total = true;  // by runs
  const auto count = static_cast<double>(repetitions.size());
  for (const Estimate* repetition : repetitions) {
    pooled.schedule = repetition->schedule;
    pooled.schedule_reason = repetition->schedule_reason;
    pooled.has_narrowest_pilot = repetition->has_narrowest_pilot;
    pooled.margin = repetition->margin;
    pooled.cpu_time = repetition->cpu_time;
    pooled.batch = repetition->batch;
    pooled.runs += repetition->runs;
    pooled.runs_planned += repetition->runs_planned;
    pooled.interrupted |= repetition->interrupted;
    pooled.this_process_only |= repetition->this_process_only;
    pooled.kept_disturbed |= repetition->kept_disturbed;
    pooled.is_biased |= repetition->is_biased;
    pooled.measured_together |= repetition->measured_together;
    for (int v = 0; v < 2; ++v) pooled.lacks_work[v] |= repetition->lacks_work[v];
    pooled.pairs += repetition->pairs;
    pooled.dropped += repetition->dropped;
    for (int variant = 0; variant < 2; ++variant) {
      pooled.time_ns[variant] += repetition->time_ns[variant] / count;
      pooled.cpu_ns[variant] += repetition->cpu_ns[variant] / count;
      pooled.iterations[variant] += repetition->iterations[variant];
    }
    pooled.skew_p50_ns += repetition->skew_p50_ns / count;
    pooled.skew_p99_ns = std::max(pooled.skew_p99_ns, repetition->skew_p99_ns);
    pooled.overlap_p50 += repetition->overlap_p50 / count;
    pooled.total_decides |= repetition->total_decides;
    if (!pooled.open_total.has_value()) pooled.open_total = repetition->open_total;
    pooled.run_log_ratios.insert(pooled.run_log_ratios.end(), repetition->run_log_ratios.begin(),
                                 repetition->run_log_ratios.end());
    pooled.typical_log_ratios.insert(pooled.typical_log_ratios.end(),
                                     repetition->typical_log_ratios.begin(),
                                     repetition->typical_log_ratios.end());
    has_total = has_total && repetition->total.has_value() &&
                repetition->total->run_values.size() == repetition->run_log_ratios.size();
    if (!has_total) continue;
    total_values.insert(total_values.end(), repetition->total->run_values.begin(),
                        repetition->total->run_values.end());
  }
  // Where the totals decide in one repetition they do for all.
  pooled.total_decides = pooled.total_decides && has_total;
  if (pooled.total_decides) pooled.run_log_ratios = std::move(total_values);
  if (by_layout) pooled.run_log_ratios = MeansOfRepetitions(pooled.run_log_ratios, count);
  absl::StatusOr<stats::RatioInterval> interval =
      stats::TInterval(pooled.run_log_ratios, repetitions[0]->interval.level);
  if (!interval.ok()) return std::nullopt;
  pooled.interval = *std::move(interval);
  if (pooled.total_decides) pooled.open_total.reset();
  pooled.verdict = VerdictOf(pooled);
  return pooled;
}

}  // namespace duetbench
