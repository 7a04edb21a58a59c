#include "duetbench/experiment/lost_work.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

// In ns per iteration. Disturbed samples count: where the CPUs are busy there are no others, and
// their fastest tenth was hardly disturbed.
std::vector<double> SampleTimes(const RunResult& result, int variant, double ns_per_tick) {
  std::vector<double> times;
  for (const PairRecord& pair : result.pairs) {
    if ((pair.flags & kNoTime) != 0) continue;
    times.push_back(pair.ticks[variant] * ns_per_tick /
                    static_cast<double>(pair.iterations[variant]));
  }
  return times;
}

double LowerDecile(std::vector<double> values) {
  const auto decile = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 10);
  std::nth_element(values.begin(), decile, values.end());
  return *decile;
}

}  // namespace

bool LacksWork(absl::Span<const RunResult> results, int variant, double ns_per_tick) {
  int known = 0;
  int without_work = 0;
  for (const RunResult& result : results) {
    if (!(result.empty_ns[variant] > 0)) continue;
    std::vector<double> times = SampleTimes(result, variant, ns_per_tick);
    if (times.empty()) continue;
    ++known;
    if (LowerDecile(std::move(times)) <= result.empty_ns[variant]) ++without_work;
  }
  return known > 0 && 2 * without_work >= known;
}

double EmptyIterationNs(absl::Span<const RunResult> results, int variant) {
  std::vector<double> known;
  for (const RunResult& result : results) {
    if (result.empty_ns[variant] > 0) known.push_back(result.empty_ns[variant]);
  }
  return known.empty() ? 0 : stats::Median(std::move(known));
}

}  // namespace duetbench
