#include "duetbench/runner/pacing.h"

#include <algorithm>
#include <cmath>

namespace duetbench {
namespace {

// No batch grows beyond this for the sake of a much faster partner.
constexpr double kLongestBatchNs = 10e6;
constexpr double kResolutionsPerBatch = 20;
// Above this number of operations there is no work in them.
constexpr uint64_t kMostOperations = uint64_t{1} << 32;

constexpr double kBlockNs = 0.75e6;
constexpr double kIterationsPerBlock = 10;
constexpr double kDiscardNs = 200e3;
constexpr uint32_t kDiscardIterations = 2;
constexpr double kLongIterationNs = 2e6;
constexpr double kWarmUpNs = 1e6;
// An operation so long is its own warm-up: caches and page tables are a small part of it.
constexpr double kVeryLongIterationNs = 500e6;

}  // namespace

uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, double slower_ns,
                              const RunPlan& plan) {
  const uint64_t limit =
      plan.max_batch > 0 ? std::min(plan.max_batch, kMostOperations) : kMostOperations;
  if (faster_ns >= plan.min_batch_ns || batch >= limit) return batch;
  // A little more than needed, so that the noise of one measurement does not ask for another step.
  const double wanted = 1.2 * plan.min_batch_ns / std::max(faster_ns, 1.0);
  const double affordable = kLongestBatchNs / std::max(slower_ns, 1.0);
  const double factor = std::min({wanted, affordable, 10.0});
  if (factor < 1.1) return batch;
  return std::min(limit, static_cast<uint64_t>(std::ceil(static_cast<double>(batch) * factor)));
}

bool IsBelowResolution(double batch_ns, const RunPlan& plan) {
  return batch_ns < kResolutionsPerBatch * plan.resolution_ns;
}

namespace {

double BlockNs(double iteration_ns) {
  const bool is_long = iteration_ns > kLongIterationNs;
  return std::max(kBlockNs, is_long ? iteration_ns : kIterationsPerBlock * iteration_ns);
}

}  // namespace

Pacing PaceRun(const RunPlan& plan, double iteration_ns) {
  Pacing pacing{};
  pacing.warm_up_ns = plan.warm_up_ns;
  pacing.warm_up_iterations = iteration_ns < kVeryLongIterationNs ? 1 : 0;
  const bool is_long = iteration_ns > kLongIterationNs;
  if (!is_long) {
    pacing.warm_up_ns += kWarmUpNs;
    pacing.discard_ns = kDiscardNs;
    pacing.discard_iterations = iteration_ns >= kDiscardNs ? 1 : kDiscardIterations;
  }
  if (plan.schedule == Schedule::kInterleaved || plan.max_pairs == 1) {
    pacing.blocks = 1;
  } else {
    const double block_ns = BlockNs(iteration_ns);
    pacing.blocks = 2 * std::max(plan.least_blocks > 2 ? plan.least_blocks / 2 : 1u,
                                 static_cast<uint32_t>(plan.budget_ns / (2 * block_ns)));
  }
  pacing.block_ns = plan.budget_ns / pacing.blocks;
  if (plan.max_pairs > 0) {
    pacing.most_in_block = (plan.max_pairs + pacing.blocks - 1) / pacing.blocks;
  }
  return pacing;
}

FixedPacing PaceFixed(const RunPlan& plan) {
  FixedPacing pacing{};
  pacing.pieces =
      std::clamp(plan.operations / std::max<uint64_t>(plan.batch, 1), uint64_t{1}, kMostPieces);
  if (plan.schedule == Schedule::kInterleaved || pacing.pieces < 2) {
    pacing.blocks = 1;
  } else {
    const double run_ns = plan.iteration_ns * static_cast<double>(pacing.pieces);
    const auto block_pairs = static_cast<uint64_t>(run_ns / (2 * BlockNs(plan.iteration_ns)));
    pacing.blocks = 2 * std::clamp(block_pairs, uint64_t{1}, pacing.pieces / 2);
  }
  pacing.discard = pacing.pieces / pacing.blocks / 8;
  return pacing;
}

uint64_t MostMeasured(const RunPlan& plan, const Pacing& pacing, double iteration_ns) {
  if (plan.operations > 0) return kMostPieces;
  // Operations may get faster after calibration, but no meeting is shorter than a microsecond.
  const double shortest_ns = std::max(iteration_ns / 8, 1000.0);
  const double measured = plan.budget_ns / shortest_ns + 4.0 * pacing.blocks + 64;
  return static_cast<uint64_t>(std::min(measured, 4e6));
}

}  // namespace duetbench
