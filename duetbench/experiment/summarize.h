#ifndef DUETBENCH_EXPERIMENT_SUMMARIZE_H_
#define DUETBENCH_EXPERIMENT_SUMMARIZE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/select_pairs.h"
#include "duetbench/stats/total_ratio.h"
#include "duetbench/stats/verdict.h"

// From the pairs of runs to the estimate of the ratio. Pure functions.
namespace duetbench {

// The ratios of typical samples and of total times, and which of them decides.
struct Ratios {
  // The t interval of the weighted runs, or the EWC interval of a single one.
  stats::RatioInterval typical;
  std::optional<stats::TotalRatio> total;
  bool total_decides = false;
  std::optional<double> open_total;  // stats::OpenTotal, where nobody has chosen the estimand

  const stats::RatioInterval& deciding() const { return total_decides ? total->interval : typical; }
};

// At the level of the options, with a share of 1 - level as in stats/interim_analysis.h. There must
// be a run.
absl::StatusOr<Ratios> RatiosOf(const SelectedPairs& selected, const ExperimentOptions& options,
                                double share);

// What the estimate, whose other fields are set, says about new. Where the total ratio is open,
// what it would say at its ratio, too, or nothing.
stats::Verdict VerdictOf(const Estimate& estimate);

// The estimate from the runs' results, or the failure that there is none. `results` are without
// errors, in order. `share` is that of the final analysis.
ExperimentResult Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                           double ns_per_tick, double share = 1);

// What a dry run leaves: the times of its one pair, as they are. `result` is without error.
ExperimentResult SummarizeDryRun(RunResult result, const ExperimentOptions& options,
                                 double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SUMMARIZE_H_
