#include "duetbench/runner/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/stats/diagnosis_words.h"
#include "duetbench/stats/ewc_interval.h"
#include "duetbench/stats/looks.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr double kTrim = 0.1;
// When more than this part of the pairs was preempted, what is left is no fair sample (slow
// operations are preempted in every pair, and the pairs that were not are the short ones).
constexpr double kMostDropped = 0.5;

bool HasTimes(const PairRecord& pair) { return (pair.flags & kNoTime) == 0; }
bool HasCpuTimes(const PairRecord& pair) { return pair.cpu_ns[0] > 0 && pair.cpu_ns[1] > 0; }
bool IsDisturbed(const PairRecord& pair) { return (pair.flags & ~uint32_t{kNoTime}) != 0; }

double Percentile(std::vector<double>& values, double p) {
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

void AddNotice(Comparison& comparison, const std::string& notice) {
  auto& notices = comparison.notices;
  if (notice.empty() || std::find(notices.begin(), notices.end(), notice) != notices.end()) return;
  notices.push_back(notice);
}

absl::StatusOr<stats::RatioInterval> SingleRunInterval(const Comparison& comparison, double level) {
  return stats::EwcInterval(comparison.run_pairs[0], stats::Estimator::kTrimmed, level);
}

// The smallest alpha at which the interval of the only run is outside what is allowed, from above
// and within 2 %; not below 1e-6, which is more than such an interval can promise.
double SingleRunPValue(const Comparison& comparison, const GateDemand& demand) {
  double inside = 1e-6;
  double outside = 1;
  while (outside > 1.02 * inside) {
    const double alpha = std::sqrt(inside * outside);
    const absl::StatusOr<stats::RatioInterval> interval = SingleRunInterval(comparison, 1 - alpha);
    const bool fails = interval.ok() && Judge(demand, *interval) == stats::GateOutcome::kFail;
    (fails ? outside : inside) = alpha;
  }
  return outside;
}

GateResult JudgeGate(const GateDemand& demand, const Look& look, const Comparison& comparison) {
  GateResult gate;
  gate.demand = demand;
  gate.outcome = Judge(demand, comparison.interval);
  gate.looks = look.number;
  gate.share = look.share;
  gate.p = comparison.runs > 1
               ? stats::LookPValue(comparison.run_log_ratios, demand.lo(), demand.hi(), look.share)
               : SingleRunPValue(comparison, demand);
  // Where rounding says otherwise the interval counts.
  if (gate.outcome == stats::GateOutcome::kFail) {
    gate.p = std::min(gate.p, 1 - comparison.interval.level);
  }
  return gate;
}

void Explain(const ExperimentOptions& options, Comparison* comparison) {
  absl::StatusOr<stats::Diagnosis> diagnosis = stats::Diagnose(comparison->run_pairs, options.seed);
  if (!diagnosis.ok()) return;
  stats::ExplainOptions explain;
  explain.kind = comparison->interval.kind;
  explain.level = comparison->interval.level;
  explain.interleaved = comparison->schedule == Schedule::kInterleaved;
  comparison->explanations = stats::Explain(*diagnosis, explain);
  comparison->diagnosis = *std::move(diagnosis);
}

}  // namespace

Comparison Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                     double ns_per_tick, const Look& look) {
  Comparison comparison;
  comparison.results = std::move(results);
  comparison.schedule = options.schedule;
  comparison.margin = options.margin;
  comparison.cpu_time = options.cpu_time && !options.manual_time;

  uint64_t timed = 0;
  uint64_t untimed = 0;
  uint64_t disturbed = 0;
  int timed_runs = 0;
  int undisturbed_runs = 0;  // with pairs left if the disturbed ones are dropped
  for (const RunResult& result : comparison.results) {
    const uint64_t timed_before = timed;
    const uint64_t disturbed_before = disturbed;
    for (const PairRecord& pair : result.pairs) {
      if (!HasTimes(pair)) {
        ++untimed;
        continue;
      }
      ++timed;
      if (IsDisturbed(pair)) ++disturbed;
    }
    if (timed > timed_before) ++timed_runs;
    if (timed - timed_before > disturbed - disturbed_before) ++undisturbed_runs;
  }
  if (untimed > 0) {
    AddNotice(comparison,
              options.manual_time
                  ? "pairs without a time were dropped: call SetIterationTime in every operation"
                  : "pairs in which a side took no measurable time were dropped");
  }
  // An interval needs two runs, however many pairs one of them has.
  comparison.kept_disturbed =
      static_cast<double>(disturbed) > kMostDropped * static_cast<double>(timed) ||
      (timed_runs >= 2 && undisturbed_runs < 2);
  if (comparison.kept_disturbed) {
    AddNotice(comparison,
              absl::StrFormat("%.0f %% of the pairs were disturbed by other threads, so they were "
                              "kept; expect a wide interval",
                              100.0 * static_cast<double>(disturbed) / static_cast<double>(timed)));
  }

  std::vector<double> skews;
  std::vector<double> overlaps;
  double time_sum[2] = {0, 0};
  double cpu_sum[2] = {0, 0};
  for (const RunResult& result : comparison.results) {
    AddNotice(comparison, result.notice);
    comparison.batch = result.batch;
    stats::RunPairs run;
    std::vector<double> times[2];
    std::vector<double> cpu_times[2];
    for (const PairRecord& pair : result.pairs) {
      if (!HasTimes(pair) || (comparison.cpu_time && !HasCpuTimes(pair)) ||
          (IsDisturbed(pair) && !comparison.kept_disturbed)) {
        ++comparison.dropped;
        continue;
      }
      double per_operation[2];
      for (int variant = 0; variant < 2; ++variant) {
        const auto operations = static_cast<double>(pair.operations[variant]);
        per_operation[variant] = pair.ticks[variant] * ns_per_tick / operations;
        times[variant].push_back(per_operation[variant]);
        cpu_times[variant].push_back(pair.cpu_ns[variant] / operations);
        if (comparison.cpu_time) per_operation[variant] = cpu_times[variant].back();
        comparison.operations[variant] += pair.operations[variant];
      }
      run.push_back({per_operation[0], per_operation[1], static_cast<int>(pair.assignment)});
      skews.push_back(std::abs(pair.skew_ticks) * ns_per_tick);
      overlaps.push_back(pair.overlap);
    }
    if (run.empty()) continue;
    const absl::StatusOr<double> log_ratio = stats::RunLogRatio(run, stats::Estimator::kTrimmed);
    if (!log_ratio.ok()) continue;
    comparison.run_log_ratios.push_back(*log_ratio);
    for (int variant = 0; variant < 2; ++variant) {
      time_sum[variant] += stats::TrimmedMean(std::move(times[variant]), kTrim);
      cpu_sum[variant] += stats::TrimmedMean(std::move(cpu_times[variant]), kTrim);
    }
    comparison.pairs += run.size();
    comparison.run_pairs.push_back(std::move(run));
  }

  comparison.runs = static_cast<int>(comparison.run_pairs.size());
  for (int variant = 0; variant < 2; ++variant) {
    comparison.variants[variant].counters = MeanCounters(comparison.results, variant);
    if (!comparison.results.empty()) {
      const VariantReport& last = comparison.results.back().variants[variant];
      comparison.variants[variant].label = last.label;
      comparison.variants[variant].complexity_n = last.complexity_n;
    }
  }
  if (comparison.runs == 0) {
    comparison.error.cause =
        "no pair could be used: in every one a side was preempted or took no measurable time; "
        "measure longer (--benchmark_min_time)";
    return comparison;
  }
  for (int variant = 0; variant < 2; ++variant) {
    comparison.time_ns[variant] = time_sum[variant] / comparison.runs;
    comparison.cpu_ns[variant] = cpu_sum[variant] / comparison.runs;
  }
  double bytes_per_operation[2] = {0, 0};
  for (int variant = 0; variant < 2; ++variant) {
    for (const CounterValue& counter : comparison.variants[variant].counters) {
      if (counter.name != "bytes_per_second") continue;
      bytes_per_operation[variant] = counter.value * comparison.time_ns[variant] * 1e-9;
    }
  }
  comparison.counters =
      SummarizeCounters(comparison.results, options.events, options.level, bytes_per_operation);
  for (const std::string& notice : comparison.counters.notices) AddNotice(comparison, notice);
  comparison.skew_p50_ns = Percentile(skews, 0.50);
  comparison.skew_p99_ns = Percentile(skews, 0.99);
  comparison.overlap_p50 = Percentile(overlaps, 0.50);

  const absl::StatusOr<stats::RatioInterval> interval =
      comparison.runs == 1
          ? SingleRunInterval(comparison, options.level)
          : stats::LookInterval(comparison.run_log_ratios, options.level, look.share);
  comparison.this_process_only = options.runs == 1;
  if (interval.ok()) {
    comparison.interval = *interval;
    comparison.verdict = stats::Decide(*interval, options.margin);
    comparison.has_estimate = true;
    if (options.gate.exists()) comparison.gate = JudgeGate(options.gate, look, comparison);
    if (look.last) Explain(options, &comparison);
  } else {
    comparison.error.cause = absl::StrCat("there is no interval of the ratio: ",
                                          std::string(interval.status().message()));
  }
  return comparison;
}

Comparison PoolRepetitions(const std::vector<const Comparison*>& repetitions) {
  Comparison pooled;
  const auto count = static_cast<double>(repetitions.size());
  for (const Comparison* repetition : repetitions) {
    pooled.schedule = repetition->schedule;
    pooled.margin = repetition->margin;
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
      pooled.operations[variant] += repetition->operations[variant];
    }
    pooled.skew_p50_ns += repetition->skew_p50_ns / count;
    pooled.skew_p99_ns = std::max(pooled.skew_p99_ns, repetition->skew_p99_ns);
    pooled.overlap_p50 += repetition->overlap_p50 / count;
    pooled.run_log_ratios.insert(pooled.run_log_ratios.end(), repetition->run_log_ratios.begin(),
                                 repetition->run_log_ratios.end());
  }
  if (repetitions.empty()) return pooled;
  const absl::StatusOr<stats::RatioInterval> interval =
      stats::TInterval(pooled.run_log_ratios, repetitions[0]->interval.level);
  if (interval.ok()) {
    pooled.interval = *interval;
    pooled.verdict = stats::Decide(*interval, pooled.margin);
    pooled.has_estimate = true;
  }
  return pooled;
}

Comparison SummarizeDryRun(RunResult result, const ExperimentOptions& options, double ns_per_tick) {
  Comparison comparison;
  comparison.dry_run = true;
  comparison.runs = 1;
  comparison.schedule = options.schedule;
  comparison.margin = options.margin;
  comparison.batch = result.batch;
  AddNotice(comparison, result.notice);
  for (const PairRecord& pair : result.pairs) {
    ++comparison.pairs;
    for (int variant = 0; variant < 2; ++variant) {
      const auto operations = static_cast<double>(pair.operations[variant]);
      comparison.time_ns[variant] = pair.ticks[variant] * ns_per_tick / operations;
      comparison.cpu_ns[variant] = pair.cpu_ns[variant] / operations;
      comparison.operations[variant] += pair.operations[variant];
    }
  }
  comparison.results.push_back(std::move(result));
  for (int variant = 0; variant < 2; ++variant) {
    const VariantReport& report = comparison.results[0].variants[variant];
    comparison.variants[variant] = report;
    comparison.variants[variant].counters = MeanCounters(comparison.results, variant);
  }
  return comparison;
}

}  // namespace duetbench
