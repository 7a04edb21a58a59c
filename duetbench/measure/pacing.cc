#include "duetbench/measure/pacing.h"

#include <algorithm>
#include <cmath>

#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

// No batch of the slower variant grows beyond this because its partner is much faster.
constexpr double kMaxBatchNs = 10e6;
// Unless the faster one cannot be measured otherwise: an iteration of 10 ns with a pause of 1 ms
// needs a sample of 50.
constexpr double kMaxUnresolvedBatchNs = 100e6;
constexpr double kResolutionsPerBatch = 20;
// So many iterations take no time only if there is no work in them.
constexpr uint64_t kMaxBatchIterations = uint64_t{1} << 32;

// Factors of a step of a calibration.
constexpr double kLeastGrowth = 1.1;
constexpr double kMostGrowth = 10;
// The same of calls whose set-up takes more than ten times as long as their iterations.
constexpr double kMostGrowthOfCalls = 1000;
constexpr double kShareOfSetUp = 0.1;

constexpr double kBlockNs = 0.75e6;
constexpr double kPairsPerBlock = 10;
constexpr double kDiscardNs = 200e3;
constexpr uint32_t kDiscardPairs = 2;
constexpr double kWarmUpNs = 1e6;
// Shortest length of a solo segment. Shorter ones, in more of the runs, would not show the effect
// of a warm cache.
constexpr double kWarmBlockNs = 4e6;
constexpr uint64_t kMinSoloPairs = 3;
// With a segment, and what is cold after it, a shorter run would have no other samples.
constexpr double kMinRunWithSegmentNs = 4e6;
// An iteration this long is its own warm-up: caches and page tables are a small part of it.
constexpr double kVeryLongSampleNs = 500e6;
constexpr double kVeryLongCallNs = 20e6;

double BlockNs(double sample_ns) {
  const bool is_long = sample_ns > kLongSampleNs;
  return std::max(kBlockNs, is_long ? sample_ns : kPairsPerBlock * sample_ns);
}

}  // namespace

uint64_t NextCalibrationBatch(uint64_t batch, double faster_ns, double slower_ns,
                              const RunPlan& plan, double set_up_ns) {
  const double least_ns = std::max(plan.min_batch_ns, kShareOfSetUp * set_up_ns);
  if (faster_ns >= least_ns || batch >= kMaxBatchIterations) return batch;
  // A little more than needed, so that the noise of one measurement does not ask for another step.
  const double wanted = 1.2 * least_ns / std::max(faster_ns, 1.0);
  const double longest_ns =
      IsBelowResolution(faster_ns, plan) ? kMaxUnresolvedBatchNs : kMaxBatchNs;
  const double affordable = longest_ns / std::max(slower_ns, 1.0);
  const bool is_expensive = slower_ns < kShareOfSetUp * set_up_ns;
  const double factor =
      std::min({wanted, affordable, is_expensive ? kMostGrowthOfCalls : kMostGrowth});
  if (factor < kLeastGrowth) return batch;
  return std::min(kMaxBatchIterations,
                  static_cast<uint64_t>(std::ceil(static_cast<double>(batch) * factor)));
}

bool IsBelowResolution(double batch_ns, const RunPlan& plan) {
  return batch_ns < kResolutionsPerBatch * plan.resolution_ns;
}

bool TakesNoTime(double batch_ns, uint64_t batch, const RunPlan& plan) {
  if (plan.manual_time != 0) return false;
  constexpr double kMinIterationNs = 0.05;
  return IsBelowResolution(batch_ns, plan) ||
         batch_ns < kMinIterationNs * static_cast<double>(batch);
}

Pacing PaceRun(const RunPlan& plan, double sample_ns) {
  Pacing pacing{};
  pacing.warm_up_ns = plan.warm_up_ns;
  const double very_long_ns = plan.calls != 0 ? kVeryLongCallNs : kVeryLongSampleNs;
  pacing.warm_up_pairs = sample_ns < very_long_ns ? 1 : 0;
  const bool is_long = sample_ns > kLongSampleNs;
  if (!is_long) {
    pacing.warm_up_ns += kWarmUpNs;
    pacing.discard_ns = kDiscardNs;
    pacing.discard_pairs = sample_ns >= kDiscardNs ? 1 : kDiscardPairs;
  }
  if (!UsesTwoCpus(plan.schedule) || plan.one_pair != 0) {
    pacing.blocks = 1;
  } else {
    const double block_ns = BlockNs(sample_ns);
    pacing.blocks = 2 * std::max(1u, static_cast<uint32_t>(plan.budget_ns / (2 * block_ns)));
  }
  pacing.block_ns = plan.budget_ns / pacing.blocks;
  return pacing;
}

FixedPacing PaceFixed(const RunPlan& plan) {
  FixedPacing pacing{};
  pacing.pieces = std::clamp(plan.fixed_iterations / std::max<uint64_t>(plan.batch, 1), uint64_t{1},
                             kMaxPieces);
  if (!UsesTwoCpus(plan.schedule) || pacing.pieces < 2) {
    pacing.blocks = 1;
  } else {
    const double run_ns = plan.sample_ns * static_cast<double>(pacing.pieces);
    const auto block_pairs = static_cast<uint64_t>(run_ns / (2 * BlockNs(plan.sample_ns)));
    pacing.blocks = 2 * std::clamp(block_pairs, uint64_t{1}, pacing.pieces / 2);
  }
  pacing.discard = pacing.pieces / pacing.blocks / 8;
  return pacing;
}

SoloPacing PaceSolo(const RunPlan& plan, double sample_ns) {
  SoloPacing pacing{};
  const double sample = std::max(sample_ns, 1.0);
  if (plan.schedule == Schedule::kAlternating) {
    pacing.segments = 1;
    const double longest_block_ns = plan.budget_ns / plan.variants;
    // The sample of a plan with calls is a call of each variant.
    const double call_ns = plan.calls != 0 ? sample / plan.variants : sample;
    pacing.pairs = static_cast<uint64_t>(std::max(1.0, longest_block_ns / call_ns));
    const auto transient = static_cast<uint64_t>(kMeasuringPolicy.transient_ns / call_ns);
    pacing.discard = std::min(pacing.pairs / 2, transient);
  } else {
    const double block_ns = plan.budget_ns * plan.solo_share / plan.variants;
    const uint64_t least = sample > kLongSampleNs ? 1 : kMinSoloPairs;
    // All blocks of a segment take half of the run at most.
    const double longest_ns = plan.budget_ns / (2.0 * plan.variants);
    const double warm_ns = std::min(kWarmBlockNs, longest_ns);
    pacing.pairs = std::max(least, static_cast<uint64_t>(std::max(block_ns, warm_ns) / sample));
    const double needed_ns = sample * static_cast<double>(pacing.pairs);
    const bool is_long = plan.budget_ns >= kMinRunWithSegmentNs;
    const bool fits = is_long && block_ns > 0 && needed_ns <= longest_ns;
    // A segment that takes several times its share is in one of as many runs.
    const uint64_t turn = fits ? static_cast<uint64_t>(std::ceil(needed_ns / block_ns)) : 0;
    const bool has_one = turn > 0 && (plan.run < kMeasuringPolicy.looks[0] || plan.run % turn == 0);
    pacing.segments = has_one ? 1 : 0;
    pacing.discard = pacing.pairs / 3;
  }
  return pacing;
}

uint64_t MaxMeasured(const RunPlan& plan, const Pacing& pacing, double sample_ns) {
  if (plan.fixed_iterations > 0) return kMaxPieces;
  // Iterations may get faster after calibration, but no meeting is shorter than a microsecond.
  const double shortest_ns = std::max(sample_ns / 8, 1000.0);
  const double measured = plan.budget_ns / shortest_ns + 4.0 * pacing.blocks + 64;
  return static_cast<uint64_t>(std::min(measured, 4e6));
}

}  // namespace duetbench
