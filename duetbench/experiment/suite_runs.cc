#include "duetbench/experiment/suite_runs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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

class SuiteRuns {
 public:
  SuiteRuns(absl::Span<const std::unique_ptr<SuiteJob>> jobs, const SuiteOrder& order)
      : jobs_(jobs), order_(order), states_(jobs.size(), State::kWaiting), random_(order.seed) {}

  void Make(const std::function<bool()>& is_interrupted) {
    while (!is_interrupted()) {
      ReportFinished();
      const size_t next = order_.budget_s > 0 ? ChooseInBudget() : Choose();
      if (next == jobs_.size()) break;
      if (states_[next] == State::kWaiting) Begin(next);
      if (states_[next] == State::kBegun && !jobs_[next]->LaunchNext(most_s_)) Finish(next);
    }
    const bool interrupted = is_interrupted();
    for (size_t i = 0; i < jobs_.size(); ++i) {
      if (states_[i] == State::kFinished) continue;
      jobs_[i]->End(interrupted);
      if (states_[i] == State::kBegun) Finish(i);
    }
    for (; reported_ < jobs_.size(); ++reported_) jobs_[reported_]->Report();
  }

 private:
  enum class State { kWaiting, kBegun, kFinished };

  void Begin(size_t i) {
    jobs_[i]->Begin();
    states_[i] = State::kBegun;
    if (!(jobs_[i]->RunsLeft() > 0)) Finish(i);
  }

  void Finish(size_t i) {
    jobs_[i]->Finish();
    states_[i] = State::kFinished;
  }

  void ReportFinished() {
    while (reported_ < jobs_.size() && states_[reported_] == State::kFinished) {
      jobs_[reported_++]->Report();
    }
  }

  // The job whose run is next; the number of jobs: there is none.
  size_t Choose() {
    std::vector<size_t> open;
    std::vector<double> weights;
    double bytes = 0;
    for (size_t i = reported_; i < jobs_.size(); ++i) {
      const bool is_full = i > reported_ && bytes >= order_.max_bytes;
      bytes += jobs_[i]->Bytes();
      if (states_[i] == State::kFinished) continue;
      if (states_[i] == State::kWaiting && is_full) continue;
      if (!order_.interleaved) return i;
      open.push_back(i);
      weights.push_back(std::max(1.0, jobs_[i]->RunsLeft()));
    }
    if (open.empty()) return jobs_.size();
    return open[std::discrete_distribution<size_t>(weights.begin(), weights.end())(random_)];
  }

  // The same with a budget.
  size_t ChooseInBudget() {
    std::vector<size_t> open;
    std::vector<Prospect> prospects;
    for (size_t i = reported_; i < jobs_.size(); ++i) {
      if (states_[i] == State::kFinished) continue;
      open.push_back(i);
      prospects.push_back(jobs_[i]->prospect());
    }
    const double seconds_left = order_.budget_s - order_.clock();
    const std::vector<double> weights = BudgetWeights(prospects, seconds_left);
    if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; })) {
      return jobs_.size();
    }
    const size_t next = std::discrete_distribution<size_t>(weights.begin(), weights.end())(random_);
    const double share_s = EqualShare(prospects, seconds_left);
    most_s_ = prospects[next].run_s > share_s ? seconds_left : share_s;
    return open[next];
  }

  const absl::Span<const std::unique_ptr<SuiteJob>> jobs_;
  const SuiteOrder order_;
  std::vector<State> states_;
  std::mt19937_64 random_;
  size_t reported_ = 0;
  double most_s_ = std::numeric_limits<double>::infinity();  // for the next run, if it is limited
};

}  // namespace

void MakeSuiteRuns(absl::Span<const std::unique_ptr<SuiteJob>> jobs, const SuiteOrder& order,
                   const std::function<bool()>& is_interrupted) {
  SuiteRuns(jobs, order).Make(is_interrupted);
}

namespace {

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
