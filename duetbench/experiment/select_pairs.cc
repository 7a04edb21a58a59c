#include "duetbench/experiment/select_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pair_selection.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/run_weights.h"
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

stats::PairState StateOf(const PairRecord& pair, bool cpu_time) {
  return {HasTimes(pair) && (!cpu_time || HasCpuTimes(pair)), IsDisturbed(pair),
          cpu_time || IsCorrected(pair)};
}

// Which runs have lost all pairs with one of the assignments, and what becomes of them.
class OneSidedRuns {
 public:
  OneSidedRuns(absl::Span<const RunResult> results, const stats::PairSelection& rule,
               bool cpu_time) {
    int whole = 0;
    for (const RunResult& result : results) {
      bool timed[2] = {false, false};
      bool used[2] = {false, false};
      for (const PairRecord& pair : result.pairs) {
        if (IsAlone(pair)) continue;
        const stats::PairState state = StateOf(pair, cpu_time);
        timed[pair.assignment] |= state.timed;
        used[pair.assignment] |= rule.Uses(state);
      }
      is_one_sided_.push_back(timed[0] && timed[1] && used[0] != used[1]);
      if (is_one_sided_.back()) ++count_;
      if (used[0] && used[1]) ++whole;
    }
    uses_them_ = count_ > 0 && whole < 3 * count_;
  }

  int count() const { return count_; }
  bool uses_them() const { return uses_them_; }
  bool IsLeftOut(size_t run) const { return is_one_sided_[run] && !uses_them_; }

 private:
  std::vector<bool> is_one_sided_;
  int count_ = 0;
  bool uses_them_ = false;
};

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

// From a value for each run to one for each layout, if there are several: these have equal weight.
void GroupByLayout(const std::vector<int>& layouts, SelectedPairs* selected) {
  const bool several = std::any_of(layouts.begin(), layouts.end(),
                                   [&](int layout) { return layout != layouts.front(); });
  if (!several) return;
  selected->layouts = stats::ComputeLayoutSpread(selected->run_log_ratios, layouts);
  selected->run_log_ratios = stats::LayoutMeans(selected->run_log_ratios, layouts);
  selected->run_values = selected->run_log_ratios;
  selected->total_runs = PairsByLayout(selected->total_runs, layouts);
}

// Goes through the pairs of all runs.
class Selection {
 public:
  Selection(const stats::PairSelection& rule, bool cpu_time, double ns_per_tick)
      : rule_(rule), cpu_time_(cpu_time), ns_per_tick_(ns_per_tick) {
    selected_.kept_disturbed = rule.uses_disturbed();
    selected_.is_biased = rule.is_biased();
    selected_.disturbed_share = rule.disturbed_share();
  }

  void LeaveOut(const RunResult& result) {
    selected_.dropped += static_cast<uint64_t>(std::count_if(
        result.pairs.begin(), result.pairs.end(), [](const auto& pair) { return !IsAlone(pair); }));
  }

  void AddRun(const RunResult& result) {
    stats::RunPairs run;
    stats::RunPairs total_run;
    for (const PairRecord& pair : result.pairs) {
      if (!IsAlone(pair)) AddPair(pair, &run, &total_run);
    }
    if (run.empty()) return;
    const absl::StatusOr<double> log_ratio = stats::RunLogRatio(run, stats::Estimator::kTrimmed);
    if (!log_ratio.ok()) return;
    selected_.run_log_ratios.push_back(*log_ratio);
    variances_.push_back(stats::WithinRunVariance(run, stats::Estimator::kTrimmed));
    layouts_.push_back(result.layout);
    selected_.pairs += run.size();
    selected_.runs.push_back(std::move(run));
    selected_.total_runs.push_back(std::move(total_run));
  }

  SelectedPairs Finish() {
    for (int variant = 0; variant < 2; ++variant) {
      selected_.time_ns[variant] = mean_times_.Of(variant);
      selected_.cpu_ns[variant] = mean_cpu_times_.Of(variant);
      if (timed_ > 0) selected_.sample_iterations[variant] /= timed_;
    }
    selected_.run_values = stats::WeightedRunValues(selected_.run_log_ratios, variances_);
    GroupByLayout(layouts_, &selected_);
    return std::move(selected_);
  }

 private:
  void AddPair(const PairRecord& pair, stats::RunPairs* run, stats::RunPairs* total_run) {
    if (!HasTimes(pair)) ++selected_.untimed;
    const stats::PairState state = StateOf(pair, cpu_time_);
    if (state.timed) ++timed_;
    double times[2];
    double cpu_times[2];
    for (int variant = 0; variant < 2; ++variant) {
      const auto iterations = static_cast<double>(pair.iterations[variant]);
      times[variant] = pair.ticks[variant] * ns_per_tick_ / iterations;
      cpu_times[variant] = pair.cpu_ns[variant] / iterations;
      if (state.timed) selected_.sample_iterations[variant] += iterations;
    }
    const double* const compared = cpu_time_ ? cpu_times : times;
    const stats::Pair times_of_pair = {compared[0], compared[1], static_cast<int>(pair.assignment),
                                       static_cast<int>(pair.round)};
    if (rule_.UsesInTotal(state)) total_run->push_back(times_of_pair);
    if (!rule_.Uses(state)) {
      ++selected_.dropped;
      return;
    }
    run->push_back(times_of_pair);
    for (int variant = 0; variant < 2; ++variant) {
      mean_times_.Add(variant, pair.assignment, times[variant]);
      mean_cpu_times_.Add(variant, pair.assignment, cpu_times[variant]);
      selected_.iterations[variant] += pair.iterations[variant];
    }
    selected_.skews_ns.push_back(std::abs(pair.skew_ticks) * ns_per_tick_);
    selected_.overlaps.push_back(pair.overlap);
  }

  const stats::PairSelection& rule_;
  const bool cpu_time_;
  const double ns_per_tick_;
  SelectedPairs selected_;
  MeanTimes mean_times_;
  MeanTimes mean_cpu_times_;
  double timed_ = 0;
  std::vector<double> variances_;  // of the runs
  std::vector<int> layouts_;
};

}  // namespace

SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick) {
  const bool cpu_time = UsesCpuTime(options);
  const stats::PairSelection rule = RuleFor(results, cpu_time);
  Selection selection(rule, cpu_time, ns_per_tick);
  const OneSidedRuns one_sided(results, rule, cpu_time);
  for (size_t run = 0; run < results.size(); ++run) {
    one_sided.IsLeftOut(run) ? selection.LeaveOut(results[run]) : selection.AddRun(results[run]);
  }
  SelectedPairs selected = selection.Finish();
  selected.one_sided_runs = one_sided.count();
  selected.uses_one_sided = one_sided.uses_them();
  for (int variant = 0; variant < 2; ++variant) {
    selected.lacks_work[variant] =
        !options.manual_time && LacksWork(selected.time_ns[variant], options.empty_ns[variant]);
  }
  return selected;
}

}  // namespace duetbench
