#ifndef DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
#define DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/times_file.h"
#include "tools/duet_stat/options.h"
#include "tools/stats/rules/decision_rules.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::duet_stat {

// The answer of a rule, or why it gives none.
struct AppliedRule {
  stats::Rule rule;
  absl::StatusOr<stats::RuleDecision> decision;
};

struct AppliedRules {
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
};

// The answers of rules that need no pairs. Those of Laaber et al. (wilcoxon, ci-overlap) first
// leave out what is above ten times the median, as the paper does; a notice counts it. With
// options.rates, a larger value is faster.
AppliedRules ApplyRules(const std::vector<stats::Rule>& rules, const stats::Sample& old_times,
                        const stats::Sample& new_times, const Options& options);

// Summary of one variant of unpaired times. Deviation and coefficient of variation are of all times
// together; 0 of a single one.
struct SideSummary {
  std::size_t runs = 0;
  std::size_t times = 0;
  double min = 0;
  double mean = 0;  // harmonic with options.rates
  double median = 0;
  double max = 0;
  double deviation = 0;
  double variation = 0;  // deviation / arithmetic mean
};

// A benchmark of two files, whose times were measured apart.
struct ComparedBenchmark {
  std::string name;
  SideSummary sides[2];
  AppliedRules applied;
  std::optional<absl::StatusOr<stats::MeansDifference>> means;  // if asked for
};

struct UnpairedResult {
  std::vector<std::string> files;  // of old and new
  std::vector<ComparedBenchmark> benchmarks;
  std::vector<std::string> notices;  // also which benchmarks are only in one of them
};

// Applies options.rules to the benchmarks that both of `data`, of old and new, have. `files` are
// their names. InvalidArgument if there are none.
absl::StatusOr<UnpairedResult> CompareTimes(const std::vector<TimesData>& data,
                                            const std::vector<std::string>& files,
                                            const Options& options);

// Variability of the times of one benchmark, and the reliability of the rules for each number of
// machines (instances) and runs (trials).
struct GridBenchmark {
  std::string name;
  std::string error;  // why there is nothing more; else empty
  std::size_t instances = 0;
  std::size_t trials = 0;  // the fewest of an instance
  std::size_t times = 0;
  std::size_t dropped = 0;  // above ten times the median (Laaber et al., section 3.3)
  stats::Variability variability{};
  std::vector<stats::GridCell> cells;
};

struct GridResult {
  std::vector<GridBenchmark> benchmarks;
  std::vector<std::string> notices;
};

// The grid of rules, slow-downs and numbers that the options ask for.
stats::GridOptions GridOptionsOf(const Options& options);

// Adds the computation of --grid on the times of each benchmark.
void EvaluateTimes(TimesData times, const Options& options, GridResult* result);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
