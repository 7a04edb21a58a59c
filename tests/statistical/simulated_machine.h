#ifndef DUETBENCH_TESTS_STATISTICAL_SIMULATED_MACHINE_H_
#define DUETBENCH_TESTS_STATISTICAL_SIMULATED_MACHINE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/status/statusor.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/platform/random.h"
#include "tests/experiment/run_all.h"
#include "tests/statistical/normal.h"

namespace duetbench {

// A machine on which time is a number: its launcher answers the plans of the driver with pairs of
// two variants whose ratio is known, so that whole experiments can be simulated.

// The events on a simulated machine. Standard deviations and shifts are those of logarithms of
// times. All of it is symmetric between the variants, but for the warm-up, which ends: the true
// ratio is `ratio`.
struct SimulatedWorld {
  const char* name;
  double ratio = 1;
  double common_sd = 0.02;  // of a pair, for both variants alike
  double pair_sd = 0.01;    // of a sample
  double run_sd = 0.001;    // of a variant in a run
  // Offset of the ratio that wanders over seconds, whatever the runs: stationary standard deviation
  // and correlation time.
  double wander_sd = 0;
  double wander_s = 3;
  // In this share of the runs either variant is in another mode.
  double mode_share = 0;
  double mode = 0;
  // In this share of the runs samples vary by this much more, for 3 to 8 runs in succession.
  double burst_share = 0;
  double burst_factor = 10;
  // Samples with exponential interference, of this mean relative to the sample, of either variant.
  double hit_share = 0;
  double hit_mean = 1;
  // The excess of new at the start of a run, and the time in which it decays by a factor of e.
  double warm_up = 0;
  double warm_up_ns = 2e6;
  // Samples of either variant that take `slow_factor` times as long.
  double slow_share = 0;
  double slow_factor = 1;
};

// One experiment on the machine. The clock goes on from run to run.
class SimulatedMachine {
 public:
  static constexpr double kSampleNs = 400e3;
  static constexpr double kStartNs = 3e6;

  SimulatedMachine(const SimulatedWorld& world, std::uint64_t seed, std::uint64_t stream)
      : world_(world), random_(seed, stream) {
    wander_ = world.wander_sd * normal_.Next();
  }

  RunLauncher Launcher() {
    return [this](const RunPlan& plan) -> absl::StatusOr<RunOfPairs> { return Run(plan); };
  }

 private:
  RunOfPairs Run(const RunPlan& plan) {
    RunResult result;
    result.start_s = now_s_;
    result.batch = plan.batch > 0 ? plan.batch : 100;
    result.sample_ns = kSampleNs;
    Wander(kStartNs * 1e-9);
    run_offset_[0] = world_.run_sd * normal_.Next() + Mode();
    run_offset_[1] = world_.run_sd * normal_.Next() + Mode();
    factor_ = InBurst() ? world_.burst_factor : 1;
    // Samples at the same time, or one after the other.
    const bool concurrent = RunsConcurrently(plan.schedule);
    const double pair_ns = kSampleNs * (concurrent ? 1 : 2);
    const double measured_ns = plan.budget_ns;
    const int pairs =
        measured_ns > 0 ? std::max(4, static_cast<int>(std::lround(measured_ns / pair_ns))) : 0;
    for (int i = 0; i < pairs; ++i) {
      result.pairs.push_back(MakePair(plan, i, pairs, plan.warm_up_ns + i * pair_ns));
    }
    const double wall_ns = kStartNs + plan.warm_up_ns + std::max(kSampleNs, measured_ns);
    Wander((wall_ns - kStartNs) * 1e-9);
    result.wall_ns = result.process_ns = wall_ns;
    return {result};
  }

  PairRecord MakePair(const RunPlan& plan, int index, int pairs, double since_ns) {
    PairRecord pair{};
    pair.pair_index = static_cast<std::uint64_t>(index);
    pair.block = static_cast<std::uint32_t>(index / 5);
    pair.assignment = pair.block % 2;
    // The last pairs of each half of the run are solo.
    const int half = std::max(1, pairs / 2);
    if (index % half >= half * (1 - plan.solo_share)) pair.flags |= kSolo;
    const double common = world_.common_sd * factor_ * normal_.Next();
    for (int v = 0; v < 2; ++v) {
      double log_time = common + run_offset_[v] + world_.pair_sd * factor_ * normal_.Next();
      if (v == 1) {
        log_time += std::log(world_.ratio) + wander_ +
                    world_.warm_up * std::exp(-since_ns / world_.warm_up_ns);
      }
      double time = kSampleNs * std::exp(log_time);
      if (random_.Uniform() < world_.hit_share) {
        time *= 1 + world_.hit_mean * -std::log1p(-random_.Uniform());
      }
      if (random_.Uniform() < world_.slow_share) time *= world_.slow_factor;
      pair.iterations[v] = std::max<std::uint64_t>(1, plan.batch);
      pair.ticks[v] = time / plan.ns_per_tick;
      pair.cpu_ns[v] = time;
      pair.cpus[v] = plan.cpus[(static_cast<std::uint32_t>(v) ^ pair.assignment) & 1];
    }
    return pair;
  }

  double Mode() { return random_.Uniform() < world_.mode_share ? world_.mode : 0; }

  bool InBurst() {
    if (burst_runs_ > 0) {
      --burst_runs_;
      return true;
    }
    // A burst has 5.5 runs on average.
    if (random_.Uniform() < world_.burst_share / 5.5) {
      burst_runs_ = 2 + static_cast<int>(random_.Below(6));
      return true;
    }
    return false;
  }

  // Ornstein and Uhlenbeck's process, exactly.
  void Wander(double seconds) {
    now_s_ += seconds;
    const double kept = std::exp(-seconds / world_.wander_s);
    wander_ = kept * wander_ + std::sqrt(1 - kept * kept) * world_.wander_sd * normal_.Next();
  }

  const SimulatedWorld world_;
  stats::Random random_;
  stats::Normal normal_{random_};
  double now_s_ = 0;
  double wander_ = 0;
  double run_offset_[2] = {0, 0};
  double factor_ = 1;
  int burst_runs_ = 0;
};

// The machine as the driver sees it.
inline Machine MachineOfSimulation() {
  Machine machine;
  machine.cpus.cpus[0] = 0;
  machine.cpus.cpus[1] = 1;
  machine.ns_per_tick = 1;
  machine.clock_step_ns = 1;
  machine.clock_overhead_ns = 20;
  return machine;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_STATISTICAL_SIMULATED_MACHINE_H_
