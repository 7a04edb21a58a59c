#include "duetbench/decide/variant_state.h"

#include <cmath>
#include <utility>
#include <vector>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

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

// Calls body(first iteration, ns of a usual one) for each run that has timed the first iteration of
// `variant`.
template <class Body>
void ForEachFirst(absl::Span<const RunResult> results, int variant, double ns_per_tick,
                  const Body& body) {
  for (const RunResult& result : results) {
    const FirstIteration& first = result.first_iteration[variant];
    const double usual_ns = UsualNs(result, variant, ns_per_tick);
    if (first.iterations > 0 && usual_ns > 0) body(first, usual_ns);
  }
}

}  // namespace

std::optional<SlowFirstIteration> FindSlowFirstIteration(absl::Span<const RunResult> results,
                                                         int variant, double ns_per_tick) {
  std::vector<double> first;
  std::vector<double> usual;
  size_t slow = 0;
  const auto add = [&](const FirstIteration& iteration, double usual_ns) {
    const double more_ns = iteration.ns - usual_ns * static_cast<double>(iteration.iterations);
    const double explained_ns =
        kMeasuringPolicy.cold_start_ns +
        kMeasuringPolicy.cold_fault_ns * static_cast<double>(iteration.faults);
    first.push_back(usual_ns + more_ns);
    usual.push_back(usual_ns);
    const bool is_slow = first.back() > kMeasuringPolicy.slow_first_iteration * usual_ns;
    if (is_slow && more_ns > explained_ns) ++slow;
  };
  ForEachFirst(results, variant, ns_per_tick, add);
  if (first.empty() || 2 * slow <= first.size()) return std::nullopt;
  return SlowFirstIteration{stats::Median(std::move(first)), stats::Median(std::move(usual))};
}

std::optional<double> FindSlowerThanFirst(absl::Span<const RunResult> results, int variant,
                                          double ns_per_tick) {
  std::vector<double> log_times;
  ForEachFirst(results, variant, ns_per_tick, [&](const FirstIteration& first, double usual_ns) {
    if (first.next_ns > 0) log_times.push_back(std::log(usual_ns / first.next_ns));
  });
  if (log_times.size() < kMeasuringPolicy.min_runs_of_drift) return std::nullopt;
  const double mean = stats::Mean(log_times);
  const bool is_notable = mean > std::log1p(kMeasuringPolicy.slowing_down_since_first) &&
                          stats::PairedTTest(log_times).p <= kMeasuringPolicy.drift_alpha;
  return is_notable ? std::optional<double>(std::exp(mean)) : std::nullopt;
}

}  // namespace duetbench
