#include "duetbench/decide/notice.h"

#include <cmath>
#include <map>
#include <utility>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {

namespace {

// ns of an iteration; 0 if no pair has a time.
double UsualNs(const RunResult& result, int variant, double ns_per_tick) {
  std::vector<double> times;
  for (const PairRecord& pair : result.pairs) {
    if ((pair.flags & kNoTime) != 0) continue;
    times.push_back(pair.ticks[variant] * ns_per_tick /
                    static_cast<double>(pair.iterations[variant]));
  }
  return times.empty() ? 0 : stats::Median(std::move(times));
}

// Calls body(first iteration, ns of a usual one) for each run that has timed the first iteration of
// `variant`.
template <class Body>
void ForEachFirst(absl::Span<const RunResult> results, int variant, double ns_per_tick,
                  const Body& body) {
  for (const RunResult& result : results) {
    const FirstIteration& first = result.first_iteration[variant];
    const double usual_ns = UsualNs(result, variant, ns_per_tick);
    if (first.iterations > 0 && usual_ns > 0) body(first, usual_ns);
  }
}

// The time of an iteration of empty loops of its form in the median run, in ns; 0 where none was
// executed. In the others, another process may have had the CPU meanwhile.
double EmptyIterationNs(const std::vector<RunResult>& results, int variant) {
  std::vector<double> means;
  for (const RunResult& result : results) {
    const EmptyTally& tally = result.empty[variant];
    if (tally.samples > 0) means.push_back(tally.empty_ns / static_cast<double>(tally.samples));
  }
  return means.empty() ? 0 : stats::Median(std::move(means));
}

// An event in a few runs of many does not change the result.
void AddRunNotices(const std::vector<RunResult>& results, std::vector<Notice>* notices) {
  constexpr double kNotableShare = 0.25;
  const auto runs = static_cast<double>(results.size());
  std::map<std::string, double> degraded;  // runs of each notice
  for (const RunResult& result : results) ++degraded[result.notice];
  for (const auto& [notice, count] : degraded) {
    if (notice.empty() || count < kNotableShare * runs) continue;
    notices->push_back({Notice::Kind::kRunDegraded, {count, runs}, notice});
  }
}

// Items or bytes of an iteration: the mean over the runs that know it; 0 if none does.
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
    notices->push_back({Notice::Kind::kWorkDiffers, {old_work, new_work}, unit});
  }
}

// Iterations of a variant depend on those before them. A variant that reports its times has none of
// the first one.
void AddStateNotices(const std::vector<RunResult>& results, const ExperimentOptions& options,
                     double ns_per_tick, std::vector<Notice>* notices) {
  using Kind = Notice::Kind;
  for (int variant = 0; variant < 2; ++variant) {
    if (const std::optional<double> times = FindSlowerThanFirst(results, variant, ns_per_tick)) {
      notices->push_back({Kind::kSlowsDown, {static_cast<double>(variant), *times}, ""});
    }
    if (options.manual_time) continue;
    const auto slow = FindSlowFirstIteration(results, variant, ns_per_tick);
    if (slow.has_value()) {
      notices->push_back({Kind::kSlowFirstIteration,
                          {slow->first_ns, slow->usual_ns},
                          variant == 0 ? "old" : "new"});
    }
  }
}

}  // namespace

std::optional<SlowFirstIteration> FindSlowFirstIteration(absl::Span<const RunResult> results,
                                                         int variant, double ns_per_tick) {
  std::vector<double> first;
  std::vector<double> usual;
  size_t slow = 0;
  const auto add = [&](const FirstIteration& iteration, double usual_ns) {
    const double more_ns = iteration.ns - usual_ns * static_cast<double>(iteration.iterations);
    const double explained_ns =
        kMeasuringPolicy.cold_start_ns +
        kMeasuringPolicy.cold_fault_ns * static_cast<double>(iteration.faults);
    first.push_back(usual_ns + more_ns);
    usual.push_back(usual_ns);
    const bool is_slow = first.back() > kMeasuringPolicy.slow_first_iteration * usual_ns;
    if (is_slow && more_ns > explained_ns) ++slow;
  };
  ForEachFirst(results, variant, ns_per_tick, add);
  if (first.empty() || 2 * slow <= first.size()) return std::nullopt;
  return SlowFirstIteration{stats::Median(std::move(first)), stats::Median(std::move(usual))};
}

std::optional<double> FindSlowerThanFirst(absl::Span<const RunResult> results, int variant,
                                          double ns_per_tick) {
  std::vector<double> log_times;
  ForEachFirst(results, variant, ns_per_tick, [&](const FirstIteration& first, double usual_ns) {
    if (first.next_ns > 0) log_times.push_back(std::log(usual_ns / first.next_ns));
  });
  if (log_times.size() < kMeasuringPolicy.min_runs_of_drift) return std::nullopt;
  const double mean = stats::Mean(log_times);
  const bool is_notable = mean > std::log1p(kMeasuringPolicy.slowing_down_since_first) &&
                          stats::PairedTTest(log_times).p <= kMeasuringPolicy.drift_alpha;
  return is_notable ? std::optional<double>(std::exp(mean)) : std::nullopt;
}

void AddNotices(const SelectedPairs& selected, const std::vector<RunResult>& results,
                const ExperimentOptions& options, double ns_per_tick,
                std::vector<Notice>* notices) {
  using Kind = Notice::Kind;
  if (selected.untimed > 0) {
    const bool* const lack = selected.lacks_time;
    const char* const who = lack[0] && lack[1] ? "old and new" : lack[0] ? "old" : "new";
    notices->push_back(
        {options.manual_time ? Kind::kNoManualTime : Kind::kNoMeasurableTime, {}, who});
  }
  if (selected.kept_disturbed) {
    notices->push_back({selected.is_biased ? Kind::kBiasedPairsKept : Kind::kDisturbedPairsKept,
                        {selected.disturbed_share, 0},
                        ""});
  }
  if (selected.uses_one_sided) {
    notices->push_back(
        {Kind::kOneSidedRuns,
         {static_cast<double>(selected.one_sided_runs), static_cast<double>(results.size())},
         ""});
  }
  for (int variant = 0; variant < 2; ++variant) {
    if (!selected.lacks_work[variant]) continue;
    notices->push_back(
        {Kind::kLacksWork, {static_cast<double>(variant), EmptyIterationNs(results, variant)}, ""});
  }
  for (int variant = 0; variant < 2; ++variant) {
    const double share = selected.pause_share[variant];
    if (share > 0) {
      notices->push_back({Kind::kPausesCost, {static_cast<double>(variant), share}, ""});
    }
  }
  AddRunNotices(results, notices);
  AddWorkNotices(results, notices);
  AddStateNotices(results, options, ns_per_tick, notices);
}

}  // namespace duetbench
