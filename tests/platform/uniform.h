#ifndef TESTS_PLATFORM_UNIFORM_H_
#define TESTS_PLATFORM_UNIFORM_H_

#include <boost/math/distributions/chi_squared.hpp>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::stats {

// That each value has occurred equally often: the chi-square statistic is between its 1e-6
// quantiles.
inline void ExpectUniform(const std::vector<int>& counts) {
  double total = 0;
  for (int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (int count : counts) statistic += (count - expected) * (count - expected) / expected;
  const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
  EXPECT_LT(statistic, boost::math::quantile(boost::math::complement(distribution, 1e-6)));
  EXPECT_GT(statistic, boost::math::quantile(distribution, 1e-6));
}

}  // namespace duetbench::stats

#endif  // TESTS_PLATFORM_UNIFORM_H_
