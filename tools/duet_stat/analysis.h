#ifndef DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_
#define DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/interval.h"
#include "duetbench/record/verdict.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/options.h"
#include "tools/duet_stat/pairs_data.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/planning.h"

namespace duetbench::duet_stat {

// One interval that was asked for, or why it cannot be given.
struct IntervalResult {
  stats::IntervalKind kind;
  absl::StatusOr<stats::RatioInterval> interval;
  stats::Verdict verdict = stats::Verdict::kInconclusive;  // of this interval
  std::string warning = {};                                // why it may be too narrow; else empty
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
  // Code layouts of the program: runs of one may be one value (decide/run_value.h).
  std::size_t layouts = 1;
  std::uint64_t pairs = 0;
  std::uint64_t dropped = 0;
  std::vector<double> run_log_ratios;
  std::vector<IntervalResult> intervals;  // of the typical ratio; the first one is the headline
  // The total ratio does not decide where kinds of intervals or another estimator were asked for;
  // then `interval` and `verdict` are those of the first interval.
  stats::Decision decision;
  std::optional<absl::StatusOr<stats::MeansDifference>> means;  // if asked for
  std::vector<std::string> sentences;                           // the diagnosis in words
  stats::Planning planning;
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
};

// The estimator of an interval: the hierarchical one has its own.
stats::Estimator EstimatorOf(stats::IntervalKind kind, const Options& options);

// Does all that the options ask for with the pairs of one benchmark, which it uses up. Depends on
// nothing but its arguments: results of other benchmarks do not matter.
BenchmarkResult Analyze(BenchmarkPairs benchmark, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_ANALYSIS_H_
