#include "tools/stats/outliers.h"

#include <algorithm>
#include <vector>

namespace duetbench::stats {

std::optional<Outlier> FindOutlier(absl::Span<const double> values) {
  constexpr double kShare = 0.2;
  const std::size_t n = values.size();
  if (n < 3) return std::nullopt;
  std::vector<double> s(values.begin(), values.end());
  std::sort(s.begin(), s.end());
  const double high_gap = s[n - 1] - s[n - 2];
  const double low_gap = s[1] - s[0];
  const bool high = high_gap > kShare * (s[n - 2] - s[0]);
  const bool low = low_gap > kShare * (s[n - 1] - s[1]);
  if (!high && !low) return std::nullopt;
  const bool is_high = high && (!low || high_gap >= low_gap);
  const auto at = std::find(values.begin(), values.end(), is_high ? s[n - 1] : s[0]);
  return Outlier{static_cast<std::size_t>(at - values.begin()), is_high ? s[n - 2] : s[1]};
}

RunPairs WinsorizeRatios(RunPairs run) {
  std::vector<double> ratios;
  ratios.reserve(run.size());
  for (const Pair& pair : run) ratios.push_back(pair.new_time / pair.old_time);
  if (const std::optional<Outlier> outlier = FindOutlier(ratios)) {
    Pair& pair = run[outlier->index];
    pair.new_time = outlier->replacement * pair.old_time;
  }
  return run;
}

}  // namespace duetbench::stats
