#include "duetbench/evidence/lost_work.h"

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
  const EmptyTally tally = TallyOf(results, variant);
  return tally.samples > 0 ? tally.empty_ns / static_cast<double>(tally.samples) : 0;
}

}  // namespace duetbench
