#include "duetbench/runner/pacing.h"

#include <algorithm>
#include <cmath>

namespace duetbench {
namespace {

constexpr double kBlockNs = 4e6;
constexpr double kDiscardNs = 200e3;
constexpr uint32_t kDiscardIterations = 2;
constexpr double kLongIterationNs = 2e6;
constexpr double kWarmUpNs = 1e6;
// An operation so long is its own warm-up: caches and page tables are a small part of it.
constexpr double kVeryLongIterationNs = 500e6;

}  // namespace

uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, const RunPlan& plan) {
  const uint64_t limit =
      plan.max_batch > 0 ? std::min(plan.max_batch, kMostOperations) : kMostOperations;
  if (faster_ns >= plan.min_batch_ns || batch >= limit) return batch;
  // A little more than needed, so that the noise of one measurement does not ask for another step.
  const double wanted = 1.2 * plan.min_batch_ns / std::max(faster_ns, 1.0);
  const double grown = std::ceil(static_cast<double>(batch) * std::clamp(wanted, 1.0, 10.0));
  return std::min(limit, std::max(batch + 1, static_cast<uint64_t>(grown)));
}

Pacing PaceRun(const RunPlan& plan, double iteration_ns) {
  Pacing pacing{};
  pacing.warm_up_ns = plan.warm_up_ns;
  pacing.warm_up_iterations = iteration_ns < kVeryLongIterationNs ? 1 : 0;
  if (iteration_ns <= kLongIterationNs) {
    pacing.warm_up_ns += kWarmUpNs;
    pacing.discard_ns = kDiscardNs;
    pacing.discard_iterations = kDiscardIterations;
  }
  if (plan.schedule == Schedule::kInterleaved) {
    pacing.blocks = 1;
    pacing.block_ns = plan.budget_ns;
    return pacing;
  }
  const double block_ns = std::max(kBlockNs, iteration_ns);
  pacing.blocks = 2 * std::max(1u, static_cast<uint32_t>(plan.budget_ns / (2 * block_ns)));
  pacing.block_ns = plan.budget_ns / pacing.blocks;
  return pacing;
}

uint64_t MostIterations(const RunPlan& plan, const Pacing& pacing, double iteration_ns) {
  // Twice as fast as calibrated is faster than any noise makes an iteration.
  const double shortest_ns = std::max(iteration_ns / 2, plan.min_batch_ns / 4);
  const double timed = (plan.budget_ns + pacing.warm_up_ns) / shortest_ns;
  const double at_least = 4.0 * (pacing.blocks + pacing.warm_up_iterations) + 64;
  return static_cast<uint64_t>(std::min(timed + at_least, 4e6));
}

}  // namespace duetbench
