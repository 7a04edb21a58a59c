#ifndef DUETBENCH_TESTS_STATISTICAL_SIMULATED_EXPERIMENTS_H_
#define DUETBENCH_TESTS_STATISTICAL_SIMULATED_EXPERIMENTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "tests/experiment/run_all.h"
#include "tests/statistical/simulated_machine.h"

namespace duetbench {

// Whole experiments on a simulated machine: the driver and the decision of the product, with its
// default options. Experiments have fixed seeds.

// Each kind of experiment in each world has another stream of random numbers.
inline std::uint64_t StreamOf(const SimulatedWorld& world, std::uint64_t kind) {
  const auto permille = static_cast<std::uint64_t>(std::lround(1000 * world.ratio));
  return (kind * 256 + static_cast<unsigned char>(world.name[0])) * 65536 + permille;
}

// True if `verdict` is false at the ratio `ratio`.
inline bool IsWrong(stats::Verdict verdict, double ratio, double margin) {
  switch (verdict) {
    case stats::Verdict::kFaster:
      return ratio >= 1;
    case stats::Verdict::kSlower:
      return ratio <= 1;
    case stats::Verdict::kEqual:
      return ratio < 1 / (1 + margin) || ratio > 1 + margin;
    case stats::Verdict::kInconclusive:
      break;
  }
  return false;
}

struct VerdictTally {
  int experiments = 0;
  int without_ratio = 0;
  int verdicts[4] = {0, 0, 0, 0};  // by stats::Verdict
  int wrong = 0;                   // of them
  int misses = 0;                  // intervals without the true ratio
  double log_widths = 0;           // sum of ln(hi / lo)
  double runs = 0;                 // sum

  void Add(const Comparison& comparison, double true_ratio) {
    ++experiments;
    if (!comparison.has_ratio()) {
      ++without_ratio;
      return;
    }
    ++verdicts[static_cast<int>(comparison.verdict)];
    if (IsWrong(comparison.verdict, true_ratio, comparison.margin)) ++wrong;
    const stats::RatioInterval& interval = comparison.interval;
    if (interval.lo > true_ratio || interval.hi < true_ratio) ++misses;
    log_widths += std::log(interval.hi / interval.lo);
    runs += comparison.runs;
  }
  double share(int count) const { return static_cast<double>(count) / experiments; }
  double width() const { return log_widths / experiments; }
};

inline VerdictTally SimulateVerdicts(const SimulatedWorld& world, int experiments) {
  VerdictTally tally;
  for (int i = 0; i < experiments; ++i) {
    SimulatedMachine simulated(world, static_cast<std::uint64_t>(i), StreamOf(world, 0));
    ExperimentOptions options;
    options.seed = static_cast<std::uint64_t>(i);
    tally.Add(RunExperiment(options, MachineOfSimulation(), simulated.Launcher()), world.ratio);
  }
  return tally;
}

struct GateTally {
  int experiments = 0;
  int passed = 0;
  int failed = 0;
  std::vector<int> runs;  // of each experiment

  int MedianRuns() {
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end());
    return *middle;
  }
};

inline GateTally SimulateGates(const SimulatedWorld& world, const GateSpec& spec, int experiments) {
  GateTally tally;
  for (int i = 0; i < experiments; ++i) {
    SimulatedMachine simulated(world, static_cast<std::uint64_t>(i), StreamOf(world, 1));
    ExperimentOptions options;
    options.seed = static_cast<std::uint64_t>(i);
    options.gates = {spec};
    const Comparison comparison =
        RunExperiment(options, MachineOfSimulation(), simulated.Launcher());
    ++tally.experiments;
    if (!comparison.has_ratio()) continue;
    tally.passed += comparison.gates[0].outcome == GateStatus::kPass ? 1 : 0;
    tally.failed += comparison.gates[0].outcome == GateStatus::kFail ? 1 : 0;
    tally.runs.push_back(comparison.runs);
  }
  return tally;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_STATISTICAL_SIMULATED_EXPERIMENTS_H_
