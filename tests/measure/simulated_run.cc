#include "tests/measure/simulated_run.h"

#include <algorithm>
#include <tuple>

#include "duetbench/measure/run_controller.h"
#include "gtest/gtest.h"

namespace duetbench {

uint64_t SimulatedRun::measured() const {
  return static_cast<uint64_t>(std::count_if(
      pairs.begin(), pairs.end(), [](const SimulatedPair& pair) { return pair.measured; }));
}

uint64_t SimulatedRun::iterations() const {
  uint64_t sum = 0;
  for (const SimulatedPair& pair : pairs) sum += pair.iterations;
  return sum;
}

Circumstances Costing(double old_ns, double new_ns) {
  Circumstances circumstances;
  const auto linear = [](double ns) {
    return [ns](uint64_t batch) { return ns * static_cast<double>(batch); };
  };
  circumstances.cost_ns[0] = linear(old_ns);
  circumstances.cost_ns[1] = linear(new_ns);
  return circumstances;
}

SimulatedRun Simulate(RunPlan plan, const Circumstances& circumstances) {
  plan.ns_per_tick = 0.5;
  const auto ticks = [&plan](double ns) { return static_cast<uint64_t>(ns / plan.ns_per_tick); };
  RunController sides[2] = {{plan, circumstances.first_assignment, circumstances.capacity},
                            {plan, circumstances.first_assignment, circumstances.capacity}};
  SimulatedRun simulated;
  SampleTime times[2];
  constexpr double kBeginNs = 1e15;
  double now_ns = kBeginNs;
  for (int meeting = 0; meeting < 10'000'000; ++meeting) {
    const uint64_t reference = ticks(now_ns);
    const bool swap = sides[0].Advance(reference, times);
    const bool partner_swaps = sides[1].Advance(reference, times);
    const auto decisions = [reference](const RunController& side) {
      return std::tuple(side.has_ended(), side.pair_index(), side.iterations(), side.block(),
                        side.assignment(), side.IsMeasured(reference));
    };
    if (partner_swaps != swap || decisions(sides[0]) != decisions(sides[1])) {
      ADD_FAILURE() << "the sides disagree at iteration " << sides[0].pair_index();
      return simulated;
    }
    if (sides[0].has_ended()) {
      simulated.ns = now_ns - kBeginNs;
      simulated.batch = sides[0].batch();
      simulated.sample_ns = sides[0].sample_ns();
      for (int i = 0; i < 2; ++i) {
        simulated.nothing_to_measure[i] = sides[0].nothing_to_measure(i);
      }
      return simulated;
    }
    if (swap) {
      now_ns += circumstances.swap_ns;
      continue;
    }
    const bool measured = sides[0].IsMeasured(reference);
    const uint64_t iterations = sides[0].iterations();
    simulated.pairs.push_back({iterations, sides[0].block(), sides[0].assignment(), measured});
    double slower_ns = 0;
    for (int i = 0; i < 2; ++i) {
      const double ns = circumstances.cost_ns[i](iterations);
      const double paused_ns = circumstances.pause_ns[i] * static_cast<double>(iterations);
      times[i] = {ticks(ns), ticks(paused_ns)};
      slower_ns = std::max(slower_ns, ns + paused_ns);
      sides[i].Close(measured);
    }
    now_ns += slower_ns + circumstances.meeting_ns + circumstances.set_up_ns;
  }
  ADD_FAILURE() << "no end";
  return simulated;
}

RunPlan PlannedRun(double budget_ns, double sample_ns) {
  RunPlan plan;
  plan.budget_ns = budget_ns;
  plan.batch = 1;
  plan.sample_ns = sample_ns;
  return plan;
}

std::map<uint32_t, std::set<uint8_t>> BlocksOf(const SimulatedRun& simulated) {
  std::map<uint32_t, std::set<uint8_t>> blocks;
  for (const SimulatedPair& pair : simulated.pairs) {
    blocks[pair.block].insert(pair.assignment);
  }
  return blocks;
}

}  // namespace duetbench
