#ifndef DUETBENCH_TESTS_TOOLS_STATS_EXACT_BOOTSTRAP_H_
#define DUETBENCH_TESTS_TOOLS_STATS_EXACT_BOOTSTRAP_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace duetbench::stats {

// The distribution of the mean of a resample of R values, from every way to draw R of them.
class ExactBootstrap {
 public:
  explicit ExactBootstrap(const std::vector<double>& values) : values_(values) {
    Enumerate(0, values.size(), 0, 1);
    std::sort(means_.begin(), means_.end());
  }

  // The smallest mean with at least the probability p at or below it.
  double Quantile(double p) const {
    double below = 0;
    for (const auto& [mean, probability] : means_) {
      below += probability;
      if (below >= p - 1e-12) return mean;
    }
    return means_.back().first;
  }

  // The largest mean with more than the probability q at or above it, less ties: the quantile of
  // 1 - q without forming 1 - q.
  double UpperQuantile(double q) const {
    double above = 0;
    for (auto it = means_.rbegin(); it != means_.rend(); ++it) {
      above += it->second;
      if (above > q + 1e-12 * q) return it->first;
    }
    return means_.front().first;
  }

 private:
  // `left` draws are still to be made among values_[next...]; `weight` is the probability so far.
  void Enumerate(std::size_t next, std::size_t left, double sum, double weight) {
    const auto n = static_cast<double>(values_.size());
    if (next + 1 == values_.size()) {
      sum += static_cast<double>(left) * values_[next];
      means_.emplace_back(sum / n, weight * std::pow(1 / n, static_cast<double>(left)));
      return;
    }
    double ways = 1;  // left! / (k! (left-k)!) / n^k
    for (std::size_t k = 0; k <= left; ++k) {
      Enumerate(next + 1, left - k, sum + static_cast<double>(k) * values_[next], weight * ways);
      ways *= static_cast<double>(left - k) / static_cast<double>(k + 1) / n;
    }
  }

  std::vector<double> values_;
  std::vector<std::pair<double, double>> means_;  // mean, probability
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_TOOLS_STATS_EXACT_BOOTSTRAP_H_
