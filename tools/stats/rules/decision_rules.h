#ifndef DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_
#define DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/platform/random.h"
#include "tools/stats/bootstrap.h"

namespace duetbench::stats {

// The rules by which the founding papers decide whether 'new' differs from 'old'. All but the duet
// rule look at the times of each variant on their own and so serve unpaired data, too. They are
// here for comparison; the papers and the comments at each rule say how they err.
enum class Rule {
  // Bulej et al., ICPE 2020, section 3: the interval of the ratio excludes 1 (DuetRule).
  kDuet,
  // Laaber et al., EMSE 2019, section 5.1.1: two-sided Wilcoxon rank-sum with p <= 0.05 and a
  // Cliff's delta (1993: P(X > Y) - P(X < Y)) of at least medium size, 0.33 (Romano et al., 2006),
  // over all iterations of all runs. Takes iterations of one
  // run as independent: with one trial on each of two instances the paper finds at most 5 % false
  // alarms in 18 of 190 configurations only (section 5.3.2).
  kWilcoxon,
  // Laaber et al., section 5.1.2: the 95 % percentile intervals of the two means, from the
  // hierarchical bootstrap machine -> run -> iteration, do not overlap. Conservative when runs do
  // not differ (two 95 % intervals that just touch are p = 0.006), and with fewer than 10 runs in
  // all far too eager when they do: with one trial on each of two instances the paper finds at most
  // 5 % false alarms in 8 of 190 configurations, with five trials on the same five instances in 189
  // (section 5.3.2). The paper uses 100 replicates.
  kOverlap,
  // The base rule of MMTests: Welch's t test at 5 %. A run gives one value, the average of its
  // iterations; where one variant has a single run, the iterations of all runs are the values (and
  // the test takes them as independent).
  kWelch,
  // The advanced rule of MMTests: a run's value is the median of the averages of 100 sub-selections
  // (SubSelectionMedian). MMTests leaves open how the difference is tested; here by Welch's test at
  // 5 % over the runs' values, as in its base rule.
  kMmtests,
  // Ours: t interval of the log-ratio of the means of runs, paired by machine where both samples
  // are of the same machines. One machine: over its runs; different machines: Welch's test over the
  // machines.
  kT,
};

// The answer of a rule.
enum class Change {
  kNone,    // no difference reported, which does not say that there is none
  kSlower,  // new takes longer
  kFaster,
};

// "no difference", "slower" or "faster".
absl::string_view ChangeName(Change change);

struct RuleDecision {
  Change decision = Change::kNone;  // what the rule reports
  std::optional<double> p;          // of its test, if it has one
  std::optional<double> effect;     // ratio new/old of what it averages; wilcoxon: Cliff's delta
};

// The times of one variant: positive, in the unit of those of the other one.
struct Sample {
  std::vector<std::vector<double>> runs;  // run (trial) -> iteration
  std::vector<int> machine;               // of each run; empty if all ran on one
};

// OK if there is a run, none is empty, every time is positive and finite, and `machine` is empty or
// as long as `runs`. Otherwise InvalidArgument saying what is wrong where.
absl::Status CheckSample(const Sample& sample);

// The times of one variant in paired runs, the pairing forgotten.
Sample SampleOf(absl::Span<const RunPairs> runs, double Pair::*time);

// Removes from each run the values above ten times the median of all values of the sample, as
// Laaber et al. do before anything else (EMSE 2019, section 3.3), and runs that this leaves empty.
// Returns how many values it removed. `sample` must pass CheckSample.
std::size_t DropTenfoldOutliers(Sample& sample);

// The averages of MMTests.
enum class Average {
  kArithmetic,  // Amean: times
  kHarmonic,    // Hmean: rates, such as iterations per second
};

// The average of the values; positive ones for kHarmonic. At least one value.
double AverageOf(absl::Span<const double> values, Average average);

// The value of a run by MMTests: the median of the averages of 100 random sub-selections of
// floor(0.8 n) of its n values, at least one, drawn without replacement (MMTests, advanced
// regression detection). A spike of weight below 50 % pulls less on this median than on the
// average, but it is no robust estimator: with one spike among n values, 80 % of the sub-selections
// contain it. O(n).
double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random);

struct RuleOptions {
  double alpha = 0.05;
  Average average = Average::kArithmetic;  // kHarmonic: rates, of which a smaller one is slower
  Resampling resampling;
  bool same_machines = false;  // for kT: the samples are of the same machines, in the same order
};

RuleDecision DuetRule(const RatioInterval& interval);

// The answer of a rule other than kDuet. InvalidArgument as CheckSample, and where the rule cannot
// decide because there are too few values or runs.
absl::StatusOr<RuleDecision> ApplyRule(Rule rule, const Sample& old_times, const Sample& new_times,
                                       const RuleOptions& options = {});

// A run with the values that rules need, computed once for many samples that it is drawn into.
struct RuleRun {
  const std::vector<double>* times;
  int machine = 0;
  double average = 0;
  double sub_selection = 0;  // of kMmtests
};
RuleRun MakeRuleRun(const std::vector<double>& times, int machine, Average average, Random& random);

// The answers of a rule where the new times are multiplied by each of the factors.
absl::StatusOr<std::vector<RuleDecision>> JudgeRuns(Rule rule, const std::vector<RuleRun>& old_runs,
                                                    const std::vector<RuleRun>& new_runs,
                                                    const std::vector<double>& factors,
                                                    const RuleOptions& options);

// The standard method that the duet paper compares itself with (Bulej et al., ICPE 2020, section
// 4.1): each variant is measured alone, in whole runs in random order, and the result is the
// percentile bootstrap interval of the difference of the two means, relative to the mean of all
// times. All fields are fractions of that mean (0.01: 1 %), except for the mean itself.
struct MeansDifference {
  double difference;  // mean of new less mean of old
  double lo;
  double hi;
  double mean;  // of all times of both variants, in their unit
  double level;

  double Width() const { return hi - lo; }  // by which the paper compares methods
};

// The means are those of the runs' means, so that every run has the same weight; a replicate draws
// as many runs as there are, for each variant on its own. With `winsorize` at most one time of each
// run is replaced by its neighbor first, as in section 4 of the paper. InvalidArgument as
// CheckSample, CheckLevel and CheckResampling, and for fewer than two runs of a variant.
absl::StatusOr<MeansDifference> DifferenceOfMeans(const Sample& old_times, const Sample& new_times,
                                                  double level, const Resampling& resampling = {},
                                                  bool winsorize = false);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_
