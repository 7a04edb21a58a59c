#ifndef DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_
#define DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/pairs_data.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/rules/decision_rules.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::duet_stat {

// The rules that need no pairs.
inline const std::vector<stats::Rule>& UnpairedRules() {
  static const auto* const rules = new std::vector<stats::Rule>{
      stats::Rule::kWilcoxon, stats::Rule::kOverlap, stats::Rule::kWelch, stats::Rule::kMmtests};
  return *rules;
}

// The options of the command line.
struct Options {
  std::vector<std::string> files;
  bool compare = false;                    // the files are of unpaired times: of old and new
  std::vector<stats::IntervalKind> kinds;  // empty: those of the decision
  bool difference_of_means = false;        // the interval of the standard method, too
  double level = 0.99;
  stats::Estimator estimator = stats::Estimator::kTrimmed;
  bool winsorize = false;
  std::vector<stats::Rule> rules;
  double margin = 0.01;
  stats::Resampling resampling;
  bool shuffle = false;
  Subset subset;
  bool keep_disturbed = false;  // the estimate uses the disturbed pairs
  bool rates = false;           // --compare: larger is better, averages are harmonic
  bool grid = false;            // the files are of unpaired times, for the grid of Laaber et al.
  stats::GridOptions grid_options;
  bool mds = false;
  double run_cost_s = 0.1;  // of starting a run
  bool json = false;
  std::string text;  // to print and nothing else: the help or the version
};

// Reads the arguments (argv without the program). --paper sets what the duet
// paper used; options beside it go before it. InvalidArgument names the
// argument and what it should be; for an option of earlier versions, what
// replaces it.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_
