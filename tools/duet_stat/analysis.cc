#include "tools/duet_stat/analysis.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/decide/two_speeds.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"
#include "duetbench/report/comparison_format.h"
#include "tools/stats/outliers.h"

namespace duetbench::duet_stat {
namespace {

// A number of each run; empty if all runs have one and the same.
template <typename Number>
std::vector<int> Distinct(const std::vector<RunOrigin>& origins, Number RunOrigin::*number) {
  std::vector<int> numbers;
  for (const RunOrigin& origin : origins) numbers.push_back(static_cast<int>(origin.*number));
  if (std::set<int>(numbers.begin(), numbers.end()).size() <= 1) numbers.clear();
  return numbers;
}

std::size_t CountOf(const std::vector<int>& numbers) {
  return std::max<std::size_t>(1, std::set<int>(numbers.begin(), numbers.end()).size());
}

// The value of each run. `total_runs` are SelectedPairs::total_runs.
absl::StatusOr<std::vector<stats::RunValue>> RunValuesOf(
    const BenchmarkPairs& benchmark, const std::vector<stats::RunPairs>& total_runs,
    stats::Estimator estimator) {
  std::vector<stats::RunValue> values;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    const stats::RunPairs& run = benchmark.runs[r];
    const RunOrigin& origin = benchmark.origins[r];
    absl::StatusOr<stats::RunValue> value =
        stats::ReduceRun(run, total_runs[r].empty() ? run : total_runs[r], origin.taper);
    if (!value.ok()) return value.status();
    if (estimator == stats::Estimator::kGeomean) {
      value->log_ratio = stats::Mean(stats::LogRatios(run));
    }
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
  return values;
}

// As the report of a run decides (decide/decision.h). Where the options ask for kinds of intervals,
// for another estimator or for changed ratios, the typical ratio decides, by the first interval.
absl::StatusOr<stats::Decision> DecisionOf(const BenchmarkPairs& benchmark,
                                           const std::vector<stats::RunPairs>& total_runs,
                                           const stats::Reservations& reservations,
                                           const Options& options) {
  absl::StatusOr<std::vector<stats::RunValue>> values =
      RunValuesOf(benchmark, total_runs, options.estimator);
  if (!values.ok()) return values.status();
  const bool may_choose = options.kinds.empty() && !options.winsorize &&
                          options.estimator == stats::Estimator::kTrimmed;
  ExperimentOptions decides;
  decides.level = options.level;
  decides.margin = options.margin;
  decides.estimand = may_choose ? stats::Estimand::kAuto : stats::Estimand::kTypical;
  return stats::Decide({reservations, *std::move(values)}, decides);
}

// `values` are those of the runs that are independent.
void AddIntervals(const BenchmarkPairs& benchmark, const std::vector<int>& machine,
                  const std::vector<double>& values, const Options& options,
                  const absl::StatusOr<stats::Decision>& decision, BenchmarkResult* result) {
  for (stats::IntervalKind kind :
       options.kinds.empty() ? std::vector{stats::IntervalKind::kRobust} : options.kinds) {
    const bool is_of_decision = options.kinds.empty() ||
                                (kind == stats::IntervalKind::kRobust && benchmark.runs.size() > 1);
    const stats::IntervalOptions wanted{kind, options.level, options.resampling};
    absl::StatusOr<stats::RatioInterval> interval;
    if (!is_of_decision) {
      interval = kind == stats::IntervalKind::kHierarchical
                     ? stats::HierarchicalInterval(benchmark.runs, wanted, machine)
                     : stats::IntervalOfRuns(values, wanted);
    } else if (decision.ok()) {
      interval = decision->typical;
      kind = stats::IntervalKind::kRobust;
    } else {
      interval = decision.status();
    }
    IntervalResult& added =
        result->intervals.emplace_back(IntervalResult{kind, std::move(interval)});
    if (!added.interval.ok()) continue;
    added.verdict = stats::Decide(*added.interval, options.margin);
    const std::size_t groups = CountOf(machine);
    const std::size_t independent = kind != stats::IntervalKind::kHierarchical ? values.size()
                                    : groups > 1                               ? groups
                                                 : benchmark.runs.size();
    added.warning = stats::NarrownessWarning(kind, independent);
  }
  const absl::Status& first = result->intervals.front().interval.status();
  if (!first.ok()) result->error = absl::StrCat("no interval: ", first.message());
}

void AddDecision(const stats::Reservations& reservations, const Options& options,
                 absl::StatusOr<stats::Decision> decision, BenchmarkResult* result) {
  if (decision.ok()) result->decision = *std::move(decision);
  if (decision.ok() && options.kinds.empty()) return;
  static_cast<stats::Reservations&>(result->decision) = reservations;
  result->decision.margin = options.margin;
  result->decision.interval = result->intervals.front().interval.value_or(stats::RatioInterval{});
  stats::JudgeVerdict(&result->decision);
}

// Those that the pairs show. That a variant has lost its work, or that the variants disturb each
// other, only the program knows.
stats::Reservations ReservationsOf(const BenchmarkPairs& benchmark, bool is_biased, double margin) {
  stats::Reservations reservations;
  reservations.is_biased = is_biased;
  for (const RunOrigin& origin : benchmark.origins) {
    reservations.position_error = std::max(reservations.position_error, origin.position_error);
  }
  // Machines differ by themselves, and speeds that follow the position are those of the input.
  if (Distinct(benchmark.origins, &RunOrigin::machine).empty() &&
      !(reservations.position_error > 0)) {
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

// The rule of the duet paper, by the paper's interval whatever the options ask for.
absl::StatusOr<stats::RuleDecision> PaperRule(const std::vector<stats::RunPairs>& runs,
                                              std::uint64_t seed) {
  const absl::StatusOr<stats::RatioInterval> interval = stats::PaperInterval(runs, seed);
  if (!interval.ok()) return interval.status();
  return stats::DuetRule(*interval);
}

// Call it with the times as they were measured: winsorizing changes them to fit the ratios.
void AddRulesAndMeans(const std::vector<stats::RunPairs>& runs, const std::vector<int>& machine,
                      const Options& options, BenchmarkResult* result) {
  if (options.rules.empty() && !options.difference_of_means) return;
  stats::Sample old_times = stats::SampleOf(runs, &stats::Pair::old_time);
  stats::Sample new_times = stats::SampleOf(runs, &stats::Pair::new_time);
  old_times.machine = new_times.machine = machine;
  if (options.difference_of_means) {
    result->means = stats::DifferenceOfMeans(old_times, new_times, options.level,
                                             options.resampling, options.winsorize);
  }
  std::vector<stats::Rule> unpaired = options.rules;
  const auto duet = std::remove(unpaired.begin(), unpaired.end(), stats::Rule::kDuet);
  if (duet != unpaired.end()) {
    unpaired.erase(duet, unpaired.end());
    result->rules.push_back({stats::Rule::kDuet, PaperRule(runs, options.resampling.seed)});
  }
  AppliedRules applied = ApplyRules(unpaired, old_times, new_times, options);
  for (AppliedRule& rule : applied.rules) result->rules.push_back(std::move(rule));
  for (std::string& notice : applied.notices) result->notices.push_back(std::move(notice));
}

// Sentences about the pairs and runs that were left out or kept, and what they limit.
void AddNotices(const BenchmarkPairs& benchmark, const SelectedPairs& selected,
                const Options& options, std::uint64_t empty_runs, BenchmarkResult* result) {
  const auto note = [&](auto... parts) { result->notices.push_back(absl::StrCat(parts...)); };
  if (benchmark.cpu_time) note("the ratio is that of CPU times");
  if (options.keep_disturbed && selected.uses_disturbed) {
    note(selected.disturbed, " disturbed pairs were kept, as the paper's procedure does: a thread ",
         "that took the CPU of one variant counts as the variant's time");
  } else if (selected.uses_disturbed) {
    note(absl::StrFormat("%.0f %% of the pairs were disturbed by other threads",
                         100 * selected.disturbed_share),
         selected.is_biased ? " for an unknown time, so there is no verdict"
                            : "; they are kept, with their CPU times, and the interval is wide");
  }
  const stats::Decision& decision = result->decision;
  if (decision.why == stats::Why::kTwoSpeeds) {
    note(decision.two_speeds->variant == 0 ? "old" : "new",
         absl::StrFormat(" runs at two speeds, so there is no verdict: the ratio is %.3g x at one "
                         "and %.3g x at the other",
                         decision.two_speeds->ratio[0], decision.two_speeds->ratio[1]));
  } else if (decision.why == stats::Why::kPauses) {
    note("the pauses of ", decision.pause_share[0] > 0 ? "old" : "new",
         " take longer than its work, so there is no verdict");
  } else if (decision.why == stats::Why::kPartOfInput) {
    note("the ratio depends on the input, of which the runs see a part, so there is no verdict");
  }
  if (selected.uses_one_sided) {
    note("in ", selected.one_sided_runs, " of ", benchmark.runs.size(),
         " runs every pair with one CPU assignment (or order) was disturbed, so the ratio may ",
         "contain a difference between the CPUs");
  }
  if (empty_runs > 0) note(empty_runs, " runs without an undisturbed pair are left out");
  const bool only_hierarchical = std::all_of(
      result->intervals.begin(), result->intervals.end(), [](const IntervalResult& interval) {
        return interval.kind == stats::IntervalKind::kHierarchical;
      });
  if (result->machines > 1 && !only_hierarchical) {
    note("the runs are from ", result->machines,
         " machines, which only --ci=hier takes into account");
  }
}

}  // namespace

stats::Estimator EstimatorOf(stats::IntervalKind kind, const Options& options) {
  return kind == stats::IntervalKind::kHierarchical ? stats::Estimator::kGeomean
                                                    : options.estimator;
}

BenchmarkResult Analyze(BenchmarkPairs benchmark, const Options& options) {
  BenchmarkResult result;
  result.name = benchmark.name;
  result.is_x_over_y = benchmark.is_x_over_y;
  result.interleaved = benchmark.interleaved;
  SelectedPairs selected = SelectPairs(benchmark, options.keep_disturbed);
  result.dropped = selected.dropped;
  result.uses_disturbed = selected.uses_disturbed;
  std::vector<stats::RunPairs> total_runs;
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    if (!benchmark.runs[r].empty()) total_runs.push_back(std::move(selected.total_runs[r]));
  }
  const std::uint64_t empty_runs = DropEmptyRuns(benchmark);
  std::vector<stats::RunPairs>& runs = benchmark.runs;
  if (runs.empty()) {
    result.error = absl::StrCat("no pair can be used: all ", selected.dropped,
                                " were disturbed or took no measurable time");
    return result;
  }
  absl::StatusOr<std::vector<std::string>> subset =
      TakeSubset(options.subset, options.resampling.seed, benchmark);
  if (!subset.ok()) {
    result.error = std::string(subset.status().message());
    return result;
  }
  result.notices = *std::move(subset);
  result.runs = runs.size();
  for (const stats::RunPairs& run : runs) result.pairs += run.size();
  if (result.pairs != selected.pairs) total_runs.assign(runs.size(), {});  // it is of a part only
  // Options that change the pairs of the typical ratio leave those of the ratio of totals.
  if (options.shuffle || options.winsorize) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (total_runs[r].empty()) total_runs[r] = runs[r];
    }
  }
  const std::vector<int> layouts = Distinct(benchmark.origins, &RunOrigin::layout);
  std::vector<int> machine = Distinct(benchmark.origins, &RunOrigin::machine);
  result.layouts = CountOf(layouts);
  result.machines = CountOf(machine);
  // Runs of a layout are not independent, as those of a machine are not.
  if (machine.empty()) machine = layouts;
  if (options.shuffle) ShufflePairs(options.resampling.seed, runs);
  AddRulesAndMeans(runs, machine, options, &result);
  if (options.winsorize) {
    for (stats::RunPairs& run : runs) run = WinsorizeRatios(std::move(run));
  }
  absl::StatusOr<std::vector<double>> values = stats::RunLogRatios(runs, options.estimator);
  if (!values.ok()) {
    result.error = std::string(values.status().message());
    return result;
  }
  result.run_log_ratios = *values;
  if (!layouts.empty()) {
    values = stats::UnitMeans(*values, stats::IndependentUnits(*values, layouts));
  }
  const stats::Reservations reservations =
      ReservationsOf(benchmark, selected.is_biased, options.margin);
  absl::StatusOr<stats::Decision> decision =
      DecisionOf(benchmark, total_runs, reservations, options);
  AddIntervals(benchmark, machine, *values, options, decision, &result);
  AddDecision(reservations, options, std::move(decision), &result);
  const absl::StatusOr<stats::RatioInterval>& typical = result.intervals.front().interval;
  if (typical.ok() && result.decision.total.has_value()) {
    std::string finding = TotalFinding(*typical, *result.decision.total);
    if (!finding.empty()) result.sentences.push_back(std::move(finding));
  }
  stats::Planning costs;
  costs.run_cost_s = options.run_cost_s;
  costs.pair_cost_s = benchmark.measured_ns / static_cast<double>(benchmark.timed_pairs) * 1e-9;
  result.planning = stats::Plan(runs, result.run_log_ratios, options.level, std::move(costs));
  AddNotices(benchmark, selected, options, empty_runs, &result);
  return result;
}

}  // namespace duetbench::duet_stat
