#ifndef DUETBENCH_TOOLS_STATS_RULES_GRID_RULES_H_
#define DUETBENCH_TOOLS_STATS_RULES_GRID_RULES_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/stats/random.h"
#include "tools/stats/hierarchical_interval.h"
#include "tools/stats/rules/instances.h"

namespace duetbench::stats {

// The decision rules that sampling_grid.h compares: does one group of trials take longer than
// another one?

enum class GridRule {
  kWilcoxon,  // rank sum with Cliff's delta (section 5.1.1)
  kOverlap,   // intervals of the means from the hierarchical bootstrap overlap (section 5.1.2)
  kWelch,     // MMTests, base rule: over the trials' means; of a single trial over its iterations
  kMmtests,   // MMTests, advanced rule: over the trials' medians of averages; two trials or more
  kT,         // ours: t interval of the log-ratio of trial means, paired by instance where test and
              // control have the same instances. One instance: over its trials; different
              // instances: Welch's test over the instances. Two trials or instances or more
};
inline constexpr GridRule kAllGridRules[] = {GridRule::kWilcoxon, GridRule::kOverlap,
                                             GridRule::kWelch, GridRule::kMmtests, GridRule::kT};

// "wilcoxon", "ci-overlap", "welch", "mmtests" or "t".
absl::string_view GridRuleName(GridRule rule);

struct GridOptions {
  std::vector<std::size_t> instances = {1, 2, 3, 5, 10, 15, 20};  // of each group; section 5.3
  std::vector<std::size_t> trials = {1, 2, 3, 5};
  std::vector<Sampling> samplings = {Sampling::kInstances, Sampling::kTrials};
  std::vector<GridRule> rules = {std::begin(kAllGridRules), std::end(kAllGridRules)};
  int resamplings = 100;
  std::size_t replicates = 100;   // of each hierarchical bootstrap
  double alpha = 0.05;            // of every rule
  double min_delta = 0.33;        // of Cliff: medium; 0.147 is small, 0.474 large (Romano et al.)
  bool bonferroni = false;        // Wilcoxon's p is multiplied by the resamplings, as in the paper
  std::vector<double> slowdowns;  // to be found; empty: false alarms only
  std::uint64_t seed = 1;
  int threads = 0;  // 0: as many as there are CPUs
};

// Values of a trial that the rules need, computed once.
struct PreparedTrial {
  const std::vector<double>* times;
  double mean;
  double log_mean;
  double mmtests;  // SubSelectionMedian
  ResampledRun resampled;
};

// The answer of a rule about two groups, for one slow-down; -1: new is faster, 0: no difference, 1:
// slower.
using Sign = int;

// Some trials of some instances.
struct Group {
  std::vector<const PreparedTrial*> trials;
  std::vector<int> instance;  // of each trial, numbered from 0
};

// All trials, and what they are judged for.
struct GridSetting {
  std::vector<std::vector<PreparedTrial>> trials;
  const GridOptions* options;
  std::vector<double> factors;  // 1, then 1 + each slow-down
};

// True if groups of `instances`, with `trials` of each, suffice for the rule.
bool RuleApplies(GridRule rule, bool paired, std::size_t instances, std::size_t trials);

// The answers of `rule` for each factor, of which there is at least one. `random` is for the
// bootstrap. REQUIRES RuleApplies.
std::vector<Sign> Judge(const GridSetting& setting, GridRule rule, bool paired, const Group& test,
                        const Group& control, Random& random);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_GRID_RULES_H_
