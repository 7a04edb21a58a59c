#ifndef DUETBENCH_DECIDE_RUN_VALUE_H_
#define DUETBENCH_DECIDE_RUN_VALUE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/decide/total_ratio.h"

namespace duetbench::stats {

// One run, reduced to what a decision about the ratio needs (decision.h): about 300 bytes, without
// its pairs.
struct RunValue {
  double log_ratio = 0;  // ln(new/old) of typical samples (pairs.h)
  // Variance of log_ratio, from the pairs of the run: from the means of 16 batches of consecutive
  // influence values (pairs.h), as neighbors are correlated, or of fewer batches of two. NaN
  // for fewer than 16 pairs, which would say little.
  double variance = std::numeric_limits<double>::quiet_NaN();
  // The ln, by variant, of the typical time of the speed probe, in ns (core_state.h); NaN: not
  // known of each pair.
  double log_probe[2] = {std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN()};
  bool has_totals = false;  // else a ratio of the total times is out of the range of a double
  RunTotals totals;         // of the pairs that the ratio of totals uses
  double sample_iterations[2] = {1, 1};  // of a sample of each variant, on average
  std::uint64_t pairs = 0;               // that log_ratio uses
  int layout = 0;                        // number of the code layout (layouts.h)
  int machine = 0;
  double start_s =
      -1;  // when the run began, in seconds of its machine's clock; negative: not known
  // Time of the pauses of each variant (PauseTiming), over the time of its work.
  double pause_share[2] = {0, 0};
};

// `run` has the pairs that the typical ratio uses, `total_run` those of the ratio of totals
// (select_pairs.h). The rest of the value is at its defaults. InvalidArgument if CheckPairs(run)
// fails. O(n).
absl::StatusOr<RunValue> ReduceRun(const RunPairs& run, const RunPairs& total_run);

// The part of the variance between the runs that is of their pairs, and that longer runs without
// more set-ups would reduce; at most 1. Nothing where it is not known. O(n).
std::optional<double> PartWithinRuns(absl::Span<const RunValue> runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_RUN_VALUE_H_
