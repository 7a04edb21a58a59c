#ifndef DUETBENCH_STATS_DEPENDENT_MEAN_H_
#define DUETBENCH_STATS_DEPENDENT_MEAN_H_

#include <cstddef>

#include "absl/types/span.h"
#include "duetbench/stats/decision_policy.h"

// The mean of values that were measured one after the other. The state of a machine changes over
// seconds, so runs that follow each other are alike, and a t interval that takes them for
// independent is too narrow.
namespace duetbench::stats {

struct MeanEstimate {
  double mean = 0;
  double error = 0;  // standard error of the mean
  double degrees_of_freedom = 0;
};

// The number of time slots for this number of runs: the runs themselves below 12, then half of
// them, and at most `most`.
std::size_t TimeSlots(std::size_t runs, std::size_t most = kDecision.max_time_slots);

// The mean of `values`, in the order of time. Its standard error follows from the means of
// TimeSlots slots of consecutive values (batch means: Law and Kelton, Simulation Modeling and
// Analysis, section 9.5.3), which accounts for whatever makes values within a slot alike, and is at
// least that of independent values. Machine states that outlast the whole experiment are beyond any
// estimate. Coverage and width under correlated noise are measured in
// tests/statistical/dependent_runs_test.cc. Two values at least, or the program stops. O(n).
MeanEstimate MeanOfDependent(absl::Span<const double> values,
                             std::size_t most_slots = kDecision.max_time_slots);

// The same of values that are independent of each other: each is a slot.
MeanEstimate MeanOfIndependent(absl::Span<const double> values);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_DEPENDENT_MEAN_H_
