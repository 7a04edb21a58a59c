#include "duetbench/runner/suite_budget.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace duetbench {
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
  for (size_t i = 0; i < prospects.size(); ++i) {
    if (fits(i)) weights[i] = std::max(0.0, prospects[i].first_runs);
  }
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; })) {
    return weights;
  }
  for (const size_t i : Decidable(prospects, seconds_left)) {
    // The larger the need, the larger its share of the time, up to all of it.
    const double most = seconds_left / prospects[i].run_s;
    if (fits(i)) weights[i] = std::clamp(prospects[i].runs_to_end, 1.0, std::max(1.0, most));
  }
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; })) {
    return weights;
  }
  for (size_t i = 0; i < prospects.size(); ++i) weights[i] = fits(i) ? 1 : 0;
  return weights;
}

}  // namespace duetbench
