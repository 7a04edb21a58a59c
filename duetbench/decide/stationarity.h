#ifndef DUETBENCH_DECIDE_STATIONARITY_H_
#define DUETBENCH_DECIDE_STATIONARITY_H_

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/record/run_result.h"

// Detects a ratio that depends on the position in a run: inputs of which runs see only the first
// ones, containers that grow, caches that fill and predictors that learn.
namespace duetbench {

// The ratio of total times up to a position in a run, less that of the whole run; in logarithms.
// The runs show whether short ones tell the same as long ones, and how far the ratio of a much
// longer run may be: over a period of the input, the ratio up to a position moves from one side of
// that of the whole to the other, by less with each period. Pairs are undisturbed ones, on a quiet
// core (run_value.h).
inline constexpr size_t kPositions = 4;                            // in a run
inline constexpr size_t kFewestPairsOfPositions = 2 * kPositions;  // of a run

// Effects at four positions in the second half of the first `share` of a run: several, since the
// head may end where its ratio happens to be that of the whole. Nothing where there are too few
// pairs. O(n log n).
using HeadEffects = std::array<double, kPositions>;
std::optional<HeadEffects> EffectsOfHead(const RunResult& run, double share);

// The same of a run of short calls of both variants, beside one of long ones. 0 where either has no
// pair with a time. Where an iteration of a variant takes more than a quarter longer in short
// calls, these are mostly of first iterations: ln of that, whatever the ratio.
HeadEffects EffectsOfShortCalls(const RunResult& short_calls, const RunResult& long_calls);

// The distance that ln of the value of a much longer run may have from that of a run. `before` is
// ln of the value up to a position in the second half of the run less that of the whole, `behind`
// that of the rest; of several positions, the largest of each. It is twice `before`, since the next
// part of the input may move the value as far. Where that is large, the run is a part of a pass and
// tells little of the next part: it is more, up to `behind`.
double PositionError(double before, double behind);

// Not even that is known of a run with this `before` whose `parts`, by their order, do not return
// to the side of the whole where they began: it may see the first part of a pass.
bool SeesAPart(double before, const std::vector<double>& parts);

// The largest of four positions in the second half of the runs: of each, the mean over the runs. If
// the calls of the runs have unlike lengths, the positions are the ends of the shorter ones in the
// longest; where these differ no more than calls of one length (F test at 5 %), the error is twice
// the distance.
//
// Where the runs return to where they began, they contain passes through the input, and the mean of
// all windows of the length of a pass is the ratio of the input. A pass is as long as the window,
// of a third to two thirds of a run, whose ratio depends least on where it begins: the error is
// twice how much it still does, and at least the distance from the ratio of the whole runs. Where
// they may be little more than a pass, it is four times and three times that, and counts if it is
// less than PositionError.
// Source: simulation of inputs with 12 slow parts, 800 pairs a run, noise of 1 %
// (tests/statistical/whole_passes_test.cc). Of 1 to 1.5 passes 59 % are too wide for a verdict on a
// ratio of 1.3, with PositionError alone 72 %; of 1.5 to 2 passes 11 and 45 %, of 2 to 3 passes 0
// and 15 %; the error of 4 to 30 passes is 0.006 and 0.026 in the median, and 0 and 1.5 % of them
// are farther from the truth than it says, by more than 2 %. Of less than a pass 33 % are, of both.
struct PositionEffect {
  double log_ratio = 0;   // without sign
  double error = 0;       // infinite: long runs see a part of the input
  double taper = 0;       // Weight (total_ratio.h), which makes the ratio of totals that mean
  double p = 1;           // of 'there is none': a t test over the runs, for four positions
  bool are_long = false;  // RunResult::depends_on_position of one
};
PositionEffect FindPositionEffect(absl::Span<const RunResult> results);

// It is more than half the `margin`, and beyond noise: p is at most 0.001. A smaller one does not
// change a verdict.
bool IsNotable(const PositionEffect& effect, double margin);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_STATIONARITY_H_
