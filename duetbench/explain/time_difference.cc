#include "duetbench/explain/time_difference.h"

#include "duetbench/stats/dependent_mean.h"
#include "duetbench/stats/interval.h"

namespace duetbench {

TimeDifference DifferenceOf(const std::vector<std::pair<double, double>>& times, double alpha) {
  TimeDifference result;
  std::vector<double> differences;
  for (const auto& [old_ns, new_ns] : times) {
    result.ns[0] += old_ns / static_cast<double>(times.size());
    result.ns[1] += new_ns / static_cast<double>(times.size());
    differences.push_back(new_ns - old_ns);
  }
  const stats::MeanEstimate mean = stats::MeanOfIndependent(differences);
  const double half = stats::TwoSidedT(alpha, mean.degrees_of_freedom) * mean.error;
  result.difference_ns = mean.mean;
  result.lo_ns = mean.mean - half;
  result.hi_ns = mean.mean + half;
  return result;
}

}  // namespace duetbench
