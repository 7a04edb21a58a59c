#include "tools/duet_stat/analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decision/layouts.h"
#include "duetbench/decision/two_speeds.h"
#include "duetbench/plan/measuring_policy.h"
#include "duetbench/stats/robust.h"
#include "duetbench/text/diagnosis_format.h"
#include "tools/duet_stat/analysis_notices.h"
#include "tools/duet_stat/shuffle.h"
#include "tools/duet_stat/subset.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/hierarchical_interval.h"

namespace duetbench::duet_stat {
namespace {

constexpr stats::Estimator kEstimators[] = {stats::Estimator::kTrimmed, stats::Estimator::kGeomean,
                                            stats::Estimator::kMedian};

using RunValues = std::map<stats::Estimator, std::vector<double>>;

// The machine of each run; empty if all ran on one.
std::vector<int> MachineOfRuns(const BenchmarkPairs& benchmark) {
  std::vector<int> machine;
  machine.reserve(benchmark.origins.size());
  for (const RunOrigin& origin : benchmark.origins) machine.push_back(origin.machine);
  if (std::set<int>(machine.begin(), machine.end()).size() <= 1) machine.clear();
  return machine;
}

// The link layout of each run; empty if all have one.
std::vector<int> LayoutOfRuns(const BenchmarkPairs& benchmark) {
  std::vector<int> layouts;
  for (const RunOrigin& origin : benchmark.origins) {
    layouts.push_back(static_cast<int>(origin.layout));
  }
  if (std::set<int>(layouts.begin(), layouts.end()).size() <= 1) layouts.clear();
  return layouts;
}

// `total_runs` are SelectedPairs::total_runs.
absl::StatusOr<std::vector<stats::RunValue>> ReduceRuns(
    const BenchmarkPairs& benchmark, const std::vector<stats::RunPairs>& total_runs,
    stats::Estimator estimator) {
  const auto total_run = [&](std::size_t r) -> const stats::RunPairs& {
    return total_runs[r].empty() ? benchmark.runs[r] : total_runs[r];
  };
  std::vector<stats::RunValue> values;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    absl::StatusOr<stats::RunValue> value =
        stats::ReduceRun(benchmark.runs[r], total_run(r), estimator);
    if (!value.ok()) return value.status();
    const RunOrigin& origin = benchmark.origins[r];
    value->layout = static_cast<int>(origin.layout);
    value->machine = origin.machine;
    value->start_s = origin.start_s;
    std::copy_n(origin.pause_share, 2, value->pause_share);
    for (int v = 0; v < 2; ++v) {
      value->sample_iterations[v] =
          benchmark.iterations[v] / static_cast<double>(benchmark.timed_pairs);
    }
    values.push_back(*std::move(value));
  }
  if (values.size() == 1) {
    values[0].single = stats::ReduceSingleRun(benchmark.runs[0], total_run(0), estimator);
  }
  return values;
}

// An interval that was asked for by its kind.
absl::StatusOr<stats::RatioInterval> Interval(const std::vector<stats::RunPairs>& runs,
                                              const std::vector<int>& machine,
                                              const RunValues& values,
                                              const stats::IntervalOptions& options) {
  if (options.kind == stats::IntervalKind::kHierarchical) {
    return stats::HierarchicalInterval(runs, options.estimator, options.level, options.resampling,
                                       machine);
  }
  if (options.kind == stats::IntervalKind::kEwc) return stats::ComputeInterval(runs, options);
  return stats::IntervalOfRuns(values.at(options.estimator), options);
}

// The kinds of intervals that a decision makes by itself.
bool IsOfDecision(stats::IntervalKind kind, std::size_t runs) {
  return kind == stats::IntervalKind::kRobust && runs > 1;
}

// Decides as the report of a run does (decision/decision.h), by what the pairs show. Where the
// options ask for kinds of intervals, for other estimators or for changed ratios, the typical ratio
// decides, by the first interval.
class Deciding {
 public:
  Deciding(const BenchmarkPairs& benchmark, const std::vector<stats::RunPairs>& total_runs,
           const stats::Reservations& reservations, const Options& options)
      : benchmark_(benchmark),
        total_runs_(total_runs),
        reservations_(reservations),
        options_(options) {}

  const stats::Reservations& reservations() const { return reservations_; }

  absl::StatusOr<stats::Decision> By(stats::Estimator estimator, double level) {
    auto known = values_.find(estimator);
    if (known == values_.end()) {
      known = values_.emplace(estimator, ReduceRuns(benchmark_, total_runs_, estimator)).first;
    }
    const absl::StatusOr<std::vector<stats::RunValue>>& values = known->second;
    if (!values.ok()) return values.status();
    const bool may_choose = options_.kinds.empty() &&
                            options_.winsorize == stats::OutlierRule::kNone &&
                            options_.estimators[0] == stats::Estimator::kTrimmed;
    stats::DecisionPolicy policy;
    policy.level = level;
    policy.margin = options_.margin;
    policy.estimand = may_choose ? stats::Estimand::kAuto : stats::Estimand::kTypical;
    return stats::Decide({reservations_, *values}, policy);
  }

 private:
  const BenchmarkPairs& benchmark_;
  const std::vector<stats::RunPairs>& total_runs_;
  const stats::Reservations reservations_;
  const Options& options_;
  // Each run is reduced once for each estimator.
  std::map<stats::Estimator, absl::StatusOr<std::vector<stats::RunValue>>> values_;
};

void AddIntervals(const BenchmarkPairs& benchmark, const std::vector<int>& machine,
                  const RunValues& values, const Options& options, Deciding* deciding,
                  BenchmarkResult* result) {
  const bool chosen = !options.kinds.empty();
  const std::vector<stats::IntervalKind> kinds =
      chosen ? options.kinds : std::vector{stats::IntervalKind::kRobust};
  for (const stats::IntervalKind kind : kinds) {
    for (const double level : options.levels) {
      for (const stats::Estimator estimator : options.estimators) {
        IntervalResult interval{kind, level, estimator, stats::RatioInterval(),
                                stats::Verdict::kInconclusive};
        if (!chosen || IsOfDecision(kind, benchmark.runs.size())) {
          const absl::StatusOr<stats::Decision> decision = deciding->By(estimator, level);
          if (decision.ok()) {
            interval.interval = decision->typical;
            interval.kind = decision->typical.kind;
          } else {
            interval.interval = decision.status();
            if (benchmark.runs.size() == 1) interval.kind = stats::IntervalKind::kEwc;
          }
        } else {
          interval.interval = Interval(benchmark.runs, machine, values,
                                       {kind, level, estimator, options.resampling});
        }
        if (interval.interval.ok()) {
          interval.verdict = stats::Decide(*interval.interval, options.margin);
        }
        result->intervals.push_back(std::move(interval));
      }
    }
  }
  if (!Headline(*result).interval.ok()) {
    result->error =
        absl::StrCat("no interval: ", std::string(Headline(*result).interval.status().message()));
  }
}

void AddDecision(const Options& options, Deciding* deciding, BenchmarkResult* result) {
  absl::StatusOr<stats::Decision> decision = deciding->By(options.estimators[0], options.levels[0]);
  if (decision.ok()) result->decision = *std::move(decision);
  if (decision.ok() && options.kinds.empty()) return;
  static_cast<stats::Reservations&>(result->decision) = deciding->reservations();
  result->decision.margin = options.margin;
  result->decision.interval = Headline(*result).interval.value_or(stats::RatioInterval{});
  stats::JudgeVerdict(&result->decision);
}

// Those that the pairs show. That a variant has lost its work, or that the variants disturb each
// other, only the program knows.
stats::Reservations ReservationsOf(const BenchmarkPairs& benchmark, bool is_biased, double margin) {
  stats::Reservations reservations;
  reservations.is_biased = is_biased;
  // Machines differ by themselves.
  if (MachineOfRuns(benchmark).empty()) {
    reservations.two_speeds = stats::FindTwoSpeeds(benchmark.runs, stats::LeastNotable(margin));
  }
  for (int variant = 0; variant < 2; ++variant) {
    std::vector<double> shares;
    for (const RunOrigin& origin : benchmark.origins) shares.push_back(origin.pause_share[variant]);
    const double share = stats::Median(std::move(shares));
    if (share > kMeasuringPolicy.notable_pause_share) reservations.pause_share[variant] = share;
  }
  return reservations;
}

double MeanPairSeconds(const BenchmarkPairs& benchmark) {
  return benchmark.measured_ns / static_cast<double>(benchmark.timed_pairs) * 1e-9;
}

// The times for the rules that need no pairs; empty if there are none to apply.
struct UnpairedTimes {
  stats::Sample old_times;
  stats::Sample new_times;
};

UnpairedTimes UnpairedTimesOf(const std::vector<stats::RunPairs>& runs,
                              const std::vector<int>& machine, const Options& options) {
  if (options.rules.empty() && !options.difference_of_means) return {};
  UnpairedTimes times{stats::OldSample(runs), stats::NewSample(runs)};
  times.old_times.machine = machine;
  times.new_times.machine = machine;
  return times;
}

// The rule of the duet paper, by the paper's interval whatever the options ask for: geometric means
// of winsorized runs, percentile bootstrap at 99 % with 10,000 replicates.
absl::StatusOr<stats::RuleDecision> PaperRule(std::vector<stats::RunPairs> runs,
                                              std::uint64_t seed) {
  for (stats::RunPairs& run : runs) {
    run = stats::WinsorizeRatios(std::move(run), stats::OutlierRule::kRange20);
  }
  stats::IntervalOptions paper;
  paper.kind = stats::IntervalKind::kPercentile;
  paper.estimator = stats::Estimator::kGeomean;
  paper.resampling.seed = seed;
  const absl::StatusOr<stats::RatioInterval> interval = stats::ComputeInterval(runs, paper);
  if (!interval.ok()) return interval.status();
  return stats::DuetRule(*interval);
}

void AddRules(const UnpairedTimes& times, std::optional<AppliedRule> paper_rule,
              const Options& options, BenchmarkResult* result) {
  if (options.rules.empty()) return;
  AppliedRules applied = ApplyRules(options.rules, times.old_times, times.new_times, options);
  if (paper_rule.has_value()) result->rules.push_back(*std::move(paper_rule));
  for (AppliedRule& rule : applied.rules) result->rules.push_back(std::move(rule));
  for (std::string& notice : applied.notices) result->notices.push_back(std::move(notice));
}

}  // namespace

const IntervalResult& Headline(const BenchmarkResult& result) { return result.intervals.front(); }

BenchmarkResult Analyze(BenchmarkPairs benchmark, const std::vector<std::string>& files,
                        const Options& options) {
  BenchmarkResult result;
  result.name = benchmark.name;
  result.is_x_over_y = benchmark.is_x_over_y;
  result.interleaved = benchmark.interleaved;
  std::uint64_t disturbed = 0;
  for (const RunOrigin& origin : benchmark.origins) disturbed += origin.disturbed.size();
  SelectedPairs selected = SelectPairs(benchmark, options.keep_disturbed);
  if (options.keep_disturbed && selected.uses_disturbed) result.kept_disturbed = disturbed;
  result.dropped = selected.dropped;
  result.uses_disturbed = selected.uses_disturbed;
  std::vector<stats::RunPairs> total_runs;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    if (!benchmark.runs[r].empty()) total_runs.push_back(std::move(selected.total_runs[r]));
  }
  const std::uint64_t empty_runs = DropEmptyRuns(benchmark);
  absl::StatusOr<std::vector<std::string>> subset = TakeSubset(options, benchmark);
  std::vector<stats::RunPairs>& runs = benchmark.runs;
  result.runs = runs.size();
  for (const stats::RunPairs& run : runs) result.pairs += run.size();
  if (result.pairs != selected.pairs) total_runs.assign(runs.size(), {});  // it is of a part only
  // Options that change the pairs of the typical ratio leave those of the ratio of totals.
  if (options.shuffle != Shuffle::kNone || options.winsorize != stats::OutlierRule::kNone) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (total_runs[r].empty()) total_runs[r] = runs[r];
    }
  }
  if (!subset.ok()) {
    result.error = std::string(subset.status().message());
    return result;
  }
  result.notices = *std::move(subset);
  if (runs.empty()) {
    result.error = absl::StrCat("no pair can be used: all ", selected.dropped,
                                " were disturbed and took no measurable time");
    return result;
  }
  const std::vector<int> layouts = LayoutOfRuns(benchmark);
  result.layouts = std::max<std::size_t>(1, std::set<int>(layouts.begin(), layouts.end()).size());
  std::vector<int> machine = MachineOfRuns(benchmark);
  result.machines = std::max<std::size_t>(1, std::set<int>(machine.begin(), machine.end()).size());

  // Runs of a layout are not independent, as those of a machine are not.
  if (machine.empty()) machine = layouts;
  ShufflePairs(options.shuffle, options.resampling.seed, runs);
  // Before outliers are replaced: that rule is one of ratios and changes times to fit them.
  const UnpairedTimes times = UnpairedTimesOf(runs, machine, options);
  std::optional<AppliedRule> paper_rule;
  if (std::find(options.rules.begin(), options.rules.end(), Rule::kDuet) != options.rules.end()) {
    paper_rule = AppliedRule{Rule::kDuet, PaperRule(runs, options.resampling.seed)};
  }
  if (options.difference_of_means) {
    result.means = stats::DifferenceOfMeans(times.old_times, times.new_times, options.levels[0],
                                            options.resampling, options.winsorize);
  }
  if (options.winsorize != stats::OutlierRule::kNone) {
    for (stats::RunPairs& run : runs) run = WinsorizeRatios(std::move(run), options.winsorize);
  }
  RunValues values;
  for (const stats::Estimator estimator : kEstimators) {
    absl::StatusOr<std::vector<double>> log_ratios = stats::RunLogRatios(runs, estimator);
    if (!log_ratios.ok()) {
      result.error = std::string(log_ratios.status().message());
      return result;
    }
    if (estimator == options.estimators[0]) result.run_log_ratios = *log_ratios;
    if (!layouts.empty()) {
      log_ratios = stats::GroupMeans(*log_ratios, stats::IndependentGroups(*log_ratios, layouts));
    }
    result.estimates.push_back({estimator, std::exp(stats::Mean(*log_ratios))});
    values[estimator] = *std::move(log_ratios);
  }
  Deciding deciding(benchmark, total_runs,
                    ReservationsOf(benchmark, selected.is_biased, options.margin), options);
  AddIntervals(benchmark, machine, values, options, &deciding, &result);
  AddDecision(options, &deciding, &result);

  absl::StatusOr<stats::Diagnosis> diagnosis = stats::Diagnose(runs, options.resampling.seed);
  if (diagnosis.ok()) {
    result.diagnosis = *std::move(diagnosis);
    const bool has_typical = Headline(result).interval.ok();
    result.sentences =
        has_typical
            ? stats::Explain(result.diagnosis, result.interleaved, *Headline(result).interval,
                             result.decision.total.has_value() ? &*result.decision.total : nullptr)
            : stats::Explain(result.diagnosis, result.interleaved);
  }
  result.planning = Plan(runs, MeanPairSeconds(benchmark), result.run_log_ratios, options);
  AddRules(times, std::move(paper_rule), options, &result);
  AddNotices(benchmark, files, selected, empty_runs, &result);
  return result;
}

}  // namespace duetbench::duet_stat
