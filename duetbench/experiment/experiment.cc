#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/experiment/summarize.h"

namespace duetbench {
namespace {

constexpr double kStartUpShare = 0.25;
// Variants are set up a second time in a run if that costs less than this part of its measuring
// time.
constexpr double kSetUpShare = 0.25;
// A batch must dwarf the clock, on top of its usual length.
constexpr double kClocksPerBatch = 1000;
constexpr double kMinBatchNs = 50e3;
// The interval of a single run needs a few pairs.
constexpr uint32_t kMinBlocksOfSingleRun = 4;
// A run whose samples are said to take so long has no warm-up and discards no pair.
constexpr double kNoWarmUpNs = 1e9;
// What seeing that variants disturb each other may cost of the measuring time.
constexpr double kAloneShare = 0.1;

RunPlan BasicPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan;
  plan.seed = options.seed;
  plan.schedule = options.schedule;
  if (plan.schedule == Schedule::kCrossed) plan.alone_share = kAloneShare;
  plan.fill = options.fill && !options.calls ? 1 : 0;
  plan.calls = options.calls ? 1 : 0;
  plan.ns_per_tick = machine.ns_per_tick;
  plan.cpus[0] = machine.cpus.cpus[0];
  plan.cpus[1] = machine.cpus.cpus[options.schedule == Schedule::kInterleaved ? 0 : 1];
  plan.resolution_ns = std::max(machine.clock_step_ns, machine.clock_overhead_ns);
  plan.min_batch_ns = std::max(kMinBatchNs, kClocksPerBatch * plan.resolution_ns);
  plan.fixed_iterations = options.fixed_iterations;
  plan.warm_up_ns = options.warm_up * 1e9;
  plan.max_pairs = options.max_pairs;
  plan.timeout_ns = options.timeout * 1e9;
  plan.manual_time = options.manual_time ? 1 : 0;
  plan.self = options.self;
  for (const Event& event : options.events) {
    if (plan.events < kMaxEvents) plan.event_codes[plan.events++] = event.code;
  }
  return plan;
}

// Compares what the variants do, in one iteration of each.
RunPlan CheckPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan = BasicPlan(options, machine);
  plan.check_equal = 1;
  plan.fixed_iterations = 1;
  plan.batch = 1;
  return plan;
}

RunPlan DryRunPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan = BasicPlan(options, machine);
  plan.batch = 1;
  plan.sample_ns = kNoWarmUpNs;
  plan.warm_up_ns = 0;
  plan.fixed_iterations = 1;
  plan.max_pairs = 1;
  plan.budget_ns = 1;
  return plan;
}

// What a fixed number of iterations takes; 0 if it is not fixed.
double FixedNs(const RunPlan& plan) {
  return plan.sample_ns * static_cast<double>(plan.fixed_iterations) /
         static_cast<double>(std::max<uint64_t>(plan.batch, 1));
}

// Divides the measuring time into `runs` runs.
void PlanTime(double seconds, int runs, double set_up_ns, RunPlan* plan) {
  plan->budget_ns = seconds * 1e9 / runs;
  if (runs == 1) {
    plan->min_blocks = kMinBlocksOfSingleRun;
  } else if (set_up_ns <= kSetUpShare * plan->budget_ns &&
             FixedNs(*plan) <= plan->budget_ns / kMaxRounds) {
    plan->rounds = kMaxRounds;
  }
}

// The runs of one experiment, one after the other.
class Experiment {
 public:
  Experiment(const ExperimentOptions& options, const Machine& machine, const RunLauncher& launch,
             const Progress& progress, StoppingRule* stopping_rule)
      : options_(options),
        machine_(machine),
        launch_(launch),
        progress_(progress),
        stopping_rule_(options.runs == 0 ? stopping_rule : nullptr) {}

  ExperimentResult Run() {
    if (Measured()) return std::move(result_);
    if (failure_.error.cause.empty()) {
      failure_.error.cause = "was interrupted before there was a result";
    }
    ExperimentResult failed;
    failed.outcome = std::move(failure_);
    return failed;
  }

 private:
  // Whether there is a result: a run may fail, or none be finished before the user interrupts.
  bool Measured() {
    if (options_.check_equal && !Launch(CheckPlan(options_, machine_), -1)) return false;
    return options_.dry_run ? LaunchDryRun() : LaunchRuns();
  }

  // Launches a run into last_. False where the experiment ends: by a failure in `run`, or by an
  // interruption.
  bool Launch(const RunPlan& plan, int run) {
    absl::StatusOr<LaunchedRun> launched = launch_(plan);
    if (!launched.ok()) {
      failure_.error.cause = std::string(launched.status().message());
      failure_.run = run;
      return false;
    }
    interrupted_ = launched->interrupted;
    if (interrupted_) return false;
    if (!launched->result.error.cause.empty()) {
      failure_.error = std::move(launched->result.error);
      if (!failure_.error.skipped) failure_.run = run;
      return false;
    }
    last_ = *std::move(launched);
    return true;
  }

  bool LaunchDryRun() {
    if (!Launch(DryRunPlan(options_, machine_), 0)) return false;
    result_ = SummarizeDryRun(std::move(last_.result), options_, machine_.ns_per_tick);
    return true;
  }

  bool LaunchRuns() {
    RunPlan plan = BasicPlan(options_, machine_);
    int runs = options_.runs;
    double set_up_ns = 0;
    // A run with a fixed number of iterations has none to spare for its own calibration.
    if (runs != 1 || options_.fixed_iterations > 0) {
      progress_(0, runs, options_.min_time);
      if (!Launch(plan, 0)) return false;
      plan.batch = last_.result.batch;
      plan.sample_ns = last_.result.sample_ns;
      set_up_ns = last_.result.set_up_ns;
      wall_ns_ = last_.wall_ns;
      if (runs == 0) runs = ChooseRuns(options_.min_time, (wall_ns_ + set_up_ns) * 1e-9);
    }
    FixedRuns fixed_runs(runs, options_.min_time);
    StoppingRule& rule = stopping_rule_ != nullptr ? *stopping_rule_ : fixed_runs;
    PlanTime(std::min(options_.min_time, rule.SecondsLeft(0, 0)), runs, set_up_ns, &plan);

    std::vector<RunResult> results;
    while (rule.Continue(results, wall_ns_)) {
      const auto run = static_cast<int>(results.size());
      progress_(run, rule.runs(), rule.SecondsLeft(run, wall_ns_));
      plan.run = static_cast<uint32_t>(run);
      if (!Launch(plan, run)) break;
      wall_ns_ += std::max(last_.wall_ns, last_.result.wall_ns);  // of a process, or in this one
      results.push_back(std::move(last_.result));
    }
    if (!failure_.error.cause.empty() || (interrupted_ && results.empty())) return false;

    result_ = Summarize(std::move(results), options_, machine_.ns_per_tick, rule.final_share());
    result_.wall_s = wall_ns_ * 1e-9;
    if (options_.fixed_iterations > 0 && options_.fill) {
      result_.notices.push_back({Notice::Kind::kNotFilled, {}, ""});
    }
    if (Estimate* const estimate = result_.estimate()) {
      estimate->measuring_s = plan.budget_ns * 1e-9 * estimate->runs;
      estimate->interrupted = interrupted_;
      estimate->runs_planned =
          stopping_rule_ != nullptr && !interrupted_ ? estimate->runs : rule.runs();
    }
    return true;
  }

  const ExperimentOptions& options_;
  const Machine& machine_;
  const RunLauncher& launch_;
  const Progress& progress_;
  StoppingRule* const stopping_rule_;  // null: a number of runs that is known before

  LaunchedRun last_;
  Failure failure_;
  bool interrupted_ = false;
  double wall_ns_ = 0;  // of all processes so far
  ExperimentResult result_;
};

}  // namespace

int ChooseRuns(double min_time, double overhead) {
  const double runs = kStartUpShare * min_time / std::max(overhead, 1e-6);
  return static_cast<int>(std::clamp(runs, double{kMinRuns}, double{kMaxRuns}));
}

ExperimentResult RunExperiment(const ExperimentOptions& options, const Machine& machine,
                               const RunLauncher& launch, const Progress& progress,
                               StoppingRule* stopping_rule) {
  return Experiment(options, machine, launch, progress, stopping_rule).Run();
}

}  // namespace duetbench
