#include "duetbench/experiment/variant_state.h"

#include <utility>
#include <vector>

#include "duetbench/experiment/measuring_policy.h"
#include "duetbench/stats/robust.h"

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

}  // namespace

std::optional<SlowFirstIteration> FindSlowFirstIteration(absl::Span<const RunResult> results,
                                                         int variant, double ns_per_tick) {
  std::vector<double> first;
  std::vector<double> usual;
  size_t slow = 0;
  for (const RunResult& result : results) {
    const FirstIteration& iteration = result.first_iteration[variant];
    const double usual_ns = UsualNs(result, variant, ns_per_tick);
    if (iteration.iterations == 0 || !(usual_ns > 0)) continue;
    const double more_ns = iteration.ns - usual_ns * static_cast<double>(iteration.iterations);
    const double explained_ns =
        kMeasuringPolicy.cold_start_ns +
        kMeasuringPolicy.cold_fault_ns * static_cast<double>(iteration.faults);
    first.push_back(usual_ns + more_ns);
    usual.push_back(usual_ns);
    const bool is_slow = first.back() > kMeasuringPolicy.slow_first_iteration * usual_ns;
    if (is_slow && more_ns > explained_ns) ++slow;
  }
  if (first.empty() || 2 * slow <= first.size()) return std::nullopt;
  return SlowFirstIteration{stats::Median(std::move(first)), stats::Median(std::move(usual))};
}

}  // namespace duetbench
