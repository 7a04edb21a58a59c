#include "tools/duet_lab/meeting_summary.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "duetbench/stats/quantile.h"

namespace duetbench::lab {

MeetingSummary SummarizeMeetings(absl::Span<const MeetingStamps> first,
                                 absl::Span<const MeetingStamps> second, double ns_per_tick) {
  std::vector<double> skews;
  std::vector<double> costs;
  for (size_t i = 0; i < first.size(); ++i) {
    const auto skew = static_cast<int64_t>(first[i].start - second[i].start);
    skews.push_back(static_cast<double>(std::abs(skew)) * ns_per_tick);
    const uint64_t arrival = std::max(first[i].arrival, second[i].arrival);
    const uint64_t start = std::max(first[i].start, second[i].start);
    // Signed: the clocks of two CPUs may differ by a few ticks.
    costs.push_back(static_cast<double>(static_cast<int64_t>(start - arrival)) * ns_per_tick);
  }
  std::sort(skews.begin(), skews.end());
  std::sort(costs.begin(), costs.end());
  return {stats::QuantileType7(skews, 0.5), stats::QuantileType7(skews, 0.99),
          stats::QuantileType7(costs, 0.5), stats::QuantileType7(costs, 0.99)};
}

}  // namespace duetbench::lab
