#include "duetbench/stats/few_runs.h"

#include <algorithm>
#include <cmath>

#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kMinSpread = 0.001;
constexpr double kSpreadsToPass = 16;

}  // namespace

double LeastSpread(std::size_t runs) { return runs < kManyRuns ? kMinSpread : 0; }

void WidenToLeastSpread(absl::Span<const double> run_log_ratios, double share,
                        RatioInterval* interval) {
  const auto n = static_cast<double>(run_log_ratios.size());
  const double alpha = (1 - interval->level) * share;
  const double half = TwoSidedT(alpha, n - 1) * LeastSpread(run_log_ratios.size()) / std::sqrt(n);
  interval->lo = std::min(interval->lo, interval->ratio * std::exp(-half));
  interval->hi = std::max(interval->hi, interval->ratio * std::exp(half));
}

bool MayPassEarly(absl::Span<const double> run_log_ratios, double lo, double hi) {
  if (run_log_ratios.size() >= kManyRuns) return true;
  const double mean = Mean(run_log_ratios);
  return std::min(std::log(hi) - mean, mean - std::log(lo)) >=
         kSpreadsToPass * LeastSpread(run_log_ratios.size());
}

}  // namespace duetbench::stats
