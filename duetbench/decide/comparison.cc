#include "duetbench/decide/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/gate.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {

void TimeAccount::AddRun(const RunResult& result, const RunPlan& plan) {
  const double run_ns = std::max(result.process_ns, result.wall_ns);
  // CPUs that execute samples at the same time, and variants whose wall time passes then.
  const double cpus = UsesTwoCpus(plan.schedule) ? 2 : 1;
  const double at_once = RunsConcurrently(plan.schedule) ? 2 : 1;
  // A group is told by its first pair.
  const double pairs_of_turn = plan.variants / 2.0;
  wall_ns += run_ns;
  start_ns += run_ns - result.wall_ns;
  set_up_ns += result.set_up_ns;
  unmeasured_ns += result.unmeasured_ns / at_once;
  double others_ns = result.wall_ns - result.set_up_ns - result.unmeasured_ns / at_once;
  if (plan.manual_time != 0) kept_ns = dropped_ns = solo_ns = std::nan("");
  for (const PairRecord& pair : result.pairs) {
    const double pair_ns =
        (pair.ticks[0] + pair.ticks[1]) * plan.ns_per_tick * pairs_of_turn / cpus;
    if (plan.manual_time == 0) others_ns -= pair_ns;
    if ((pair.flags & kDisturbed) != 0) {
      dropped_ns += pair_ns;
    } else if ((pair.flags & kSolo) != 0 && plan.schedule != Schedule::kAlternating) {
      solo_ns += pair_ns;
    } else {
      kept_ns += pair_ns;
    }
  }
  // Where variants share a CPU, one pauses while the other's sample has it.
  call_set_ups_ns += std::clamp(others_ns, 0.0, result.call_set_ups_ns / at_once);
}

void TimeAccount::EndPilots() {
  const double all_ns = wall_ns;
  *this = TimeAccount();
  wall_ns = pilots_ns = all_ns;
}

namespace {

// Why the ratio of the pair decides nothing; empty: it decides.
std::string WhyUnknown(const absl::StatusOr<stats::Decision>& decision, const std::string& old_name,
                       const std::string& new_name) {
  if (decision.ok() && decision->why == stats::Why::kTwoSpeeds) {
    return absl::StrCat(decision->two_speeds->variant == 0 ? old_name : new_name,
                        " runs at two speeds");
  }
  if (decision.ok() && !decision->is_withheld() && !decision->open_total.has_value()) return "";
  return absl::StrCat("the ratio of ", new_name, " to ", old_name, " decides nothing");
}

stats::RatioInterval Inverse(const stats::RatioInterval& interval) {
  stats::RatioInterval inverse = interval;
  inverse.ratio = 1 / interval.ratio;
  inverse.lo = 1 / interval.hi;
  inverse.hi = 1 / interval.lo;
  return inverse;
}

Comparison SkippedComparison(std::string cause) {
  Comparison comparison = FailedComparison(std::move(cause));
  comparison.failure.error.skipped = true;
  return comparison;
}

// The ratio at each of options.quantiles, with intervals that hold together at options.level.
// Empty without single calls, and where most times are not known.
std::vector<stats::QuantileRatio> CallQuantiles(const SelectedPairs& selected,
                                                const ExperimentOptions& options, double share) {
  std::vector<stats::QuantileRatio> ratios;
  if (!selected.has_single_calls() || selected.is_biased) return ratios;
  const std::vector<stats::RunPairs> calls = IndependentCalls(selected);
  const double alpha = (1 - options.level) * share / static_cast<double>(options.quantiles.size());
  for (const double quantile : options.quantiles) {
    ratios.push_back(stats::ComputeQuantileRatio(calls, quantile, alpha, options.level));
  }
  return ratios;
}

// Splits the product of both times so that their quotient is the ratio: the clock that the ratio is
// of; the other clock follows.
void ScaleToRatio(Comparison* result) {
  const double ratio = result->interval.ratio;
  const double* const times = result->cpu_time ? result->cpu_ns : result->time_ns;
  if (!(times[0] > 0) || !(times[1] > 0) || !(ratio > 0) || !std::isfinite(ratio)) return;
  const double factor = std::sqrt(ratio / (times[1] / times[0]));
  for (double* const clock : {result->time_ns, result->cpu_ns}) {
    clock[0] /= factor;
    clock[1] *= factor;
  }
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

// The label of the last run, and the counters of all.
void SetReports(Comparison* result) {
  for (int variant = 0; variant < 2; ++variant) {
    result->variants[variant] = result->results.back().variants[variant];
    result->variants[variant].counters = MeanCounters(result->results, variant);
  }
}

}  // namespace

Ranking RankVariants(absl::Span<const stats::DecisionInput> pairs,
                     const std::vector<std::string>& names, const ExperimentOptions& options,
                     double share) {
  const size_t variants = names.size();
  const double share_of_each = share / static_cast<double>(pairs.size());
  Ranking ranking;
  ranking.margin = options.margin;
  // By old and new variant.
  std::vector<std::vector<stats::RatioInterval>> intervals(
      variants, std::vector<stats::RatioInterval>(variants, stats::PointInterval(1)));
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const VariantPair of = PairsOfGroup(static_cast<int>(variants))[pair];
    const auto i = static_cast<size_t>(of.old_variant);
    const auto j = static_cast<size_t>(of.new_variant);
    const absl::StatusOr<stats::Decision> decision =
        stats::Decide(pairs[pair], options, share_of_each);
    ranking.unknown = WhyUnknown(decision, names[i], names[j]);
    if (!ranking.unknown.empty()) return ranking;
    intervals[i][j] = decision->interval;
    intervals[j][i] = Inverse(decision->interval);
  }
  size_t fastest = 0;
  for (size_t v = 1; v < variants; ++v) {
    if (intervals[0][v].ratio < intervals[0][fastest].ratio) fastest = v;
  }
  ranking.fastest = names[fastest];
  for (size_t v = 0; v < variants; ++v) {
    if (v != fastest) ranking.others.push_back({names[v], intervals[fastest][v]});
  }
  std::stable_sort(ranking.others.begin(), ranking.others.end(), [](const auto& a, const auto& b) {
    return a.of_fastest.ratio < b.of_fastest.ratio;
  });
  return ranking;
}

Comparison FailedComparison(std::string cause) {
  Comparison comparison;
  comparison.failure.error.cause = std::move(cause);
  return comparison;
}

Comparison UnchangedComparison() {
  Comparison comparison =
      SkippedComparison("UNCHANGED: the same program; files that it reads are not compared");
  comparison.failure.unchanged = true;
  return comparison;
}

Comparison OutOfTimeComparison(double run_s) {
  const std::string run =
      run_s > 0 ? absl::StrFormat("a run takes more than %.2g s, and ", run_s) : "";
  Comparison comparison =
      SkippedComparison(absl::StrCat("not measured: ", run, "the time of --duet_budget was over"));
  comparison.failure.out_of_time = true;
  return comparison;
}

Comparison Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                     double ns_per_tick, double share, bool measured_together) {
  Comparison result;
  result.results = std::move(results);
  result.cpu_time = UsesCpuTime(options);
  SelectedPairs selected = SelectPairs(result.results, options, ns_per_tick);
  selected.measured_together = measured_together;
  AddNotices(selected, result.results, options, ns_per_tick, &result.notices);
  if (selected.runs.empty()) {
    const bool no_times = selected.untimed == selected.dropped;
    const bool pauses_cost = selected.pause_share[0] > 0 || selected.pause_share[1] > 0;
    result.failure.error.cause =
        no_times && options.manual_time
            ? "no pair has a time: call state.SetIterationTime(seconds) in every iteration"
        : no_times && pauses_cost
            ? "no pair has a time: PauseTiming and ResumeTiming take longer than the work between "
              "them; do more work between pauses"
            : "no pair could be used: in every pair a variant was preempted or took no measurable "
              "time; measure longer (--benchmark_min_time)";
    return result;
  }
  absl::StatusOr<stats::Decision> decision = stats::Decide(selected, options, share);
  if (!decision.ok()) {
    result.failure.error.cause =
        absl::StrCat("there is no interval of the ratio: ", decision.status().message());
    return result;
  }

  static_cast<stats::Decision&>(result) = *std::move(decision);
  result.schedule = options.schedule.value_or(Schedule::kDuet);
  result.batch = result.results.back().batch;
  result.runs = static_cast<int>(selected.runs.size());
  static_cast<UsedPairs&>(result) = selected;
  const double half_width = std::log(result.interval.hi / result.interval.lo) / 2;
  const auto add_if_doubtful = [&](Notice::Kind kind, double error, double seconds) {
    const bool is_notable = error > kMeasuringPolicy.notable_share_of_margin * options.margin &&
                            2 * error >= half_width;
    const bool matters = !result.is_withheld() || std::isinf(error);
    if (matters && is_notable) {
      result.notices.push_back({kind, {error, seconds}, ""});
    }
  };
  const double position_error = result.position_error;
  add_if_doubtful(Notice::Kind::kPausesDoubtful, result.systematic - position_error, 0);
  // Without a second part to compare with, at least four times as long (chosen).
  const double times =
      std::isfinite(position_error) ? position_error / std::max(options.margin.value(), 1e-3) : 4;
  add_if_doubtful(Notice::Kind::kNotStationary, position_error, options.min_time * times);
  ScaleToRatio(&result);
  SetReports(&result);
  result.counters = SummarizeCounters(result.results, options.events, options.level);
  result.quantiles = CallQuantiles(selected, options, share);
  if (!options.quantiles.empty() && !selected.has_single_calls()) {
    result.notices.push_back({Notice::Kind::kNoSingleCalls,
                              {selected.sample_iterations[0], selected.sample_iterations[1]},
                              ""});
  }
  result.gates = JudgeGates(options, result.results, selected, result);
  result.run_values = std::move(selected.values);
  result.run_pairs = std::move(selected.runs);
  return result;
}

Comparison SummarizeDryRun(RunResult run, const ExperimentOptions& options, double ns_per_tick) {
  Comparison result;
  result.is_dry_run = true;
  result.runs = 1;
  result.schedule = options.schedule.value_or(Schedule::kDuet);
  result.batch = run.batch;
  for (const PairRecord& pair : run.pairs) {
    ++result.pairs;
    for (int variant = 0; variant < 2; ++variant) {
      const auto iterations = static_cast<double>(pair.iterations[variant]);
      result.time_ns[variant] = pair.ticks[variant] * ns_per_tick / iterations;
      result.cpu_ns[variant] = pair.cpu_ns[variant] / iterations;
      result.iterations[variant] += pair.iterations[variant];
    }
  }
  if (!run.notice.empty()) {
    result.notices.push_back({Notice::Kind::kRunDegraded, {}, run.notice});
  }
  result.results.push_back(std::move(run));
  SetReports(&result);
  return result;
}

}  // namespace duetbench
