#include "duetbench/experiment/suite_runs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace duetbench {
namespace {

// An equal part of the time that open experiments have taken and have left.
double EqualShare(absl::Span<const Prospect> prospects, double seconds_left) {
  double seconds = seconds_left;
  for (const Prospect& prospect : prospects) seconds += prospect.spent_s;
  return seconds / static_cast<double>(std::max<size_t>(prospects.size(), 1));
}

enum class JobState { kWaiting, kBegun, kFinished };

// The job whose run is next, from `first` on; the number of jobs: there is none. With a budget
// `most_s` becomes the time that the run may take.
size_t ChooseJob(const std::vector<SuiteJob*>& jobs, const std::vector<JobState>& states,
                 size_t first, const SuiteOrder& order, std::mt19937_64* random, double* most_s) {
  const bool has_budget = order.budget_s > 0;
  std::vector<size_t> open;
  std::vector<double> weights;
  std::vector<Prospect> prospects;
  double bytes = 0;
  for (size_t i = first; i < jobs.size(); ++i) {
    const bool is_full = !has_budget && i > first && bytes >= order.max_bytes;
    bytes += jobs[i]->Bytes();
    if (states[i] == JobState::kFinished) continue;
    if (states[i] == JobState::kWaiting && is_full) continue;
    if (!order.interleaved && !has_budget) return i;
    open.push_back(i);
    weights.push_back(std::max(1.0, jobs[i]->RunsLeft()));
    prospects.push_back(jobs[i]->prospect());
  }
  const double seconds_left = has_budget ? order.budget_s - order.clock() : 0;
  if (has_budget) weights = BudgetWeights(prospects, seconds_left);
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; })) {
    return jobs.size();
  }
  const size_t next = std::discrete_distribution<size_t>(weights.begin(), weights.end())(*random);
  if (has_budget) {
    const double share_s = EqualShare(prospects, seconds_left);
    *most_s = prospects[next].run_s > share_s ? seconds_left : share_s;
  }
  return open[next];
}

// The experiments that the time can decide, those that need least first.
std::vector<size_t> Decidable(absl::Span<const Prospect> prospects, double seconds_left) {
  std::vector<size_t> order(prospects.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto need = [&](size_t i) { return prospects[i].runs_to_decide * prospects[i].run_s; };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return need(a) < need(b); });
  size_t count = 0;
  double sum = 0;
  for (; count < order.size(); ++count) {
    sum += need(order[count]);
    if (!(sum <= seconds_left)) break;
  }
  order.resize(count);
  return order;
}

}  // namespace

void MakeSuiteRuns(const std::vector<SuiteJob*>& jobs, const SuiteOrder& order,
                   const std::function<bool()>& is_interrupted) {
  std::vector<JobState> states(jobs.size(), JobState::kWaiting);
  std::mt19937_64 random(order.seed);
  size_t reported = 0;
  double most_s = std::numeric_limits<double>::infinity();
  const auto finish = [&](size_t i, SuiteJob::End end) {
    jobs[i]->Finish(end);
    states[i] = JobState::kFinished;
    while (reported < jobs.size() && states[reported] == JobState::kFinished) {
      jobs[reported++]->Report();
    }
  };
  while (!is_interrupted()) {
    const size_t next = ChooseJob(jobs, states, reported, order, &random, &most_s);
    if (next == jobs.size()) break;
    states[next] = JobState::kBegun;
    if (!jobs[next]->LaunchNext(most_s)) finish(next, SuiteJob::End::kComplete);
  }
  const auto end = is_interrupted() ? SuiteJob::End::kInterrupted : SuiteJob::End::kOutOfTime;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (states[i] != JobState::kFinished) finish(i, end);
  }
}

std::vector<double> BudgetWeights(absl::Span<const Prospect> prospects, double seconds_left) {
  std::vector<double> weights(prospects.size());
  const auto fits = [&](size_t i) { return prospects[i].run_s <= seconds_left; };
  const auto has_any = [&] {
    return std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
  };
  const auto give_first_runs = [&](double most_s) {
    for (size_t i = 0; i < prospects.size(); ++i) {
      const bool has_share = std::max(prospects[i].spent_s, prospects[i].run_s) <= most_s;
      if (fits(i) && has_share) weights[i] = prospects[i].first_runs;
    }
  };
  give_first_runs(EqualShare(prospects, seconds_left));
  if (has_any()) return weights;
  for (const size_t i : Decidable(prospects, seconds_left)) {
    // The larger the need, the larger its share of the time, up to all of it.
    const double most = seconds_left / prospects[i].run_s;
    if (fits(i)) weights[i] = std::clamp(prospects[i].runs_to_end, 1.0, std::max(1.0, most));
  }
  if (has_any()) return weights;
  give_first_runs(std::numeric_limits<double>::infinity());
  if (has_any()) return weights;
  for (size_t i = 0; i < prospects.size(); ++i) weights[i] = fits(i) ? 1 : 0;
  return weights;
}

}  // namespace duetbench
