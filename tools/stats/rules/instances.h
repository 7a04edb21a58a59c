#ifndef DUETBENCH_TOOLS_STATS_RULES_INSTANCES_H_
#define DUETBENCH_TOOLS_STATS_RULES_INSTANCES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/random.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::stats {

// Measurements of one benchmark on three levels, as Laaber et al. take them (EMSE 2019, section
// 3.3): instances (machines), in each of them trials (runs), in each trial iterations.

// A trial by its place: instance, and trial within it.
using TrialPlace = std::pair<std::size_t, std::size_t>;

struct Instances {
  std::vector<std::vector<std::vector<double>>> times;  // instance -> trial -> iteration

  // The smallest number of trials of an instance.
  std::size_t Trials() const;
};

// The runs of a sample by their machine; a sample without machines is one instance. InvalidArgument
// as CheckSample.
absl::StatusOr<Instances> GroupByInstance(const Sample& sample);

// Ways of choosing test and control from the same measurements (section 5.2).
enum class Sampling {
  kInstances,  // different instances, the trials chosen at random (equations 9 and 10)
  kTrials,     // the same instances, different trials of each (equations 11 and 12)
};

// "instances" or "trials".
absl::string_view SamplingName(Sampling sampling);

// Which trials the test and the control group have, instance by instance.
struct TestAndControl {
  std::vector<TrialPlace> test;
  std::vector<TrialPlace> control;
};

// True if there is enough to select from: two times `instances` instances of `trials` trials, or
// `instances` of two times `trials` trials.
bool CanSelect(const Instances& all, Sampling sampling, std::size_t instances, std::size_t trials);

// Equation 8: chooses at random. CanSelect must hold, or the program stops.
TestAndControl Select(const Instances& all, Sampling sampling, std::size_t instances,
                      std::size_t trials, Random& random);

// Coefficients of variation (standard deviation / mean) by level, as fractions.
struct Variability {
  struct MeanAndDeviation {
    double mean;
    double deviation;  // 0 of a single value
  };
  double total;                // of all times together (equation 5)
  MeanAndDeviation instances;  // of the times of each instance (equation 7)
  MeanAndDeviation trials;     // of the times of each trial (equation 6)
  // Relative width of the 95 % interval of `total`, as in table 5: percentile bootstrap of
  // instances, trials and iterations.
  double total_interval_width;
};

// O(replicates * times). The paper has 1000 replicates.
Variability MeasureVariability(const Instances& all, std::size_t replicates, std::uint64_t seed);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_INSTANCES_H_
