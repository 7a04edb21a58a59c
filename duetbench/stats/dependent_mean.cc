#include "duetbench/stats/dependent_mean.h"

#include <algorithm>
#include <cmath>

#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

MeanEstimate MeanOfSlots(absl::Span<const double> values, std::size_t slots) {
  Require(slots >= 2, "a standard error needs two values");
  const auto n = static_cast<double>(values.size());
  const auto slot_count = static_cast<double>(slots);
  MeanEstimate mean;
  mean.mean = Mean(values);
  double sum = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::size_t begin = slot * values.size() / slots;
    const std::size_t end = (slot + 1) * values.size() / slots;
    double deviation = 0;
    for (std::size_t i = begin; i < end; ++i) deviation += values[i] - mean.mean;
    sum += deviation * deviation;
  }
  mean.error = std::sqrt(sum * slot_count / (slot_count - 1)) / n;
  mean.degrees_of_freedom = slot_count - 1;
  return mean;
}

}  // namespace

std::size_t TimeSlots(std::size_t runs, std::size_t most) {
  if (runs < 2 * kDecision.min_time_slots) return runs;
  return std::min(most, runs / 2);
}

MeanEstimate MeanOfDependent(absl::Span<const double> values, std::size_t most_slots) {
  MeanEstimate mean = MeanOfSlots(values, TimeSlots(values.size(), most_slots));
  mean.error = std::max(mean.error, MeanOfIndependent(values).error);
  return mean;
}

MeanEstimate MeanOfIndependent(absl::Span<const double> values) {
  return MeanOfSlots(values, values.size());
}

}  // namespace duetbench::stats
