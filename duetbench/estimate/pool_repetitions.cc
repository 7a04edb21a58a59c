#include "duetbench/estimate/pool_repetitions.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/decision/decision.h"

namespace duetbench {
namespace {

void ClearWhatIsOfOneRepetition(Estimate* estimate) {
  for (VariantReport& variant : estimate->variants) variant = {};
  estimate->counters = {};
  estimate->quantiles.clear();
  estimate->run_pairs.clear();
  estimate->mutual_disturbance.reset();
  estimate->time = {};
  estimate->diagnosis.reset();
}

// `sum` has the sums of the repetitions before, and becomes that with one more.
void Add(const Estimate& repetition, Estimate* sum) {
  sum->runs += repetition.runs;
  sum->runs_planned += repetition.runs_planned;
  sum->measuring_s += repetition.measuring_s;
  sum->interrupted |= repetition.interrupted;
  sum->this_process_only |= repetition.this_process_only;
  sum->kept_disturbed |= repetition.kept_disturbed;
  sum->is_biased |= repetition.is_biased;
  sum->measured_together |= repetition.measured_together;
  sum->pairs += repetition.pairs;
  sum->dropped += repetition.dropped;
  for (int variant = 0; variant < 2; ++variant) {
    sum->lacks_work[variant] |= repetition.lacks_work[variant];
    sum->time_ns[variant] += repetition.time_ns[variant];
    sum->cpu_ns[variant] += repetition.cpu_ns[variant];
    sum->iterations[variant] += repetition.iterations[variant];
  }
  sum->skew_p50_ns += repetition.skew_p50_ns;
  sum->skew_p99_ns = std::max(sum->skew_p99_ns, repetition.skew_p99_ns);
  sum->overlap_p50 += repetition.overlap_p50;
}

}  // namespace

std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions,
                                        bool of_group) {
  if (repetitions.empty()) return std::nullopt;
  Estimate pooled = *repetitions.back();
  ClearWhatIsOfOneRepetition(&pooled);
  pooled.run_values.clear();
  double share = 1;
  for (size_t i = 0; i < repetitions.size(); ++i) {
    if (of_group) share = std::min(share, repetitions[i]->share);
    if (i + 1 < repetitions.size()) Add(*repetitions[i], &pooled);
    const std::vector<stats::RunValue>& values = repetitions[i]->run_values;
    pooled.run_values.insert(pooled.run_values.end(), values.begin(), values.end());
  }
  pooled.is_one_of_runs = pooled.is_one_of_runs && pooled.run_values.size() == 1;
  const auto count = static_cast<double>(repetitions.size());
  for (double* const mean : {&pooled.time_ns[0], &pooled.time_ns[1], &pooled.cpu_ns[0],
                             &pooled.cpu_ns[1], &pooled.skew_p50_ns, &pooled.overlap_p50}) {
    *mean /= count;
  }
  absl::StatusOr<stats::Decision> decision =
      stats::Decide(stats::DecisionInput{pooled, pooled.run_values},
                    {pooled.interval.level, pooled.margin, pooled.estimand, share});
  if (!decision.ok()) return std::nullopt;
  static_cast<stats::Decision&>(pooled) = *std::move(decision);
  return pooled;
}

}  // namespace duetbench
