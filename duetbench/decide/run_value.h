#ifndef DUETBENCH_DECIDE_RUN_VALUE_H_
#define DUETBENCH_DECIDE_RUN_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
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
  // The ln, by variant, of the typical time of the speed probe, in ns; NaN: not
  // known of each pair.
  double log_probe[2] = {std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN()};
  bool has_totals = false;  // else a ratio of the total times is out of the range of a double
  RunTotals totals;         // of the pairs that the ratio of totals uses
  double sample_iterations[2] = {1, 1};  // of a sample of each variant, on average
  std::uint64_t pairs = 0;               // that log_ratio uses
  int layout = 0;                        // number of the code layout
  int machine = 0;
  double start_s =
      -1;  // when the run began, in seconds of its machine's clock; negative: not known
  // Time of the pauses of each variant (PauseTiming), over the time of its work.
  double pause_share[2] = {0, 0};
};

// `run` has the pairs that the typical ratio uses, `total_run` those of the ratio of totals
// (select_pairs.h). The rest of the value is at its defaults. InvalidArgument if CheckPairs(run)
// fails. O(n).
absl::StatusOr<RunValue> ReduceRun(const RunPairs& run, const RunPairs& total_run,
                                   double taper = 0);

// The part of the variance between the runs that is of their pairs, and that longer runs without
// more set-ups would reduce; at most 1. Nothing where it is not known. O(n).
std::optional<double> PartWithinRuns(absl::Span<const RunValue> runs);

// --- The state of the core ---

// Other programs on a core, such as another guest on its other hardware thread, slow down unlike
// code unlike: a chain of loads by a tenth where a sum takes 1.8 times as long. A probe of the
// core's speed before each sample (platform/ticks.h) sees it. Where the variants of a pair
// are measured one after the other, in blocks of milliseconds, such a change between the blocks
// also moves the log-ratio of the run by up to ln 2. What is wanted is the ratio of variants that
// have a core for themselves.

// The positions of the pairs of `run` that were measured while the core was quiet: before old's and
// new's sample, and before their next ones, the probe was not slower than usual for this variant in
// this run by more than the part kDecision.slow_core. All positions where the probe's times are
// not known, or where fewer than kDecision.min_share_of_quiet_pairs would be left: such a run is
// one on a slow core (LeaveOutSlowCore). O(n log n).
std::vector<std::size_t> QuietPairs(const RunPairs& run);

// The pairs of `run` at `positions`. O(n).
RunPairs PairsAt(const RunPairs& run, const std::vector<std::size_t>& positions);

// ln of the typical time of the probe before the samples of `variant`, the mean of the middle half;
// NaN where a pair has none. O(n) expected.
double LogProbe(const RunPairs& run, int variant);

// Leaves out the runs in which the core was slower than in the run where it was fastest, for old or
// new, by more than the part kDecision.slow_core: somebody else executed on it, and the ratio is
// that of variants that have their CPU for themselves. Returns how many. None where less than
// kDecision.min_runs_on_quiet_core would be left, or the speed is not known of each run, of one
// machine. O(R).
std::size_t LeaveOutSlowCore(std::vector<RunValue>* runs);

// --- Code layouts ---

// Runs of one code layout. In those of an antithetic pair the functions of old and of new exchange
// their places, so that what an address does to one run it does to the other one the other way
// round: their mean spreads much less than they do. What does not change its place makes them more
// alike than other runs.

// Positions of runs whose mean is one value.
using RunUnit = std::vector<std::size_t>;

// The interval is made of the runs of each layout where these tell less or more than as many
// independent ones, else of each run by itself. `values` are those of the runs in the order of
// time, `layouts` the number of the layout of each. The layouts decide where the variance of their
// means is not what the runs of one explain (one-way analysis of variance, F test at 5 %: a test
// that decides whether variances are pooled needs such a level, Bancroft, Annals of Mathematical
// Statistics 15, 1944). Values far off (robust_mean.h) do not change the test. Layouts that lack
// runs are left out then, and must have no more than half of the runs. O(n log n).
std::vector<RunUnit> IndependentUnits(absl::Span<const double> values,
                                      absl::Span<const int> layouts);

// The mean of `values` in each unit.
std::vector<double> UnitMeans(absl::Span<const double> values, absl::Span<const RunUnit> units);

struct RatioRange {
  double lo = 1;
  double hi = 1;
};

// The typical ratios of the runs without those far off, lowest and highest, where each of several
// layouts has another one: their pairs explain no more than kDecision.part_within_runs of the
// variance between the runs. Nothing for fewer than min_layouts layouts. O(n log n).
std::optional<RatioRange> RatiosByAddress(absl::Span<const RunValue> runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_RUN_VALUE_H_
