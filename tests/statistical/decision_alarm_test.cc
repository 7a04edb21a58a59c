// The error rates of the product: its driver and its decision, by default options, in experiments
// on a simulated machine. Prints the figures.
//
// DUETBENCH_SIMULATED_EXPERIMENTS=N: experiments of a cell, in place of 20,000.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/simulated_experiments.h"

namespace duetbench {
namespace {

constexpr double kLevel = 0.99;

int Experiments(int of_default) {
  const char* const wanted = std::getenv("DUETBENCH_SIMULATED_EXPERIMENTS");
  return wanted != nullptr && std::atoi(wanted) > 0 ? std::atoi(wanted) : of_default;
}

// Promises about verdicts and intervals.
enum class Promise {
  kLevel,       // they are wrong as rarely as the level says
  kHalfMargin,  // the ratio is known within half of the margin
  kNothing,     // runs depend on each other: the figures are what there is to know
};

struct NamedWorld {
  SimulatedWorld world;
  Promise promise = Promise::kLevel;
};

NamedWorld White() { return {{"white"}}; }
NamedWorld Modes() {
  SimulatedWorld world{"modes"};
  world.mode_share = 0.1;
  world.mode = 0.01;
  return {world};
}
NamedWorld HeavyTails() {
  SimulatedWorld world{"tails"};
  world.hit_share = 0.05;
  world.hit_mean = 2;
  return {world};
}
NamedWorld SlowPath() {
  SimulatedWorld world{"path"};
  world.slow_share = 0.01;
  world.slow_factor = 10;
  return {world};
}
// Runs are trimmed only where the ratio drifts by more than half of the margin (stationarity.h).
NamedWorld WarmUp() {
  SimulatedWorld world{"jit"};
  world.warm_up = 0.03;
  return {world, Promise::kHalfMargin};
}
NamedWorld Bursts() {
  SimulatedWorld world{"bursts"};
  world.burst_share = 0.2;
  return {world, Promise::kNothing};
}
// Runs of a second see one value of the offset rather than many.
NamedWorld Wandering() {
  SimulatedWorld world{"autocorrelated"};
  world.wander_sd = 0.003;
  return {world, Promise::kNothing};
}

using Cell = std::tuple<NamedWorld (*)(), double>;

class SimulatedVerdicts : public testing::TestWithParam<Cell> {};

std::string NameOfCell(const testing::TestParamInfo<Cell>& info) {
  const double ratio = std::get<1>(info.param);
  return std::string(std::get<0>(info.param)().world.name) + "_" +
         std::to_string(std::lround(100 * ratio));
}

INSTANTIATE_TEST_SUITE_P(Worlds, SimulatedVerdicts,
                         testing::Combine(testing::Values(White, Modes, HeavyTails, SlowPath,
                                                          WarmUp, Bursts, Wandering),
                                          testing::Values(0.5, 0.99, 1.0, 1.01, 2.0)),
                         NameOfCell);

TEST_P(SimulatedVerdicts, AreFalseAsRarelyAsTheLevelSays) {
  auto [world, promise] = std::get<0>(GetParam())();
  world.ratio = std::get<1>(GetParam());
  const int experiments = Experiments(20'000);
  const VerdictTally tally = SimulateVerdicts(world, experiments);
  std::printf(
      "[ VERDICT ] %-15s ratio %.2f: false %.2f %%, missed %.2f %%, of %d; FASTER %.1f %%, "
      "SLOWER %.1f %%, EQUAL %.1f %%; width %.2f %%, %.1f runs\n",
      world.name, world.ratio, 100 * tally.share(tally.wrong), 100 * tally.share(tally.misses),
      tally.experiments, 100 * tally.share(tally.verdicts[0]), 100 * tally.share(tally.verdicts[1]),
      100 * tally.share(tally.verdicts[2]), 100 * tally.width(), tally.runs / tally.experiments);
  EXPECT_EQ(tally.without_ratio, 0);
  if (promise == Promise::kNothing) return;
  const bool is_at_an_edge = std::abs(std::abs(world.ratio - 1) - 0.01) < 1e-9;
  if (promise == Promise::kHalfMargin && is_at_an_edge) return;
  EXPECT_LE(tally.wrong, stats::MostOf(experiments, 1 - kLevel));
  if (promise == Promise::kHalfMargin) return;
  // The total ratio decides without a reason with this probability (decision_policy.h).
  EXPECT_LE(tally.misses, stats::MostOf(experiments, 1 - kLevel + stats::kDecision.tail_alpha));
}

class SimulatedGates : public testing::TestWithParam<NamedWorld (*)()> {};

INSTANTIATE_TEST_SUITE_P(Worlds, SimulatedGates,
                         testing::Values(White, Modes, HeavyTails, SlowPath, WarmUp, Bursts,
                                         Wandering),
                         [](const auto& info) { return std::string(info.param().world.name); });

void Print(const SimulatedWorld& world, const char* what, GateTally& tally) {
  std::printf("[ GATE ] %-15s %-18s of %d: %.2f %% PASS, %.2f %% FAIL; median runs %d\n",
              world.name, what, tally.experiments, 100.0 * tally.passed / tally.experiments,
              100.0 * tally.failed / tally.experiments, tally.MedianRuns());
}

// Where it hurts most: new is exactly as slow as it may be.
TEST_P(SimulatedGates, AtTheLimitAreWrongAsRarelyAsTheLevelSays) {
  auto [world, promise] = GetParam()();
  world.ratio = 1.05;
  const int experiments = Experiments(20'000);
  GateTally tally = SimulateGates(world, GateSpec::MaxRatio(1.05), experiments);
  Print(world, "at the limit", tally);
  EXPECT_EQ(tally.runs.size(), static_cast<std::size_t>(experiments));
  if (promise != Promise::kLevel) return;
  EXPECT_LE(tally.failed, stats::MostOf(experiments, (1 - kLevel) / 2));
  EXPECT_LE(tally.passed, stats::MostOf(experiments, (1 - kLevel) / 2));
}

}  // namespace
}  // namespace duetbench
