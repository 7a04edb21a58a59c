#ifndef DUETBENCH_EXPERIMENT_SUMMARIZE_H_
#define DUETBENCH_EXPERIMENT_SUMMARIZE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/stats/layouts.h"
#include "duetbench/stats/total_ratio.h"

// From the pairs of runs to the estimate of the ratio. Pure functions.
namespace duetbench {

// The pairs that an estimate uses, and what each run with such pairs says of the ratio.
struct SelectedPairs {
  std::vector<stats::RunPairs> runs;  // times per iteration in ns, real or CPU time
  // What the intervals are made of: a value for each run or, with several link layouts, for each
  // layout (stats/layouts.h).
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  std::vector<double> run_log_ratios;       // the trimmed mean of each run, or the means of these
  std::optional<stats::LayoutSpread> layouts;
  // Means of the samples of each variant, per iteration; both assignments with equal weight.
  double time_ns[2] = {0, 0};
  double cpu_ns[2] = {0, 0};
  double sample_iterations[2] = {0, 0};  // of a sample, on average
  uint64_t iterations[2] = {0, 0};
  std::vector<double> skews_ns;  // absolute
  std::vector<double> overlaps;
  uint64_t pairs = 0;
  uint64_t dropped = 0;
  uint64_t untimed = 0;                 // of the dropped ones
  bool kept_disturbed = false;          // stats::PairSelection
  bool lacks_work[2] = {false, false};  // takes no more time than an empty loop
  bool is_biased = false;               // so, and times of most of them are not known
  double disturbed_share = 0;
};
SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick);

// The ratios of typical samples and of total times, and which of them decides.
struct Ratios {
  // The t interval of the runs, or the EWC interval of a single one.
  stats::RatioInterval typical;
  std::optional<stats::TotalRatio> total;
  bool total_decides = false;

  const stats::RatioInterval& deciding() const { return total_decides ? total->interval : typical; }
};

// At the level of the options, with a share of 1 - level as in stats/interim_analysis.h. There must
// be a run.
absl::StatusOr<Ratios> RatiosOf(const SelectedPairs& selected, const ExperimentOptions& options,
                                double share);

// The estimate from the runs' results, or the failure that there is none. `results` are without
// errors, in order. `share` is that of the final analysis.
ExperimentResult Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                           double ns_per_tick, double share = 1);

// What a dry run leaves: the times of its one pair, as they are. `result` is without error.
ExperimentResult SummarizeDryRun(RunResult result, const ExperimentOptions& options,
                                 double ns_per_tick);

// One estimate of the repetitions of a benchmark: the interval is that of the runs of all of them
// together, times are means. The diagnosis, counters, labels and pairs stay empty. Nothing without
// an interval.
std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SUMMARIZE_H_
