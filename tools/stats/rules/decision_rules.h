#ifndef DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_
#define DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/random.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/bootstrap_interval.h"

namespace duetbench::stats {

// The rules by which the founding papers decide whether 'new' differs from 'old'. All but the duet
// rule look at the times of each variant on their own and so serve unpaired data, too. They are
// here for comparison; the papers and the comments at each rule say how they err.

// The answer of a rule.
enum class Change {
  kNone,    // no difference reported, which does not say that there is none
  kSlower,  // new takes longer
  kFaster,
};

// "no difference", "slower" or "faster".
absl::string_view ChangeName(Change change);

struct RuleDecision {
  std::string name;              // "duet", "wilcoxon", "ci-overlap", "welch" or "mmtests"
  Change decision;               // what the rule reports
  std::optional<double> p;       // of its test, if it has one
  std::optional<double> effect;  // ratio new/old of what it averages; wilcoxon: Cliff's delta
};

// The times of one variant: positive, in the unit of those of the other one.
struct Sample {
  std::vector<std::vector<double>> runs;  // run (trial) -> iteration
  std::vector<int> machine;               // of each run; empty if all ran on one
};

// OK if there is a run, none is empty, every time is positive and finite, and `machine` is empty or
// as long as `runs`. Otherwise InvalidArgument saying what is wrong where.
absl::Status CheckSample(const Sample& sample);

// The times of each variant in paired runs, the pairing forgotten.
Sample OldSample(absl::Span<const RunPairs> runs);
Sample NewSample(absl::Span<const RunPairs> runs);

// Removes from each run the values above ten times the median of all values of the sample, as
// Laaber et al. do before anything else (EMSE 2019, section 3.3), and runs that this leaves empty.
// Returns how many values it removed. `sample` must pass CheckSample.
std::size_t DropTenfoldOutliers(Sample& sample);

// Bulej et al., ICPE 2020, section 3: different exactly if the interval of the ratio excludes 1.
RuleDecision DuetRule(const RatioInterval& interval);

// |Cliff's delta| of a medium size (Romano et al., 2006), as Laaber et al. use it in section 5.1.1.
inline constexpr double kMediumDelta = 0.33;

// Laaber et al., section 5.1.1: two-sided Wilcoxon rank-sum with p <= 0.05 and a Cliff's delta of
// at least medium size, |delta| >= `min_delta`, over all iterations of all runs. Takes iterations
// of one run as independent: with one trial on each of two instances the paper finds at most 5 %
// false alarms in 18 of 190 configurations only (section 5.3.2). InvalidArgument as CheckSample,
// and for so few values that no p is small enough.
absl::StatusOr<RuleDecision> WilcoxonRule(const Sample& old_times, const Sample& new_times,
                                          double min_delta = kMediumDelta);

// Laaber et al., section 5.1.2: the 95 % percentile intervals of the two means, from the
// hierarchical bootstrap machine -> run -> iteration, do not overlap. Conservative when runs do not
// differ (two 95 % intervals that just touch are p = 0.006), and with fewer than 10 runs in all far
// too eager when they do: with one trial on each of two instances the paper finds at most 5 % false
// alarms in 8 of 190 configurations, with five trials on the same five instances in 189 (section
// 5.3.2). The paper uses 100 replicates. Means give every run the same weight.
// InvalidArgument as CheckSample, and for a single value of a variant.
absl::StatusOr<RuleDecision> OverlapRule(const Sample& old_times, const Sample& new_times,
                                         const Resampling& resampling = {});

// The hierarchical interval of one variant's mean that OverlapRule compares, in the unit of the
// times.
absl::StatusOr<Ends> HierarchicalMeanInterval(const Sample& times, double level,
                                              const Resampling& resampling);

// The averages of MMTests.
enum class Average {
  kArithmetic,  // Amean: times
  kHarmonic,    // Hmean: rates, such as iterations per second
};

// The average of the values; positive ones for kHarmonic. At least one value.
double AverageOf(absl::Span<const double> values, Average average);

// The value of a run by MMTests: the median of the averages of `selections` random sub-selections
// of floor(share * n) of its n values, at least one, drawn without replacement (MMTests, advanced
// regression detection). A spike of weight below 50 % pulls less on this median than on the
// average, but it is no robust estimator: with one spike among n values, 80 % of the sub-selections
// contain it. `share` in (0, 1]. O(selections * n).
double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random,
                          int selections = 100, double share = 0.8);

// The base rule of MMTests: Welch's t test at 5 %. A run gives one value, the average of its
// iterations; where one variant has a single run, the iterations of all runs are the values (and
// the test takes them as independent). InvalidArgument as CheckSample, and if a variant has one
// value in all. For rates (Average::kHarmonic) 'slower' means a smaller average.
absl::StatusOr<RuleDecision> WelchRule(const Sample& old_times, const Sample& new_times,
                                       Average average = Average::kArithmetic);

// The advanced rule of MMTests: a run's value is the median of the averages of 100 sub-selections
// (SubSelectionMedian); the effect is the ratio of the averages of these values. MMTests leaves
// open how the difference is tested; here by Welch's test at 5 % over the runs' values, as in its
// base rule. InvalidArgument as CheckSample, and for a single run of a variant.
absl::StatusOr<RuleDecision> MmtestsRule(const Sample& old_times, const Sample& new_times,
                                         std::uint64_t seed,
                                         Average average = Average::kArithmetic);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_DECISION_RULES_H_
