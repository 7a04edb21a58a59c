#ifndef DUETBENCH_TOOLS_STATS_RULES_SAMPLING_GRID_H_
#define DUETBENCH_TOOLS_STATS_RULES_SAMPLING_GRID_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/stats/rules/decision_rules.h"
#include "tools/stats/rules/instances.h"

namespace duetbench::stats {

// Reliability of decision rules for each number of instances and trials: Laaber et al., EMSE 2019,
// sections 5.3 (false alarms) and 5.4 (minimal detectable slow-down), for their two rules and for
// those of the other methods. Test and control are chosen at random from measurements of one and
// the same program, again and again; for a slow-down all times of the test group are multiplied.

// The slow-downs that the paper tries.
inline const std::vector<double>& PaperSlowdowns() {
  static const auto* const slowdowns =
      new std::vector<double>{0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.05, 0.1, 0.5, 1.0, 10.0};
  return *slowdowns;
}

struct GridOptions {
  std::vector<std::size_t> instances = {1, 2, 3, 5, 10, 15, 20};  // of each group; section 5.3
  std::vector<std::size_t> trials = {1, 2, 3, 5};
  std::vector<Sampling> samplings = {Sampling::kInstances, Sampling::kTrials};
  std::vector<Rule> rules = {Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch, Rule::kMmtests,
                             Rule::kT};
  int resamplings = 100;
  std::size_t replicates = 100;   // of each hierarchical bootstrap
  double alpha = 0.05;            // of every rule
  std::vector<double> slowdowns;  // to be found; empty: false alarms only
  std::uint64_t seed = 1;
};

// Results of one rule with one number of instances and trials.
struct GridCell {
  Sampling sampling;
  std::size_t instances;
  std::size_t trials;
  Rule rule;
  int resamplings;
  int false_alarms;             // a change was reported where there is none
  std::vector<int> detections;  // of each slow-down: reported as slower

  double FalseAlarmRate() const { return static_cast<double>(false_alarms) / resamplings; }
};

// The minimal detectable slow-down of a cell: the smallest of `slowdowns` that was found in 95 % of
// the resamplings; infinite if none was. The paper's criterion (section 5.4.1) also asks for at
// most 5 % false alarms. An exactly valid rule at 5 % fails that in 38 % of 100-fold tries, so our
// criterion allows the 99.5 % limit of the binomial distribution at `alpha`.
double PaperMds(const GridCell& cell, const std::vector<double>& slowdowns);
double BinomialMds(const GridCell& cell, const std::vector<double>& slowdowns, double alpha);

// All cells for which there are measurements enough (CanSelect) and to which the rule applies, in
// the order sampling, instances, trials, rule. InvalidArgument for no cell, numbers below 1, and
// options out of range.
absl::StatusOr<std::vector<GridCell>> EvaluateGrid(const Instances& all,
                                                   const GridOptions& options);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_SAMPLING_GRID_H_
