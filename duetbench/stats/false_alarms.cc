#include "duetbench/stats/false_alarms.h"

#include "boost/math/distributions/binomial.hpp"

namespace duetbench::stats {
namespace {

constexpr double kSurely = 0.995;

}  // namespace

int FalseAlarmLimit(int experiments, double level) {
  if (experiments <= 0) return 0;
  const boost::math::binomial distribution(experiments, 1 - level);
  int limit = 0;
  while (limit < experiments && boost::math::cdf(distribution, limit) < kSurely) ++limit;
  return limit;
}

}  // namespace duetbench::stats
