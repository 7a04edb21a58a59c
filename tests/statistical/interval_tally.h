#ifndef DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_
#define DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// The number of intervals of simulated experiments that miss the ratio, and their widths.
struct IntervalTally {
  int experiments = 0;
  int misses = 0;
  double log_widths = 0;  // sum of ln(hi / lo)
  double errors = 0;      // sum of ln(ratio) less the truth

  // `truth` is the logarithm of the ratio.
  void Add(const RatioInterval& interval, double truth) {
    ++experiments;
    misses += std::log(interval.lo) > truth || std::log(interval.hi) < truth ? 1 : 0;
    log_widths += std::log(interval.hi / interval.lo);
    errors += std::log(interval.ratio) - truth;
  }

  double missed() const { return static_cast<double>(misses) / experiments; }
  double bias() const { return errors / experiments; }
};

// Upper bound on the share of intervals that miss, each with probability `p`; one in 2000 such
// tests exceeds it.
inline double MissedBound(int experiments, double p) {
  const boost::math::binomial distribution(experiments, p);
  return boost::math::quantile(distribution, 0.9995) / experiments;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_
