#ifndef DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_
#define DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "tools/duet_stat/input/pairs_csv.h"
#include "tools/stats/bootstrap_interval.h"
#include "tools/stats/outliers.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::duet_stat {

// The decision rules of the founding papers (tools/stats/rules/decision_rules.h).
enum class Rule { kDuet, kWilcoxon, kOverlap, kWelch, kMmtests };
inline constexpr Rule kAllRules[] = {Rule::kDuet, Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch,
                                     Rule::kMmtests};

// "duet", "wilcoxon", "ci-overlap", "welch" or "mmtests".
absl::string_view RuleName(Rule rule);

enum class Format { kConsole, kJson, kCsv, kHtml, kSvg };
enum class Color { kAuto, kAlways, kNever };

// Which pairs lose each other (RQ2 of the duet paper).
enum class Shuffle { kNone, kWithinRuns, kAll };

// The options of the command line.
struct Options {
  std::vector<std::string> files;
  std::vector<std::string> compare;  // files of unpaired times: a reference and others; or empty
  std::vector<stats::IntervalKind> kinds;  // empty: t, or ewc where there is a single run
  bool difference_of_means = false;        // the interval of the standard method, too
  std::vector<double> levels = {0.99};
  std::vector<stats::Estimator> estimators = {stats::Estimator::kTrimmed};
  stats::OutlierRule winsorize = stats::OutlierRule::kNone;
  std::vector<Rule> rules;
  double margin = 0.01;
  stats::Resampling resampling;
  Shuffle shuffle = Shuffle::kNone;
  // Which part of the data is used, in this order.
  std::size_t sample_runs = 0;  // number of runs, chosen at random; 0: all
  std::size_t first_pairs = 0;  // of each run; 0: all
  double skip = 0;              // the first part of each run that is left out, a fraction
  bool keep_disturbed = false;  // the estimate uses the disturbed pairs
  bool rates = false;           // --compare: larger is better, averages are harmonic
  bool grid = false;            // the files are of unpaired times, for the grid of Laaber et al.
  stats::GridOptions grid_options;
  bool mds = false;
  double run_cost = 0.1;  // seconds that it takes to start a run
  PairsCsvOptions reading;
  Format format = Format::kConsole;
  Color color = Color::kAuto;
  bool help = false;
  bool version = false;
};

// Reads the arguments (argv without the program). --paper sets what the duet paper used, wherever
// it stands; other options go before it. InvalidArgument names the argument, and the nearest option
// for one that does not exist; also for options that contradict each other.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments);

// Without rules, or with all: all those that need no pairs.
void SetRulesOfCompare(Options* options);

// The text of --help.
std::string HelpText();

// An option of the command line.
struct Option {
  const char* name;
  const char* value;  // as --help calls it; empty: the option takes none
  const char* help;   // lines end with \n
  // Sets what the value says. The message of an error says what is wrong with the value.
  absl::Status (*apply)(absl::string_view value, Options* options);
};

// All of them, in the order of --help.
absl::Span<const Option> OptionTable();

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OPTIONS_H_
