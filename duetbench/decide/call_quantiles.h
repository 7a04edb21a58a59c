#ifndef DUETBENCH_DECIDE_CALL_QUANTILES_H_
#define DUETBENCH_DECIDE_CALL_QUANTILES_H_

#include <vector>

#include "duetbench/decide/summarize.h"
#include "duetbench/record/options.h"
#include "duetbench/stats/quantile_ratio.h"

// Quantiles of the times of single calls (--duet_quantiles). Pure functions.
namespace duetbench {

// True if each sample is one iteration of its variant. Otherwise quantiles of samples are not those
// of calls.
bool HasSingleCalls(const SelectedPairs& selected);

// The pairs that the ratio of totals uses, of each run or, with several code layouts, of each
// layout.
std::vector<stats::RunPairs> IndependentCalls(const SelectedPairs& selected);

// The ratio at each of options.quantiles, with intervals that hold together at options.level, with
// a share of 1 - level as in decide/interim_analysis.h. Of the pairs that the ratio of totals
// uses: a slow call that was preempted stays, with its time on the CPU. Empty without single calls,
// and where most times are not known.
std::vector<stats::QuantileRatio> CallQuantiles(const SelectedPairs& selected,
                                                const ExperimentOptions& options, double share);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_CALL_QUANTILES_H_
