#include "duetbench/experiment/summarize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/interim_analysis.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pair_selection.h"
#include "duetbench/stats/robust.h"
#include "duetbench/variant/empty_loop.h"

namespace duetbench {
namespace {

bool HasTimes(const PairRecord& pair) { return (pair.flags & kNoTime) == 0; }
bool HasCpuTimes(const PairRecord& pair) { return pair.cpu_ns[0] > 0 && pair.cpu_ns[1] > 0; }
bool IsDisturbed(const PairRecord& pair) { return (pair.flags & kDisturbed) != 0; }
bool IsCorrected(const PairRecord& pair) {
  return IsDisturbed(pair) && (pair.flags & kOnCpuTime) != 0;
}
bool IsAlone(const PairRecord& pair) { return (pair.flags & kAlone) != 0; }
bool UsesCpuTime(const ExperimentOptions& options) {
  return options.cpu_time && !options.manual_time;
}

double Percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<size_t>(rank)];
}

// Mean of each counter over the runs that set it to a finite value.
std::vector<CounterValue> MeanCounters(const std::vector<RunResult>& results, int variant) {
  std::map<std::string, std::pair<CounterValue, int>> sums;
  for (const RunResult& result : results) {
    for (const CounterValue& counter : result.variants[variant].counters) {
      if (!std::isfinite(counter.value)) continue;
      auto [it, is_new] = sums.try_emplace(counter.name, counter, 1);
      if (is_new) continue;
      it->second.first.value += counter.value;
      ++it->second.second;
    }
  }
  std::vector<CounterValue> means;
  for (auto& [name, sum] : sums) {
    sum.first.value /= sum.second;
    means.push_back(sum.first);
  }
  return means;
}

// Label and complexity of the last run.
void SetReports(const std::vector<RunResult>& results, Measured* measured) {
  for (int variant = 0; variant < 2; ++variant) {
    measured->variants[variant] = results.back().variants[variant];
    measured->variants[variant].counters = MeanCounters(results, variant);
  }
}

// Mean over the runs that know it, of an iteration; 0 if none does.
double WorkPerIteration(const std::vector<RunResult>& results, int variant,
                        double VariantReport::*work) {
  double sum = 0;
  int known = 0;
  for (const RunResult& result : results) {
    const double of_run = result.variants[variant].*work;
    if (!(of_run > 0)) continue;
    sum += of_run;
    ++known;
  }
  return known > 0 ? sum / known : 0;
}

void AddNotice(Notice notice, std::vector<Notice>* notices) {
  if (std::find(notices->begin(), notices->end(), notice) != notices->end()) return;
  notices->push_back(std::move(notice));
}

// What happened in a few runs of many does not change the result.
void AddRunNotices(const std::vector<RunResult>& results, std::vector<Notice>* notices) {
  constexpr double kNotableShare = 0.25;
  const auto runs = static_cast<double>(results.size());
  for (const RunResult& result : results) {
    if (result.notice.empty()) continue;
    const auto degraded = static_cast<double>(
        std::count_if(results.begin(), results.end(),
                      [&](const RunResult& other) { return other.notice == result.notice; }));
    if (degraded < kNotableShare * runs) continue;
    AddNotice({Notice::Kind::kRunDegraded, {degraded, runs}, result.notice}, notices);
  }
}

// The variants say themselves what an iteration does. Where one of new does other work than one of
// old, the ratio of their times is not what it seems.
void AddWorkNotices(const std::vector<RunResult>& results, std::vector<Notice>* notices) {
  constexpr double kNotableDifference = 0.01;
  const struct {
    const char* unit;
    double VariantReport::*work;
  } kWork[] = {{"items", &VariantReport::items}, {"bytes", &VariantReport::bytes}};
  for (const auto& [unit, work] : kWork) {
    const double old_work = WorkPerIteration(results, 0, work);
    const double new_work = WorkPerIteration(results, 1, work);
    if (!(old_work > 0) || !(new_work > 0)) continue;
    if (std::abs(std::log(new_work / old_work)) < kNotableDifference) continue;
    AddNotice({Notice::Kind::kWorkDiffers, {old_work, new_work}, unit}, notices);
  }
}

void AddNotices(const SelectedPairs& selected, const std::vector<RunResult>& results,
                const ExperimentOptions& options, std::vector<Notice>* notices) {
  using Kind = Notice::Kind;
  if (selected.untimed > 0) {
    AddNotice({options.manual_time ? Kind::kNoManualTime : Kind::kNoMeasurableTime, {}, ""},
              notices);
  }
  if (selected.kept_disturbed) {
    AddNotice({selected.is_biased ? Kind::kBiasedPairsKept : Kind::kDisturbedPairsKept,
               {selected.disturbed_share, 0},
               ""},
              notices);
  }
  for (int variant = 0; variant < 2; ++variant) {
    if (!selected.lacks_work[variant]) continue;
    AddNotice({Kind::kLacksWork, {static_cast<double>(variant), options.empty_ns[variant]}, ""},
              notices);
  }
  AddRunNotices(results, notices);
  AddWorkNotices(results, notices);
}

// CPU times are known of all pairs.
stats::PairSelection RuleFor(absl::Span<const RunResult> results, bool cpu_time) {
  std::vector<stats::PairCounts> counts;
  for (const RunResult& result : results) {
    stats::PairCounts& run = counts.emplace_back();
    for (const PairRecord& pair : result.pairs) {
      if (!HasTimes(pair) || IsAlone(pair)) continue;
      ++run.timed;
      if (IsDisturbed(pair)) ++run.disturbed;
      if (IsDisturbed(pair) && (cpu_time || IsCorrected(pair))) ++run.corrected;
    }
  }
  return stats::PairSelection(counts);
}

// Means per iteration, both assignments with equal weight.
class MeanTimes {
 public:
  void Add(int variant, uint32_t assignment, double time) {
    sums_[variant][assignment] += time;
    counts_[variant][assignment] += 1;
  }

  double Of(int variant) const {
    double mean = 0;
    int present = 0;
    for (int a = 0; a < 2; ++a) {
      if (counts_[variant][a] == 0) continue;
      mean += sums_[variant][a] / counts_[variant][a];
      ++present;
    }
    return present > 0 ? mean / present : 0;
  }

 private:
  double sums_[2][2] = {};
  double counts_[2][2] = {};
};

// Splits the product of both times so that their quotient is `ratio`: the clock that the ratio is
// of; the other clock follows.
void ScaleToRatio(double ratio, bool cpu_time, Measured* measured) {
  const double* const times = cpu_time ? measured->cpu_ns : measured->time_ns;
  if (!(times[0] > 0) || !(times[1] > 0) || !(ratio > 0) || !std::isfinite(ratio)) return;
  const double factor = std::sqrt(ratio / (times[1] / times[0]));
  for (double* const clock : {measured->time_ns, measured->cpu_ns}) {
    clock[0] /= factor;
    clock[1] *= factor;
  }
}

// The pairs of all runs of a layout, in the order of the layouts.
std::vector<stats::RunPairs> PairsByLayout(const std::vector<stats::RunPairs>& runs,
                                           const std::vector<int>& layouts) {
  std::map<int, stats::RunPairs> by_layout;
  for (size_t run = 0; run < runs.size(); ++run) {
    stats::RunPairs& pairs = by_layout[layouts[run]];
    pairs.insert(pairs.end(), runs[run].begin(), runs[run].end());
  }
  std::vector<stats::RunPairs> pairs;
  for (auto& [layout, of_layout] : by_layout) pairs.push_back(std::move(of_layout));
  return pairs;
}

// From a value for each run to one for each layout, if there are several.
void GroupByLayout(const std::vector<int>& layouts, SelectedPairs* selected) {
  const bool several = std::any_of(layouts.begin(), layouts.end(),
                                   [&](int layout) { return layout != layouts.front(); });
  if (!several) return;
  selected->layouts = stats::ComputeLayoutSpread(selected->run_log_ratios, layouts);
  selected->run_log_ratios = stats::LayoutMeans(selected->run_log_ratios, layouts);
  selected->total_runs = PairsByLayout(selected->total_runs, layouts);
}

// Whether code that is the same might differ as much in programs with one layout.
bool MaybeLayout(const Estimate& estimate, const ExperimentOptions& options) {
  const bool differs =
      estimate.verdict == stats::Verdict::kFaster || estimate.verdict == stats::Verdict::kSlower;
  return differs && !estimate.layouts.has_value() && options.self < 0 &&
         std::abs(std::log(estimate.interval.ratio)) <= std::log1p(options.layout_noise);
}

// `values` are those of the layouts in the first repetition, then in the second one, and so on.
std::vector<double> MeansOfRepetitions(const std::vector<double>& values, double repetitions) {
  const size_t layouts = values.size() / static_cast<size_t>(repetitions);
  std::vector<double> means(layouts, 0);
  for (size_t i = 0; i < values.size(); ++i) means[i % layouts] += values[i] / repetitions;
  return means;
}

Failure FailureOf(std::string cause) {
  Failure failure;
  failure.error.cause = std::move(cause);
  return failure;
}

}  // namespace

SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick) {
  const bool cpu_time = UsesCpuTime(options);
  const stats::PairSelection rule = RuleFor(results, cpu_time);
  SelectedPairs selected;
  MeanTimes mean_times;
  MeanTimes mean_cpu_times;
  double timed = 0;
  std::vector<int> layouts;  // of the runs
  selected.kept_disturbed = rule.uses_disturbed();
  selected.is_biased = rule.is_biased();
  selected.disturbed_share = rule.disturbed_share();
  for (const RunResult& result : results) {
    stats::RunPairs run;
    stats::RunPairs total_run;
    for (const PairRecord& pair : result.pairs) {
      if (IsAlone(pair)) continue;
      if (!HasTimes(pair)) ++selected.untimed;
      const stats::PairState state = {HasTimes(pair) && (!cpu_time || HasCpuTimes(pair)),
                                      IsDisturbed(pair), cpu_time || IsCorrected(pair)};
      if (state.timed) ++timed;
      double times[2];
      double cpu_times[2];
      for (int variant = 0; variant < 2; ++variant) {
        const auto iterations = static_cast<double>(pair.iterations[variant]);
        times[variant] = pair.ticks[variant] * ns_per_tick / iterations;
        cpu_times[variant] = pair.cpu_ns[variant] / iterations;
        if (state.timed) selected.sample_iterations[variant] += iterations;
      }
      const double* const compared = cpu_time ? cpu_times : times;
      const stats::Pair times_of_pair = {compared[0], compared[1],
                                         static_cast<int>(pair.assignment)};
      if (rule.UsesInTotal(state)) total_run.push_back(times_of_pair);
      if (!rule.Uses(state)) {
        ++selected.dropped;
        continue;
      }
      run.push_back(times_of_pair);
      for (int variant = 0; variant < 2; ++variant) {
        mean_times.Add(variant, pair.assignment, times[variant]);
        mean_cpu_times.Add(variant, pair.assignment, cpu_times[variant]);
        selected.iterations[variant] += pair.iterations[variant];
      }
      selected.skews_ns.push_back(std::abs(pair.skew_ticks) * ns_per_tick);
      selected.overlaps.push_back(pair.overlap);
    }
    if (run.empty()) continue;
    const absl::StatusOr<double> log_ratio = stats::RunLogRatio(run, stats::Estimator::kTrimmed);
    if (!log_ratio.ok()) continue;
    selected.run_log_ratios.push_back(*log_ratio);
    layouts.push_back(result.layout);
    selected.pairs += run.size();
    selected.runs.push_back(std::move(run));
    selected.total_runs.push_back(std::move(total_run));
  }
  for (int variant = 0; variant < 2; ++variant) {
    selected.time_ns[variant] = mean_times.Of(variant);
    selected.cpu_ns[variant] = mean_cpu_times.Of(variant);
    if (timed > 0) selected.sample_iterations[variant] /= timed;
    selected.lacks_work[variant] =
        !options.manual_time && LacksWork(selected.time_ns[variant], options.empty_ns[variant]);
  }
  GroupByLayout(layouts, &selected);
  return selected;
}

absl::StatusOr<Ratios> RatiosOf(const SelectedPairs& selected, const ExperimentOptions& options,
                                double share) {
  Ratios ratios;
  absl::StatusOr<stats::RatioInterval> typical =
      selected.runs.size() == 1
          ? stats::EwcInterval(selected.runs[0], stats::Estimator::kTrimmed, options.level)
          : stats::AnalysisInterval(selected.run_log_ratios, options.level, share);
  if (!typical.ok()) return typical.status();
  ratios.typical = *std::move(typical);
  stats::TotalInput input;
  input.runs = selected.total_runs;
  input.run_log_ratios = selected.run_log_ratios;
  for (int variant = 0; variant < 2; ++variant) {
    input.iterations[variant] = selected.sample_iterations[variant];
  }
  input.least = stats::LeastNotable(options.margin);
  absl::StatusOr<stats::TotalRatio> total = stats::ComputeTotalRatio(input, options.level, share);
  if (!total.ok()) return ratios;
  ratios.total = *std::move(total);
  ratios.total_decides = options.estimand == stats::Estimand::kTotal ||
                         (options.estimand == stats::Estimand::kAuto && ratios.total->differs);
  return ratios;
}

ExperimentResult Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                           double ns_per_tick, double share) {
  ExperimentResult result;
  result.results = std::move(results);
  result.cpu_time = UsesCpuTime(options);
  SelectedPairs selected = SelectPairs(result.results, options, ns_per_tick);
  AddNotices(selected, result.results, options, &result.notices);
  if (selected.runs.empty()) {
    const bool no_times = selected.untimed == selected.dropped && options.manual_time;
    result.outcome = FailureOf(
        no_times ? "no pair has a time: call state.SetIterationTime(seconds) in every iteration"
                 : "no pair could be used: in every pair a variant was preempted or took no "
                   "measurable time; "
                   "measure longer (--benchmark_min_time)");
    return result;
  }
  absl::StatusOr<Ratios> ratios = RatiosOf(selected, options, share);
  if (!ratios.ok()) {
    result.outcome = FailureOf(absl::StrCat("there is no interval of the ratio: ",
                                            std::string(ratios.status().message())));
    return result;
  }

  Estimate estimate;
  estimate.schedule = options.schedule.value_or(Schedule::kDuet);
  estimate.batch = result.results.back().batch;
  estimate.runs = static_cast<int>(selected.runs.size());
  estimate.pairs = selected.pairs;
  for (int variant = 0; variant < 2; ++variant) {
    estimate.time_ns[variant] = selected.time_ns[variant];
    estimate.cpu_ns[variant] = selected.cpu_ns[variant];
    estimate.iterations[variant] = selected.iterations[variant];
  }
  ScaleToRatio(ratios->deciding().ratio, UsesCpuTime(options), &estimate);
  SetReports(result.results, &estimate);
  const double bytes_per_iteration[2] = {
      WorkPerIteration(result.results, 0, &VariantReport::bytes),
      WorkPerIteration(result.results, 1, &VariantReport::bytes)};
  estimate.counters =
      SummarizeCounters(result.results, options.events, options.level, bytes_per_iteration);
  if (estimate.counters.clock_rates_differ.has_value()) {
    AddNotice(*estimate.counters.clock_rates_differ, &result.notices);
  }

  estimate.interval = ratios->deciding();
  estimate.is_biased = selected.is_biased;
  estimate.layouts = selected.layouts;
  std::copy_n(selected.lacks_work, 2, estimate.lacks_work);
  estimate.verdict = estimate.is_withheld() ? stats::Verdict::kInconclusive
                                            : stats::Decide(estimate.interval, options.margin);
  if (MaybeLayout(estimate, options)) {
    AddNotice({Notice::Kind::kMaybeLayout, {estimate.interval.ratio, options.layout_noise}, ""},
              &result.notices);
  }
  estimate.typical = ratios->typical;
  estimate.total_decides = ratios->total_decides;
  estimate.total = std::move(ratios->total);
  estimate.margin = options.margin;
  estimate.cpu_time = UsesCpuTime(options);
  estimate.this_process_only = options.runs == 1;
  estimate.dropped = selected.dropped;
  estimate.kept_disturbed = selected.kept_disturbed;
  estimate.skew_p50_ns = Percentile(selected.skews_ns, 0.50);
  estimate.skew_p99_ns = Percentile(selected.skews_ns, 0.99);
  estimate.overlap_p50 = Percentile(selected.overlaps, 0.50);
  estimate.run_log_ratios = estimate.total_decides && selected.runs.size() > 1
                                ? estimate.total->run_values
                                : std::move(selected.run_log_ratios);
  estimate.run_pairs = std::move(selected.runs);
  absl::StatusOr<stats::Diagnosis> diagnosis = stats::Diagnose(estimate.run_pairs, options.seed);
  if (diagnosis.ok()) estimate.diagnosis = *std::move(diagnosis);
  result.outcome = std::move(estimate);
  return result;
}

ExperimentResult SummarizeDryRun(RunResult run, const ExperimentOptions& options,
                                 double ns_per_tick) {
  ExperimentResult result;
  DryRun dry_run;
  dry_run.runs = 1;
  dry_run.schedule = options.schedule.value_or(Schedule::kDuet);
  dry_run.batch = run.batch;
  for (const PairRecord& pair : run.pairs) {
    ++dry_run.pairs;
    for (int variant = 0; variant < 2; ++variant) {
      const auto iterations = static_cast<double>(pair.iterations[variant]);
      dry_run.time_ns[variant] = pair.ticks[variant] * ns_per_tick / iterations;
      dry_run.cpu_ns[variant] = pair.cpu_ns[variant] / iterations;
      dry_run.iterations[variant] += pair.iterations[variant];
    }
  }
  if (!run.notice.empty()) {
    AddNotice({Notice::Kind::kRunDegraded, {}, run.notice}, &result.notices);
  }
  result.results.push_back(std::move(run));
  SetReports(result.results, &dry_run);
  result.outcome = std::move(dry_run);
  return result;
}

std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions) {
  if (repetitions.empty()) return std::nullopt;
  Estimate pooled;
  // The layouts are the same in all repetitions: so are their effects.
  const bool by_layout =
      std::all_of(repetitions.begin(), repetitions.end(), [&](const Estimate* repetition) {
        return repetition->layouts.has_value() &&
               repetition->run_log_ratios.size() == repetitions[0]->run_log_ratios.size();
      });
  std::vector<double> total_values;
  bool has_total = true;  // by runs
  const auto count = static_cast<double>(repetitions.size());
  for (const Estimate* repetition : repetitions) {
    pooled.schedule = repetition->schedule;
    pooled.margin = repetition->margin;
    pooled.cpu_time = repetition->cpu_time;
    pooled.batch = repetition->batch;
    pooled.runs += repetition->runs;
    pooled.runs_planned += repetition->runs_planned;
    pooled.interrupted |= repetition->interrupted;
    pooled.this_process_only |= repetition->this_process_only;
    pooled.kept_disturbed |= repetition->kept_disturbed;
    pooled.is_biased |= repetition->is_biased;
    for (int v = 0; v < 2; ++v) pooled.lacks_work[v] |= repetition->lacks_work[v];
    pooled.pairs += repetition->pairs;
    pooled.dropped += repetition->dropped;
    for (int variant = 0; variant < 2; ++variant) {
      pooled.time_ns[variant] += repetition->time_ns[variant] / count;
      pooled.cpu_ns[variant] += repetition->cpu_ns[variant] / count;
      pooled.iterations[variant] += repetition->iterations[variant];
    }
    pooled.skew_p50_ns += repetition->skew_p50_ns / count;
    pooled.skew_p99_ns = std::max(pooled.skew_p99_ns, repetition->skew_p99_ns);
    pooled.overlap_p50 += repetition->overlap_p50 / count;
    pooled.total_decides |= repetition->total_decides;
    pooled.run_log_ratios.insert(pooled.run_log_ratios.end(), repetition->run_log_ratios.begin(),
                                 repetition->run_log_ratios.end());
    has_total = has_total && repetition->total.has_value() &&
                repetition->total->run_values.size() == repetition->run_log_ratios.size();
    if (!has_total) continue;
    total_values.insert(total_values.end(), repetition->total->run_values.begin(),
                        repetition->total->run_values.end());
  }
  // Where the totals decide in one repetition they do for all.
  pooled.total_decides = pooled.total_decides && has_total;
  if (pooled.total_decides) pooled.run_log_ratios = std::move(total_values);
  if (by_layout) pooled.run_log_ratios = MeansOfRepetitions(pooled.run_log_ratios, count);
  absl::StatusOr<stats::RatioInterval> interval =
      stats::TInterval(pooled.run_log_ratios, repetitions[0]->interval.level);
  if (!interval.ok()) return std::nullopt;
  pooled.interval = *std::move(interval);
  pooled.verdict = pooled.is_withheld() ? stats::Verdict::kInconclusive
                                        : stats::Decide(pooled.interval, pooled.margin);
  return pooled;
}

}  // namespace duetbench
