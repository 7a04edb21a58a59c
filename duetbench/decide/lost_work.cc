#include "duetbench/decide/lost_work.h"

#include <utility>
#include <vector>

#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

EmptyTally TallyOf(absl::Span<const RunResult> results, int variant) {
  EmptyTally sum{};
  for (const RunResult& result : results) Add(result.empty[variant], &sum);
  return sum;
}

}  // namespace

bool LacksWork(absl::Span<const RunResult> results, int variant) {
  const EmptyTally tally = TallyOf(results, variant);
  return tally.samples > 0 && 2 * tally.no_longer >= tally.samples;
}

double EmptyIterationNs(absl::Span<const RunResult> results, int variant) {
  std::vector<double> means;
  for (const RunResult& result : results) {
    const EmptyTally& tally = result.empty[variant];
    if (tally.samples > 0) means.push_back(tally.empty_ns / static_cast<double>(tally.samples));
  }
  return means.empty() ? 0 : stats::Median(std::move(means));
}

}  // namespace duetbench
