#include "duetbench/estimate/run_reports.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace duetbench {
namespace {

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

}  // namespace

void SetReports(const std::vector<RunResult>& results, Measured* measured) {
  for (int variant = 0; variant < 2; ++variant) {
    measured->variants[variant] = results.back().variants[variant];
    measured->variants[variant].counters = MeanCounters(results, variant);
  }
}

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

}  // namespace duetbench
