#ifndef DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_
#define DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decision/decision.h"
#include "duetbench/decision/diagnosis.h"
#include "duetbench/decision/verdict.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "tools/duet_stat/input/pairs_data.h"
#include "tools/duet_stat/options.h"
#include "tools/duet_stat/planning.h"
#include "tools/duet_stat/rules.h"
#include "tools/stats/rules/difference_of_means.h"

namespace duetbench::duet_stat {

// One interval that was asked for, or why it cannot be given.
struct IntervalResult {
  stats::IntervalKind kind;
  double level;
  stats::Estimator estimator;
  absl::StatusOr<stats::RatioInterval> interval;
  stats::Verdict verdict;  // of this interval
};

// The ratio by one estimator: the geometric mean of its values of the runs.
struct Estimate {
  stats::Estimator estimator;
  double ratio;
};

// The result of one benchmark.
struct BenchmarkResult {
  std::string name;
  std::string error;  // why nothing more is known; else empty
  bool is_x_over_y = false;
  bool interleaved = false;
  bool uses_disturbed = false;
  std::size_t runs = 0;
  std::size_t machines = 1;
  // Code layouts of the program: runs of one may be one value (decision/layouts.h).
  std::size_t layouts = 1;
  std::uint64_t pairs = 0;
  std::uint64_t dropped = 0;
  std::uint64_t kept_disturbed = 0;       // disturbed pairs that only --keep_disturbed uses
  std::vector<Estimate> estimates;        // of every estimator there is
  std::vector<double> run_log_ratios;     // of the first estimator asked for
  std::vector<IntervalResult> intervals;  // at least one is without error
  // At the first level. The total ratio does not decide where kinds of intervals or other
  // estimators were asked for; then `interval` and `verdict` are those of the first interval.
  stats::Decision decision;
  stats::Diagnosis diagnosis{};
  // The standard method, if asked for: the pairing forgotten.
  std::optional<absl::StatusOr<stats::MeansDifference>> means;
  std::vector<std::string> sentences;  // the diagnosis in words
  Planning planning;
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
};

// The first interval, of the typical ratio; only of a result without error. It may be one that
// cannot be given.
const IntervalResult& Headline(const BenchmarkResult& result);

// Does all that the options ask for with the pairs of one benchmark, which it uses up. `files` are
// PairsData::files. Depends on nothing but its arguments: results of other benchmarks do not
// matter.
BenchmarkResult Analyze(BenchmarkPairs benchmark, const std::vector<std::string>& files,
                        const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_
