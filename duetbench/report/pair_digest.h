#ifndef DUETBENCH_REPORT_PAIR_DIGEST_H_
#define DUETBENCH_REPORT_PAIR_DIGEST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// Counts of values between `lo` and `hi`, in bins of equal width.
struct Histogram {
  double lo = 0;
  double hi = 0;
  std::vector<uint32_t> counts;
  uint64_t outside = 0;
};

// The histogram of `values` in `bins` bins. lo < hi.
Histogram CountValues(absl::Span<const double> values, double lo, double hi, std::size_t bins);

// A pair as a picture shows it.
struct ShownPair {
  double time[2] = {0, 0};  // by variant, 0 old and 1 new
  bool disturbed = false;   // it, or one of those that follow it and are not shown
};

// One run over time, of which every `step`-th pair is kept.
struct RunPicture {
  std::size_t run = 0;    // from 0
  std::size_t pairs = 0;  // with times, of which `disturbed` are disturbed
  std::size_t disturbed = 0;
  std::size_t step = 1;
  std::vector<ShownPair> shown;
};

// The picture of all pairs of a run, of which at most `most` > 0 are shown.
RunPicture PictureOfRun(std::size_t run, absl::Span<const ShownPair> pairs, std::size_t most);

// The number of pairs of a run that a page shows.
inline constexpr std::size_t kShownPairs = 160;

// The picture of the run whose ratio, by the mean ln(new/old) of its undisturbed pairs, is in the
// middle: kShownPairs of its pairs at most. Empty if no run has pairs.
RunPicture PictureOfMiddleRun(absl::Span<const std::vector<ShownPair>> runs);

// Pairs of an experiment, digested for pictures: some kilobytes.
struct PairDigest {
  Histogram log_ratios;    // ln(new/old) of the pairs
  Histogram log_times[2];  // ln(time) of each variant, in the same bins
  RunPicture picture;
};

// The histograms of the pairs that an estimate uses. They show the middle 98 % of the values and a
// little more. Empty without pairs.
PairDigest DigestOfPairs(absl::Span<const RunPairs> runs);

}  // namespace duetbench::stats

namespace duetbench {

struct Comparison;  // decide/comparison.h

// Pairs of an experiment with an estimate, digested for pictures: histograms of the pairs that are
// used, and the pairs of the run with the median ratio, disturbed ones included. Times are per
// iteration in ns, by the clock of the ratio. Empty without an estimate.
stats::PairDigest DigestOfExperiment(const Comparison& result, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PAIR_DIGEST_H_
