#ifndef DUETBENCH_TOOLS_DUET_LAB_ACCURACY_H_
#define DUETBENCH_TOOLS_DUET_LAB_ACCURACY_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace duetbench::lab {

// Result of one experiment on one duet benchmark.
struct Observation {
  std::string name;
  double ratio = 1;
  double lo = 0;  // of the interval; infinite upper end: it could not be bounded
  double hi = 0;
  double level = 0.99;
  std::string verdict;  // "FASTER", "SLOWER", "EQUAL", "INCONCLUSIVE"
  int runs = 0;
  double pairs = 0;
  double dropped = 0;
  int schedule = -1;  // number of the schedule in use (schedule.h); -1: not reported
  std::string error;  // not empty: there is no result, and this is why
  // Not in the file, set by who ran it:
  double wall_seconds = 0;  // of the experiment
  int link = 0;             // number of the relinked program (roles.h)
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Observation, name, ratio, lo, hi, level, verdict, runs, pairs,
                                   dropped, schedule, error, wall_seconds, link)

// The duet benchmarks in a JSON file of Google Benchmark's format as duet programs write it: rows
// with a ratio, and rows of errors. Other rows are passed over. InvalidArgument when it is no such
// file.
absl::StatusOr<std::vector<Observation>> ParseObservations(absl::string_view json);

// The accuracy of intervals and verdicts whose true ratio is known. Pure functions.

// A ratio that is known: new takes `ratio` times as long as old by construction.
struct Truth {
  std::string name;  // of a benchmark, or of its family: the part before the first '/'
  double ratio = 1;
};

// "BM_Twice_vs_BM_Once/64=2.0". The name may contain '='; the last one counts.
absl::StatusOr<Truth> ParseTruth(const std::string& text);

// The true ratio of the benchmark `name`: of the last truth with its name, else with its family's;
// 1 if there is none.
double TrueRatio(absl::string_view name, const std::vector<Truth>& truths);

// True if the verdict contradicts the truth: FASTER where new is not faster, SLOWER where it is not
// slower, EQUAL where the difference is larger than the margin.
bool IsFalseVerdict(absl::string_view verdict, double truth, double margin);

// True if a true difference was found: SLOWER or FASTER as it should be, or an interval that
// excludes 1 and contains the truth. Never for truth = 1.
bool FindsDifference(const Observation& observation, double truth);

// Summary of several experiments on one benchmark. Fractions, not per cent; NaN without a result.
struct Accuracy {
  int experiments = 0;      // with a result
  int errors = 0;           // without
  int exclude_one = 0;      // intervals that do not contain 1
  int exclude_truth = 0;    // intervals that do not contain the true ratio
  int false_verdicts = 0;   // IsFalseVerdict
  int found = 0;            // FindsDifference
  double median_width = 0;  // of (hi - lo) / ratio
  double largest_width = 0;
  double median_error = 0;  // of |ratio / truth - 1|
  double largest_error = 0;
  double bias = 0;         // median of ratio / truth - 1
  double median_wall = 0;  // seconds an experiment
};

// `truths` belong to the observations, one each.
Accuracy SummarizeAccuracy(absl::Span<const Observation> observations,
                           absl::Span<const double> truths, double margin);

// NaN of no value.
double Median(const std::vector<double>& values);

// Geometric mean of the positive finite values; NaN if there is none.
double GeometricMean(absl::Span<const double> values);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_ACCURACY_H_
