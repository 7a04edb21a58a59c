#ifndef DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_
#define DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "duetbench/decide/interval.h"

namespace duetbench::stats {

// The number of intervals of simulated experiments that miss the ratio.
struct IntervalTally {
  int experiments = 0;
  int misses = 0;

  // `truth` is the logarithm of the ratio.
  void Add(const RatioInterval& interval, double truth) {
    ++experiments;
    misses += std::log(interval.lo) > truth || std::log(interval.hi) < truth ? 1 : 0;
  }

  double missed() const { return static_cast<double>(misses) / experiments; }
};

// The most events of probability `p` among `experiments`; more in one of 2000 such tests.
inline int MostOf(int experiments, double p) {
  const boost::math::binomial distribution(experiments, p);
  return static_cast<int>(boost::math::quantile(distribution, 0.9995));
}

// As a share of them.
inline double MissedBound(int experiments, double p) {
  return static_cast<double>(MostOf(experiments, p)) / experiments;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATISTICAL_INTERVAL_TALLY_H_
