#ifndef DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
#define DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/times_csv.h"
#include "tools/duet_stat/options.h"
#include "tools/duet_stat/rules.h"
#include "tools/stats/rules/difference_of_means.h"

namespace duetbench::duet_stat {

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

// The smallest slow-down that a rule finds with data like those of the reference, by drawing test
// and control from it with replacement (tools/stats/rules/sampling_grid.h).
struct RuleMds {
  std::string rule;
  int resamplings = 0;
  int false_alarms = 0;
  double mds = 0;        // at most as many false alarms as chance explains; infinite: none found
  double paper_mds = 0;  // at most 5 %, as Laaber et al. ask
};

// Results of the rules for one benchmark whose variants were measured apart.
struct ComparedBenchmark {
  std::string name;
  std::string new_file;  // the old one is options.compare[0]
  SideSummary old_side;
  SideSummary new_side;
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
  std::optional<absl::StatusOr<stats::MeansDifference>> means;  // if asked for
  std::vector<RuleMds> mds;                                     // if asked for
  std::string mds_error;
};

struct UnpairedResult {
  // In the order of the first file; of one benchmark, in the order of the other files.
  std::vector<ComparedBenchmark> benchmarks;
  std::vector<std::string> notices;  // also which benchmarks are not in all files
};

// Applies options.rules to the benchmarks that the first of `files` (the reference) and another one
// have, for each of the others. InvalidArgument if there are none. Messages call the files by
// options.compare.
absl::StatusOr<UnpairedResult> CompareTimes(const std::vector<TimesData>& files,
                                            const Options& options);

// The rules of the grid that are asked for by `rules`, and ours.
std::vector<stats::GridRule> GridRulesFor(const std::vector<Rule>& rules);

// True if Welch's test found a difference, which MMTests marks with stars.
bool IsStarred(const ComparedBenchmark& benchmark);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
