#include "duetbench/runner/experiment.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/runner/gate_looks.h"

namespace duetbench {
namespace {

constexpr double kStartUpShare = 0.25;
// Variants are set up a second time in a run if that costs less than this part of its measuring
// time.
constexpr double kSetUpShare = 0.25;
// A batch must dwarf the clock, on top of its usual length.
constexpr double kClocksPerBatch = 1000;
constexpr double kMinBatchNs = 50e3;

RunPlan BasicPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan;
  plan.seed = options.seed;
  plan.schedule = options.schedule;
  plan.fill = options.fill ? 1 : 0;
  plan.ns_per_tick = machine.ns_per_tick;
  plan.cpus[0] = machine.cpus.cpus[0];
  plan.cpus[1] = machine.cpus.cpus[options.schedule == Schedule::kInterleaved ? 0 : 1];
  plan.resolution_ns = std::max(machine.clock_step_ns, machine.clock_overhead_ns);
  plan.min_batch_ns = std::max(kMinBatchNs, kClocksPerBatch * plan.resolution_ns);
  plan.max_batch = options.iterations;
  plan.operations = options.operations;
  plan.warm_up_ns = options.warm_up * 1e9;
  plan.max_pairs = options.max_pairs;
  plan.timeout_ns = options.timeout * 1e9;
  plan.manual_time = options.manual_time ? 1 : 0;
  plan.self = options.self;
  for (const Event& event : options.events) {
    if (plan.events < kMostEvents) plan.event_codes[plan.events++] = event.code;
  }
  return plan;
}

// What a fixed number of operations takes; 0 if it is not fixed.
double FixedNs(const RunPlan& plan) {
  return plan.iteration_ns * static_cast<double>(plan.operations) /
         static_cast<double>(std::max<uint64_t>(plan.batch, 1));
}

Comparison Failed(int run, RunError error) {
  Comparison comparison;
  comparison.error = std::move(error);
  if (!comparison.error.skipped) comparison.error_run = run;
  return comparison;
}

// One operation of each variant.
RunPlan CheckPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan = BasicPlan(options, machine);
  plan.check_equal = 1;
  plan.operations = 1;
  plan.batch = 1;
  return plan;
}

constexpr char kInterruptedEarly[] = "was interrupted before there was a result";

// An operation that is said to take so long is not warmed up, and nothing is discarded before it.
constexpr double kNoWarmUpNs = 1e9;

Comparison DryRun(const ExperimentOptions& options, const Machine& machine,
                  const RunLauncher& launch) {
  RunPlan plan = BasicPlan(options, machine);
  plan.batch = 1;
  plan.iteration_ns = kNoWarmUpNs;
  plan.warm_up_ns = 0;
  plan.operations = 1;
  plan.max_pairs = 1;
  plan.budget_ns = 1;
  absl::StatusOr<LaunchedRun> launched = launch(plan);
  if (!launched.ok()) return Failed(0, {-1, std::string(launched.status().message())});
  if (!launched->result.error.cause.empty()) return Failed(0, std::move(launched->result.error));
  if (launched->interrupted) return Failed(-1, {-1, kInterruptedEarly});
  return SummarizeDryRun(std::move(launched->result), options, machine.ns_per_tick);
}

}  // namespace

int ChooseRuns(double min_time, double overhead) {
  const double runs = kStartUpShare * min_time / std::max(overhead, 1e-6);
  return static_cast<int>(std::clamp(runs, double{kFewestRuns}, double{kMostRuns}));
}

Comparison RunExperiment(const ExperimentOptions& options, const Machine& machine,
                         const RunLauncher& launch, const Progress& progress) {
  bool interrupted = false;
  if (options.check_equal) {
    absl::StatusOr<LaunchedRun> checked = launch(CheckPlan(options, machine));
    if (!checked.ok()) return Failed(-1, {-1, std::string(checked.status().message())});
    if (!checked->result.error.cause.empty()) return Failed(-1, std::move(checked->result.error));
    interrupted = checked->interrupted;
  }
  if (options.dry_run && !interrupted) return DryRun(options, machine, launch);
  RunPlan plan = BasicPlan(options, machine);
  int runs = options.runs;
  const bool sequential = options.gate.exists() && runs == 0;
  std::vector<RunResult> results;
  double set_up_ns = 0;
  double wall_ns = 0;  // of all processes so far

  // A run with a fixed number of operations has none to spare for its own calibration.
  if (!interrupted && (runs != 1 || options.operations > 0)) {
    progress(0, std::max(runs, 0), options.min_time);
    absl::StatusOr<LaunchedRun> pilot = launch(plan);
    if (!pilot.ok()) return Failed(0, {-1, std::string(pilot.status().message())});
    if (!pilot->result.error.cause.empty()) return Failed(0, std::move(pilot->result.error));
    interrupted = pilot->interrupted;
    plan.batch = pilot->result.batch;
    plan.iteration_ns = pilot->result.iteration_ns;
    set_up_ns = pilot->result.set_up_ns;
    wall_ns = pilot->wall_ns;
    if (runs == 0) runs = ChooseRuns(options.min_time, (pilot->wall_ns + set_up_ns) * 1e-9);
  }
  plan.budget_ns =
      std::min(options.min_time, sequential ? MaxTime(options) : options.min_time) * 1e9 / runs;
  if (runs > 1 && set_up_ns <= kSetUpShare * plan.budget_ns &&
      FixedNs(plan) <= plan.budget_ns / kMostRounds) {
    plan.rounds = kMostRounds;
  }
  if (runs == 1) plan.least_blocks = 4;  // the interval of a single run needs a few pairs

  GateLooks looks(options);
  if (sequential) runs = looks.next_runs();
  for (int run = 0; run < runs && !interrupted; ++run) {
    progress(run, runs,
             sequential ? std::max(0.0, MaxTime(options) - wall_ns * 1e-9)
                        : options.min_time * (runs - run) / runs);
    plan.run = static_cast<uint32_t>(run);
    absl::StatusOr<LaunchedRun> launched = launch(plan);
    if (!launched.ok()) return Failed(run, {-1, std::string(launched.status().message())});
    interrupted = launched->interrupted;
    if (interrupted) break;
    if (!launched->result.error.cause.empty())
      return Failed(run, std::move(launched->result.error));
    wall_ns +=
        std::max(launched->wall_ns, launched->result.wall_ns);  // of a process, or in this one
    results.push_back(std::move(launched->result));
    if (!sequential) continue;
    if (!looks.GoOn(results, machine.ns_per_tick, wall_ns)) break;
    runs = looks.next_runs();
  }

  Comparison comparison;
  if (interrupted && results.empty()) {
    comparison.error.cause = kInterruptedEarly;
  } else {
    comparison = Summarize(std::move(results), options, machine.ns_per_tick,
                           sequential ? looks.final() : Look());
    if (comparison.gate.has_value()) comparison.gate->time_spent = looks.time_spent();
    comparison.wall_s = wall_ns * 1e-9;
    comparison.measuring_s = plan.budget_ns * 1e-9 * comparison.runs;
  }
  if (options.operations > 0 && options.fill) {
    comparison.notices.emplace_back("not filled: filling executes more operations than asked for");
  }
  comparison.runs_planned = sequential && !interrupted ? comparison.runs : runs;
  comparison.interrupted = interrupted;
  // Of several planned runs the only one that was finished is still a process of its own, but as
  // blind to the others.
  return comparison;
}

}  // namespace duetbench
