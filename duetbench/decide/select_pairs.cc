#include "duetbench/decide/select_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/decide/stationarity.h"
#include "duetbench/decide/total_ratio.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {

void PairCounts::Add(const PairState& pair, int assignment) {
  if (!pair.timed) return;
  OfAssignment& pairs = of[assignment];
  ++pairs.timed;
  if (pair.disturbed) ++pairs.disturbed;
  if (pair.disturbed && pair.corrected) ++pairs.corrected;
}

PairSelection::PairSelection(absl::Span<const PairCounts> runs, bool keep_disturbed) {
  PairCounts::OfAssignment all;
  int timed_runs = 0;
  int undisturbed_runs = 0;
  for (const PairCounts& run : runs) {
    for (const PairCounts::OfAssignment& pairs : run.of) {
      all.timed += pairs.timed;
      all.disturbed += pairs.disturbed;
      all.corrected += pairs.corrected;
    }
    const uint64_t timed = run.of[0].timed + run.of[1].timed;
    if (timed > 0) ++timed_runs;
    if (timed > run.of[0].disturbed + run.of[1].disturbed) ++undisturbed_runs;
  }
  if (all.timed > 0) {
    disturbed_share = static_cast<double>(all.disturbed) / static_cast<double>(all.timed);
    const bool lacks_times = static_cast<double>(all.corrected) <
                             kDecision.min_corrected_share * static_cast<double>(all.disturbed);
    const int emptied_runs = timed_runs - undisturbed_runs;
    const int fewest_runs =
        lacks_times ? std::min(2, timed_runs) : kDecision.whole_runs_per_one_sided * emptied_runs;
    uses_disturbed =
        disturbed_share > kDecision.max_disturbed_share || undisturbed_runs < fewest_runs;
    is_biased = uses_disturbed && lacks_times;
  }
  const bool keeps_all = keep_disturbed && all.disturbed > 0;
  uses_disturbed = uses_disturbed || keeps_all;
  uses_uncorrected = is_biased || keeps_all;

  int whole = 0;
  for (const PairCounts& run : runs) {
    const bool used[2] = {UsesAny(run.of[0]), UsesAny(run.of[1])};
    is_one_sided.push_back(run.of[0].timed > 0 && run.of[1].timed > 0 && used[0] != used[1]);
    if (is_one_sided.back()) ++one_sided_runs;
    if (used[0] && used[1]) ++whole;
  }
  uses_one_sided =
      one_sided_runs > 0 && whole < kDecision.whole_runs_per_one_sided * one_sided_runs;
}

bool PairSelection::UsesAny(const PairCounts::OfAssignment& pairs) const {
  if (pairs.timed > pairs.disturbed) return true;
  if (!uses_disturbed) return false;
  return uses_uncorrected ? pairs.disturbed > 0 : pairs.corrected > 0;
}

}  // namespace duetbench::stats

namespace duetbench {
namespace {

bool HasTimes(const PairRecord& pair) { return (pair.flags & kNoTime) == 0; }
bool HasCpuTimes(const PairRecord& pair) { return pair.cpu_ns[0] > 0 && pair.cpu_ns[1] > 0; }
bool IsDisturbed(const PairRecord& pair) { return (pair.flags & kDisturbed) != 0; }
bool IsCorrected(const PairRecord& pair) {
  return IsDisturbed(pair) && (pair.flags & kOnCpuTime) != 0;
}
bool IsSolo(const PairRecord& pair) { return (pair.flags & kSolo) != 0; }

// Means per iteration, both assignments with equal weight.
class MeanTimes {
 public:
  void Add(int variant, uint32_t assignment, double time, double weight) {
    sums_[variant][assignment] += weight * time;
    weights_[variant][assignment] += weight;
  }

  double Of(int variant) const {
    double mean = 0;
    int present = 0;
    for (int a = 0; a < 2; ++a) {
      if (weights_[variant][a] == 0) continue;
      mean += sums_[variant][a] / weights_[variant][a];
      ++present;
    }
    return present > 0 ? mean / present : 0;
  }

 private:
  double sums_[2][2] = {};
  double weights_[2][2] = {};
};

// CPU times are known of all pairs.
stats::PairState StateOf(const PairRecord& pair, bool cpu_time) {
  return {HasTimes(pair) && (!cpu_time || HasCpuTimes(pair)), IsDisturbed(pair),
          cpu_time || IsCorrected(pair)};
}

stats::PairSelection SelectionOf(absl::Span<const RunResult> results, bool cpu_time) {
  std::vector<stats::PairCounts> counts;
  for (const RunResult& result : results) {
    stats::PairCounts& run = counts.emplace_back();
    for (const PairRecord& pair : result.pairs) {
      if (!IsSolo(pair)) run.Add(StateOf(pair, cpu_time), static_cast<int>(pair.assignment));
    }
  }
  return stats::PairSelection(counts);
}

// Goes through the pairs of all runs.
class Selection {
 public:
  Selection(const stats::PairSelection& rule, const ExperimentOptions& options, double ns_per_tick,
            const stats::Reservations& reservations)
      : rule_(rule),
        cpu_time_(UsesCpuTime(options)),
        calls_(options.calls),
        ns_per_tick_(ns_per_tick) {
    static_cast<stats::Reservations&>(selected_) = reservations;
    selected_.kept_disturbed = rule.uses_disturbed;
    selected_.is_biased = rule.is_biased;
    selected_.disturbed_share = rule.disturbed_share;
    selected_.one_sided_runs = rule.one_sided_runs;
    selected_.uses_one_sided = rule.uses_one_sided;
  }

  void LeaveOut(const RunResult& result) {
    selected_.dropped += static_cast<uint64_t>(std::count_if(
        result.pairs.begin(), result.pairs.end(), [](const auto& pair) { return !IsSolo(pair); }));
  }

  void AddRun(const RunResult& result) {
    stats::RunPairs run;
    stats::RunPairs total_run;
    std::vector<const PairRecord*> records;  // of `run`
    for (const PairRecord& pair : result.pairs) {
      if (!IsSolo(pair)) AddPair(pair, &run, &records, &total_run);
    }
    if (run.empty()) return;
    const std::vector<size_t> quiet = stats::QuietPairs(run);
    selected_.dropped += run.size() - quiet.size();
    uint64_t iterations[2] = {0, 0};
    for (size_t at = 0; at < quiet.size(); ++at) {
      const size_t i = quiet[at];
      AddToMeans(*records[i], stats::Weight(selected_.taper, at, quiet.size()));
      for (int v = 0; v < 2; ++v) {
        const uint64_t of_sample = records[i]->iterations[v];
        iterations[v] = calls_ ? std::max(iterations[v], of_sample) : iterations[v] + of_sample;
      }
    }
    for (int v = 0; v < 2; ++v) {
      uint64_t& distinct = selected_.distinct_iterations[v];
      const bool differ = result.variants[v].uses_seed;
      distinct = differ ? distinct + iterations[v] : std::max(distinct, iterations[v]);
    }
    run = stats::PairsAt(run, quiet);
    total_run = stats::PairsAt(total_run, stats::QuietPairs(total_run));
    absl::StatusOr<stats::RunValue> value = stats::ReduceRun(run, total_run, selected_.taper);
    if (!value.ok()) return;
    value->layout = result.layout;
    value->start_s = result.start_s;
    std::copy_n(result.pause_share, 2, value->pause_share);
    selected_.values.push_back(*std::move(value));
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
    for (stats::RunValue& value : selected_.values) {
      for (int v = 0; v < 2; ++v) value.sample_iterations[v] = selected_.sample_iterations[v];
    }
    return std::move(selected_);
  }

 private:
  void AddPair(const PairRecord& pair, stats::RunPairs* run,
               std::vector<const PairRecord*>* records, stats::RunPairs* total_run) {
    if (!HasTimes(pair)) ++selected_.untimed;
    for (int v = 0; v < 2; ++v) selected_.lacks_time[v] |= !(pair.ticks[v] > 0);
    const stats::PairState state = StateOf(pair, cpu_time_);
    if (state.timed) ++timed_;
    double compared[2];
    for (int variant = 0; variant < 2; ++variant) {
      compared[variant] = cpu_time_ ? CpuTimeOf(pair, variant) : TimeOf(pair, variant);
      if (state.timed) {
        selected_.sample_iterations[variant] += static_cast<double>(pair.iterations[variant]);
      }
    }
    stats::Pair times_of_pair = {compared[0], compared[1], static_cast<int>(pair.assignment)};
    for (int v = 0; v < 2; ++v)
      times_of_pair.probe_ns[v] = static_cast<float>(pair.probe_ticks[v] * ns_per_tick_);
    if (rule_.UsesInTotal(state)) total_run->push_back(times_of_pair);
    if (!rule_.Uses(state)) {
      ++selected_.dropped;
      return;
    }
    run->push_back(times_of_pair);
    records->push_back(&pair);
  }

  // Per iteration, in ns.
  double TimeOf(const PairRecord& pair, int variant) const {
    return pair.ticks[variant] * ns_per_tick_ / static_cast<double>(pair.iterations[variant]);
  }
  static double CpuTimeOf(const PairRecord& pair, int variant) {
    return pair.cpu_ns[variant] / static_cast<double>(pair.iterations[variant]);
  }

  void AddToMeans(const PairRecord& pair, double weight) {
    for (int variant = 0; variant < 2; ++variant) {
      mean_times_.Add(variant, pair.assignment, TimeOf(pair, variant), weight);
      mean_cpu_times_.Add(variant, pair.assignment, CpuTimeOf(pair, variant), weight);
      selected_.iterations[variant] += pair.iterations[variant];
    }
  }

  const stats::PairSelection& rule_;
  const bool cpu_time_;
  const bool calls_;  // each sample begins with the same inputs
  const double ns_per_tick_;
  SelectedPairs selected_;
  MeanTimes mean_times_;
  MeanTimes mean_cpu_times_;
  double timed_ = 0;
};

// The compiler may have left a variant without work: it cannot be told from an empty loop of its
// form. At least half of its samples that were compared with such loops (empty_comparison.h) took
// no longer than these.
bool LacksWork(absl::Span<const RunResult> results, int variant) {
  EmptyTally all{};
  for (const RunResult& result : results) Add(result.empty[variant], &all);
  return all.samples > 0 && 2 * all.no_longer >= all.samples;
}

// The time that pairs of PauseTiming and ResumeTiming of `variant` took, which was subtracted, over
// what is left: the median of the runs. A ratio of times much shorter than their pauses is none.
double PauseShare(absl::Span<const RunResult> results, int variant) {
  std::vector<double> of_runs;
  for (const RunResult& result : results) of_runs.push_back(result.pause_share[variant]);
  return of_runs.empty() ? 0 : stats::Median(std::move(of_runs));
}

// The error and the taper, where the ratio depends on the position.
stats::Reservations AboutThePosition(absl::Span<const RunResult> results, double margin) {
  const PositionEffect effect = FindPositionEffect(results);
  stats::Reservations about;
  if (!effect.are_long && !IsNotable(effect, margin)) return about;
  about.position_error = effect.error;
  about.taper = effect.taper;
  return about;
}

}  // namespace

SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick) {
  const bool cpu_time = UsesCpuTime(options);
  const stats::PairSelection rule = SelectionOf(results, cpu_time);
  Selection selection(rule, options, ns_per_tick, AboutThePosition(results, options.margin));
  for (size_t run = 0; run < results.size(); ++run) {
    rule.LeavesOut(run) ? selection.LeaveOut(results[run]) : selection.AddRun(results[run]);
  }
  SelectedPairs selected = selection.Finish();
  // Speeds that follow the position are those of the input.
  if (!(selected.position_error > 0)) {
    selected.two_speeds = stats::FindTwoSpeeds(selected.runs, stats::LeastNotable(options.margin));
  }
  for (int variant = 0; variant < 2; ++variant) {
    selected.lacks_work[variant] = !options.manual_time && LacksWork(results, variant);
    const double share = PauseShare(results, variant);
    if (share > kMeasuringPolicy.notable_pause_share) selected.pause_share[variant] = share;
  }
  return selected;
}

std::vector<stats::RunPairs> IndependentCalls(const SelectedPairs& selected) {
  std::map<int, stats::RunPairs> by_layout;
  for (size_t run = 0; run < selected.values.size(); ++run) {
    stats::RunPairs& pairs = by_layout[selected.values[run].layout];
    const stats::RunPairs& of_run = selected.total_runs[run];
    pairs.insert(pairs.end(), of_run.begin(), of_run.end());
  }
  if (by_layout.size() <= 1) return selected.total_runs;
  std::vector<stats::RunPairs> calls;
  for (auto& [layout, pairs] : by_layout) calls.push_back(std::move(pairs));
  return calls;
}

}  // namespace duetbench
