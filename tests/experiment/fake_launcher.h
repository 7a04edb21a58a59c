#ifndef DUETBENCH_TESTS_EXPERIMENT_FAKE_LAUNCHER_H_
#define DUETBENCH_TESTS_EXPERIMENT_FAKE_LAUNCHER_H_

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tests/experiment/run_all.h"
#include "tests/measure/pair_of.h"

namespace duetbench {

inline constexpr uint64_t kBatch = 77;
inline constexpr double kSampleNs = 61'000;

// Runs that nobody executes: keeps the plans, and gives back pairs with a ratio of 1.05.
class FakeLauncher {
 public:
  // new / old in a run with this plan, by 200 pairs, if it is set; runs differ.
  std::function<double(const RunPlan& plan, int call)> ratio;
  // Changes the answer to the call with this number (from 0, the calibration counted).
  std::function<void(int call, RunOfPairs*)> change = [](int, RunOfPairs*) {};
  double wall_ns = 3e6;
  // Calibrations with this schedule wait for their CPUs most of the time.
  std::optional<Schedule> waits_in;
  int unavailable_from = 1000;  // calls from this one on fail

  RunLauncher Launcher() {
    return [this](const RunPlan& plan) -> absl::StatusOr<RunOfPairs> {
      const int call = static_cast<int>(plans.size());
      plans.push_back(plan);
      if (call >= unavailable_from) return absl::UnavailableError("no more processes");
      RunOfPairs launched(1);
      launched.front().process_ns = wall_ns;
      launched.front().batch = plan.batch == 0 ? kBatch : plan.batch;
      launched.front().sample_ns = kSampleNs;
      for (uint32_t i = 0; plan.budget_ns > 0 && i < 20; ++i) {
        launched.front().pairs.push_back(PairOf(100, 105 + 0.01 * plan.run, i));
      }
      if (ratio && plan.budget_ns > 0) {
        const double of_run = ratio(plan, call) * (1 + 1e-3 * (plan.run % 3));
        launched.front().pairs = Noisy(0.0005, 200, std::log(of_run)).pairs;
        for (PairRecord& pair : launched.front().pairs) {  // they fill the time of the run
          const double ticks = plan.budget_ns / plan.ns_per_tick / 200;
          pair.ticks[1] *= ticks / (1 + of_run) / pair.ticks[0];
          pair.ticks[0] = ticks / (1 + of_run);
        }
      }
      change(call, &launched);
      if (plan.is_pilot != 0 && plan.schedule == waits_in) {
        launched.front().wall_ns = launched.front().process_ns = 4 * plan.budget_ns;
      }
      return launched;
    };
  }

  std::vector<RunPlan> plans;
};

// A launcher whose runs have these log-ratios, in turn.
inline FakeLauncher WithLogRatios(std::vector<double> log_ratios) {
  FakeLauncher launcher;
  launcher.change = [log_ratios = std::move(log_ratios)](int call, RunOfPairs* launched) {
    const double log_ratio = log_ratios[static_cast<size_t>(call) % log_ratios.size()];
    for (PairRecord& pair : launched->front().pairs) pair.ticks[1] = 100 * std::exp(log_ratio);
  };
  return launcher;
}

inline Machine TwoCpus() {
  Machine machine;
  machine.cpus.cpus[0] = 2;
  machine.cpus.cpus[1] = 5;
  machine.ns_per_tick = 0.5;
  machine.clock_step_ns = 10;
  machine.clock_overhead_ns = 20;
  return machine;
}

inline Comparison RunExperiment(FakeLauncher& launcher, const ExperimentOptions& options = {}) {
  return RunExperiment(options, TwoCpus(), launcher.Launcher());
}

// In short turns new takes 1.1 times as long as old, in blocks as long.
inline void GiveColdCaches(const RunPlan& plan, RunOfPairs* launched) {
  launched->front().pairs = Noisy(0.002, 200).pairs;
  for (size_t i = 0; i < launched->front().pairs.size(); ++i) {
    PairRecord& pair = launched->front().pairs[i];
    const bool is_solo = plan.solo_share > 0 && i % 100 >= 60;
    if (is_solo) pair.flags |= kSolo;
    pair.pair_index = i;
    pair.ticks[1] *= is_solo || plan.schedule == Schedule::kAlternating ? 1 : 1.1;
    pair.ticks[1] *= 1 + 1e-4 * (plan.run % 3);
  }
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_EXPERIMENT_FAKE_LAUNCHER_H_
