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

namespace duetbench {
namespace {

constexpr double kTrim = 0.1;

bool HasTimes(const PairRecord& pair) { return (pair.flags & kNoTime) == 0; }
bool HasCpuTimes(const PairRecord& pair) { return pair.cpu_ns[0] > 0 && pair.cpu_ns[1] > 0; }
bool IsDisturbed(const PairRecord& pair) {
  return (pair.flags & (kOldPreempted | kNewPreempted | kOldMigrated | kNewMigrated)) != 0;
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

// By state.SetBytesProcessed; 0 where a variant did not call it.
double BytesPerIteration(const Measured& measured, int variant) {
  for (const CounterValue& counter : measured.variants[variant].counters) {
    if (counter.name == "bytes_per_second") return counter.value * measured.time_ns[variant] * 1e-9;
  }
  return 0;
}

void AddNotice(Notice notice, std::vector<Notice>* notices) {
  if (std::find(notices->begin(), notices->end(), notice) != notices->end()) return;
  notices->push_back(std::move(notice));
}

void AddNotices(const SelectedPairs& selected, const std::vector<RunResult>& results,
                const ExperimentOptions& options, std::vector<Notice>* notices) {
  using Kind = Notice::Kind;
  if (selected.untimed > 0) {
    AddNotice({options.manual_time ? Kind::kNoManualTime : Kind::kNoMeasurableTime, {}, ""},
              notices);
  }
  if (selected.kept_disturbed) {
    AddNotice({Kind::kDisturbedPairsKept, {selected.disturbed_share, 0}, ""}, notices);
  }
  for (const RunResult& result : results) {
    if (!result.notice.empty()) AddNotice({Kind::kRunDegraded, {}, result.notice}, notices);
  }
}

stats::PairSelection RuleFor(absl::Span<const RunResult> results) {
  std::vector<stats::PairCounts> counts;
  for (const RunResult& result : results) {
    stats::PairCounts& run = counts.emplace_back();
    for (const PairRecord& pair : result.pairs) {
      if (!HasTimes(pair) || IsAlone(pair)) continue;
      ++run.timed;
      if (IsDisturbed(pair)) ++run.disturbed;
    }
  }
  return stats::PairSelection(counts);
}

Failure FailureOf(std::string cause) {
  Failure failure;
  failure.error.cause = std::move(cause);
  return failure;
}

}  // namespace

SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick) {
  const stats::PairSelection rule = RuleFor(results);
  const bool cpu_time = UsesCpuTime(options);
  SelectedPairs selected;
  selected.kept_disturbed = rule.uses_disturbed();
  selected.disturbed_share = rule.disturbed_share();
  for (const RunResult& result : results) {
    stats::RunPairs run;
    std::vector<double> times[2];
    std::vector<double> cpu_times[2];
    for (const PairRecord& pair : result.pairs) {
      if (IsAlone(pair)) continue;
      if (!HasTimes(pair)) ++selected.untimed;
      if (!rule.Uses(HasTimes(pair), IsDisturbed(pair)) || (cpu_time && !HasCpuTimes(pair))) {
        ++selected.dropped;
        continue;
      }
      for (int variant = 0; variant < 2; ++variant) {
        const auto iterations = static_cast<double>(pair.iterations[variant]);
        times[variant].push_back(pair.ticks[variant] * ns_per_tick / iterations);
        cpu_times[variant].push_back(pair.cpu_ns[variant] / iterations);
        selected.iterations[variant] += pair.iterations[variant];
      }
      const std::vector<double>* const compared = cpu_time ? cpu_times : times;
      run.push_back({compared[0].back(), compared[1].back(), static_cast<int>(pair.assignment)});
      selected.skews_ns.push_back(std::abs(pair.skew_ticks) * ns_per_tick);
      selected.overlaps.push_back(pair.overlap);
    }
    if (run.empty()) continue;
    const absl::StatusOr<double> log_ratio = stats::RunLogRatio(run, stats::Estimator::kTrimmed);
    if (!log_ratio.ok()) continue;
    selected.run_log_ratios.push_back(*log_ratio);
    for (int variant = 0; variant < 2; ++variant) {
      selected.run_times_ns[variant].push_back(
          stats::TrimmedMean(std::move(times[variant]), kTrim));
      selected.run_cpu_ns[variant].push_back(
          stats::TrimmedMean(std::move(cpu_times[variant]), kTrim));
    }
    selected.pairs += run.size();
    selected.runs.push_back(std::move(run));
  }
  return selected;
}

absl::StatusOr<stats::RatioInterval> RatioIntervalOf(const SelectedPairs& selected, double level,
                                                     double share) {
  if (selected.runs.size() == 1) {
    return stats::EwcInterval(selected.runs[0], stats::Estimator::kTrimmed, level);
  }
  return stats::AnalysisInterval(selected.run_log_ratios, level, share);
}

ExperimentResult Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                           double ns_per_tick, double share) {
  ExperimentResult result;
  result.results = std::move(results);
  result.cpu_time = UsesCpuTime(options);
  SelectedPairs selected = SelectPairs(result.results, options, ns_per_tick);
  AddNotices(selected, result.results, options, &result.notices);
  if (selected.runs.empty()) {
    result.outcome = FailureOf(
        "no pair could be used: in every pair a variant was preempted or took no measurable time; "
        "measure longer (--benchmark_min_time)");
    return result;
  }
  absl::StatusOr<stats::RatioInterval> interval = RatioIntervalOf(selected, options.level, share);
  if (!interval.ok()) {
    result.outcome = FailureOf(absl::StrCat("there is no interval of the ratio: ",
                                            std::string(interval.status().message())));
    return result;
  }

  Estimate estimate;
  estimate.schedule = options.schedule;
  estimate.batch = result.results.back().batch;
  estimate.runs = static_cast<int>(selected.runs.size());
  estimate.pairs = selected.pairs;
  for (int variant = 0; variant < 2; ++variant) {
    estimate.time_ns[variant] = stats::Mean(selected.run_times_ns[variant]);
    estimate.cpu_ns[variant] = stats::Mean(selected.run_cpu_ns[variant]);
    estimate.iterations[variant] = selected.iterations[variant];
  }
  SetReports(result.results, &estimate);
  const double bytes_per_iteration[2] = {BytesPerIteration(estimate, 0),
                                         BytesPerIteration(estimate, 1)};
  estimate.counters =
      SummarizeCounters(result.results, options.events, options.level, bytes_per_iteration);
  if (estimate.counters.clock_rates_differ.has_value()) {
    AddNotice(*estimate.counters.clock_rates_differ, &result.notices);
  }

  estimate.interval = *std::move(interval);
  estimate.verdict = stats::Decide(estimate.interval, options.margin);
  estimate.margin = options.margin;
  estimate.cpu_time = UsesCpuTime(options);
  estimate.this_process_only = options.runs == 1;
  estimate.dropped = selected.dropped;
  estimate.kept_disturbed = selected.kept_disturbed;
  estimate.skew_p50_ns = Percentile(selected.skews_ns, 0.50);
  estimate.skew_p99_ns = Percentile(selected.skews_ns, 0.99);
  estimate.overlap_p50 = Percentile(selected.overlaps, 0.50);
  estimate.run_log_ratios = std::move(selected.run_log_ratios);
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
  dry_run.schedule = options.schedule;
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
    pooled.run_log_ratios.insert(pooled.run_log_ratios.end(), repetition->run_log_ratios.begin(),
                                 repetition->run_log_ratios.end());
  }
  absl::StatusOr<stats::RatioInterval> interval =
      stats::TInterval(pooled.run_log_ratios, repetitions[0]->interval.level);
  if (!interval.ok()) return std::nullopt;
  pooled.interval = *std::move(interval);
  pooled.verdict = stats::Decide(pooled.interval, pooled.margin);
  return pooled;
}

}  // namespace duetbench
