#ifndef DUETBENCH_TESTS_MEASURE_SIMULATED_RUN_H_
#define DUETBENCH_TESTS_MEASURE_SIMULATED_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "duetbench/record/plan.h"

// Runs that are simulated: the clock moves by what the iterations and the swaps are said to take.
namespace duetbench {

struct SimulatedPair {
  uint64_t iterations;
  uint32_t block;
  uint8_t assignment;
  bool measured;
};

struct SimulatedRun {
  std::vector<SimulatedPair> pairs;
  double ns = 0;  // from the first meeting to the last
  uint64_t batch = 0;
  double sample_ns = 0;
  bool nothing_to_measure[2] = {};

  uint64_t measured() const;
  uint64_t iterations() const;
};

// The world in which two controllers work.
struct Circumstances {
  // The time that a batch with that number of iterations takes either variant.
  std::function<double(uint64_t)> cost_ns[2];
  double pause_ns[2] = {0, 0};  // of an iteration, besides its cost
  double meeting_ns = 1000;
  double set_up_ns = 0;  // of both, before each pair
  double swap_ns = 20e3;
  int first_assignment = 0;
  size_t capacity = std::numeric_limits<size_t>::max();
};

// Each iteration of a variant takes as long.
Circumstances Costing(double old_ns, double new_ns);

// The controllers of both loops in one run, which must agree in every decision.
SimulatedRun Simulate(RunPlan plan, const Circumstances& circumstances);

// A batch of one iteration that is not calibrated.
RunPlan PlannedRun(double budget_ns, double sample_ns);

// The assignment of each block.
std::map<uint32_t, std::set<uint8_t>> BlocksOf(const SimulatedRun& simulated);

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_MEASURE_SIMULATED_RUN_H_
