#include "duetbench/google_benchmark/default_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace duetbench {
namespace {

using Values = std::vector<double>;

double Mean(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Median(const Values& values) {
  Values sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

double StandardDeviation(const Values& values) {
  if (values.size() < 2) return 0;
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double CoefficientOfVariation(const Values& values) {
  return StandardDeviation(values) / Mean(values);
}

}  // namespace

std::vector<DuetStatistic> DefaultStatistics() {
  return {
      {"mean", Mean, benchmark::kTime},
      {"median", Median, benchmark::kTime},
      {"stddev", StandardDeviation, benchmark::kTime},
      {"cv", CoefficientOfVariation, benchmark::kPercentage},
  };
}

}  // namespace duetbench
