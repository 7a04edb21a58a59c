#ifndef DUETBENCH_STATS_RESAMPLED_RUN_H_
#define DUETBENCH_STATS_RESAMPLED_RUN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {

// A run prepared for drawing the estimate of resamples of its iterations many times, for every
// estimator exactly. The pairs of each assignment are resampled among themselves (for kGeomean all
// together, as it ignores assignments), so that every resample has the design of the run.
//
// The values are sorted once; a resample then counts how often each was drawn, and a trimmed mean
// or median only has to walk in from the ends instead of selecting among its values. 1000
// iterations take 0.6 us for the mean and about 1 us for the others.
class ResampledRun {
 public:
  // `run` must pass CheckPairs and have fewer than 2^32 pairs.
  ResampledRun(const RunPairs& run, Estimator estimator);

  // The mean of any values; at least one.
  explicit ResampledRun(absl::Span<const double> values);

  // The estimate (for pairs: the log-ratio) of one resample.
  double Draw(Random& random);

 private:
  struct Stratum {
    double center;                     // subtracted from the values, so that sums do not cancel
    std::vector<double> values;        // ascending
    std::vector<std::uint32_t> drawn;  // scratch: how often each value was drawn
  };

  void AddStratum(std::vector<double> values);
  static double DrawMean(Stratum& stratum, Random& random);
  static double DrawTrimmed(Stratum& stratum, Random& random);
  static double DrawMedian(Stratum& stratum, Random& random);

  Estimator estimator_;
  std::vector<Stratum> strata_;
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_RESAMPLED_RUN_H_
