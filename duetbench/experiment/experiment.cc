#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/experiment/mutual_disturbance.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/experiment/summarize.h"

namespace duetbench {
namespace {

constexpr double kStartUpShare = 0.1;
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
  plan.schedule = options.schedule.value_or(Schedule::kDuet);
  if (LoopCount(plan.schedule) > 2) plan.alone_share = kAloneShare;
  plan.fill = options.fill && !options.calls ? 1 : 0;
  plan.calls = options.calls ? 1 : 0;
  plan.ns_per_tick = machine.ns_per_tick;
  plan.cpus[0] = machine.cpus.cpus[0];
  plan.cpus[1] = machine.cpus.cpus[UsesTwoCpus(plan.schedule) ? 1 : 0];
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

// Of each pilot run in the time of the experiment.
constexpr double kPilotShare = 0.025;
constexpr double kMaxPilotNs = 50e6;
// A shorter experiment has no pilots: they would be too short to tell anything.
constexpr double kMinTimeOfPilots = 0.2;
constexpr double kMinMeasuringShare = 0.25;
// With so many results it is looked whether the variants disturb each other, and at the end.
constexpr size_t kDisturbanceLooks[] = {4, 8, 16};

// Divides the wall time that is left into `runs` runs, each of which costs `overhead_ns` over and
// above its measuring time.
void PlanTime(double left_ns, double min_ns, int runs, double overhead_ns, double set_up_ns,
              RunPlan* plan) {
  plan->budget_ns = std::max(left_ns - overhead_ns * runs, min_ns) / runs;
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

  // The schedule is chosen if none is demanded, there are two CPUs, and each run ends by time.
  bool MayChoose() const {
    return !options_.schedule.has_value() && machine_.cpus.cpus[0] != machine_.cpus.cpus[1] &&
           options_.fixed_iterations == 0 && options_.max_pairs == 0 && options_.runs != 1 &&
           !options_.calls;
  }

  bool LaunchRuns() {
    effective_ = options_;
    effective_.schedule =
        options_.schedule.value_or(MayChoose() ? Schedule::kCrossed : Schedule::kDuet);
    if (options_.fixed_iterations > 0 && LoopCount(*effective_.schedule) > 2) {
      effective_.schedule = Schedule::kDuet;  // else a set-up would serve a part of the iterations
    }
    RunPlan plan = BasicPlan(effective_, machine_);
    // A run with a fixed number of iterations has none to spare for its own calibration.
    if ((options_.runs != 1 || options_.fixed_iterations > 0) && !LaunchPilots(&plan)) return false;

    const int runs =
        options_.runs > 0
            ? options_.runs
            : ChooseRuns(options_.min_time, (overhead_ns_ + set_up_ns_) * 1e-9, options_.layouts);
    FixedRuns fixed_runs(runs, std::max(0.0, options_.min_time - wall_ns_ * 1e-9));
    StoppingRule& rule = stopping_rule_ != nullptr ? *stopping_rule_ : fixed_runs;
    double all_ns = 1e9 * options_.min_time;
    if (stopping_rule_ != nullptr) all_ns = std::min(all_ns, 1e9 * rule.SecondsLeft(0, 0));
    PlanTime(all_ns - wall_ns_, kMinMeasuringShare * all_ns, runs, overhead_ns_, set_up_ns_, &plan);

    std::vector<RunResult> results;
    do {
      if (!LaunchUntilDone(rule, &plan, &results)) break;
    } while (GoesOnAlternating(rule, &plan, &results));
    if (!failure_.error.cause.empty() || (interrupted_ && results.empty())) return false;

    result_ = Summarize(std::move(results), effective_, machine_.ns_per_tick, rule.final_share());
    result_.wall_s = wall_ns_ * 1e-9;
    AddNotices();
    if (Estimate* const estimate = result_.estimate()) {
      estimate->measuring_s = plan.budget_ns * 1e-9 * estimate->runs;
      estimate->interrupted = interrupted_;
      estimate->runs_planned =
          stopping_rule_ != nullptr && !interrupted_ ? estimate->runs : rule.runs();
      estimate->mutual_disturbance = mutual_disturbance_;
      estimate->schedule_reason = reason_;
    }
    return true;
  }

  // Calibrates, and chooses the schedule of `plan` where it is not demanded.
  bool LaunchPilots(RunPlan* plan) {
    progress_(0, options_.runs, options_.min_time);
    const bool compares = MayChoose() && options_.min_time >= kMinTimeOfPilots;
    if (compares) plan->budget_ns = std::min(kMaxPilotNs, kPilotShare * options_.min_time * 1e9);
    if (!LaunchPilot(*plan)) return false;
    plan->batch = last_.result.batch;
    plan->sample_ns = last_.result.sample_ns;
    set_up_ns_ = last_.result.set_up_ns;
    overhead_ns_ = std::max(0.0, last_.wall_ns - plan->budget_ns - set_up_ns_);
    if (!MayChoose()) return true;
    // Four set-ups in each run are too dear.
    if (set_up_ns_ * kMinRuns > kSetUpShare * options_.min_time * 1e9) {
      reason_ = "its two set-ups in each run are cheaper than four";
      ChangeSchedule(Schedule::kDuet, plan);
      set_up_ns_ /= 2;
      return true;
    }
    if (!compares) return true;
    std::vector<RunResult> results;
    std::vector<double> walls;
    std::vector<Schedule> schedules;
    // Not kUncoupled, in which a variant may run twice at once, and what it captures would need a
    // lock; nor kDuet, which does not show whether the variants disturb each other.
    constexpr Schedule kCandidates[] = {Schedule::kCrossed, Schedule::kInterleaved};
    for (const Schedule candidate : kCandidates) {
      if (candidate != Schedule::kCrossed) {
        ChangeSchedule(candidate, plan);
        if (!LaunchPilot(*plan)) return false;
      }
      results.push_back(std::move(last_.result));
      walls.push_back(last_.wall_ns);
      schedules.push_back(candidate);
    }
    std::vector<Pilot> pilots;
    for (size_t i = 0; i < results.size(); ++i) {
      pilots.push_back({schedules[i], &results[i], walls[i]});
    }
    const ScheduleChoice choice = ChooseSchedule(pilots, effective_, machine_.ns_per_tick);
    reason_ = choice.reason;
    ChangeSchedule(choice.schedule, plan);
    return true;
  }
  bool LaunchPilot(const RunPlan& plan) {
    if (!Launch(plan, 0)) return false;
    wall_ns_ += std::max(last_.wall_ns, last_.result.wall_ns);
    return true;
  }

  void ChangeSchedule(Schedule schedule, RunPlan* plan) {
    effective_.schedule = schedule;
    const RunPlan basic = BasicPlan(effective_, machine_);
    plan->schedule = schedule;
    plan->alone_share = basic.alone_share;
    std::copy(std::begin(basic.cpus), std::end(basic.cpus), std::begin(plan->cpus));
  }

  // Launches runs until the rule has enough of them. False: the experiment ends before.
  bool LaunchUntilDone(StoppingRule& rule, RunPlan* plan, std::vector<RunResult>* results) {
    while (rule.Continue(*results, wall_ns_)) {
      const auto run = static_cast<int>(results->size());
      progress_(run, rule.runs(), rule.SecondsLeft(run, wall_ns_));
      plan->run = first_run_ + static_cast<uint32_t>(run);
      if (!Launch(*plan, run)) return false;
      // Of a process, or in this one.
      wall_ns_ += std::max(last_.wall_ns, last_.result.wall_ns);
      results->push_back(std::move(last_.result));
      results->back().layout = LayoutOfRun(plan->run, options_.layouts);
      const bool looks = std::find(std::begin(kDisturbanceLooks), std::end(kDisturbanceLooks),
                                   results->size()) != std::end(kDisturbanceLooks);
      if (looks && DisturbanceFound(*results) && !options_.schedule.has_value()) return true;
    }
    return true;
  }

  bool DisturbanceFound(const std::vector<RunResult>& results) {
    if (effective_.schedule == Schedule::kAlternating) return false;
    const std::optional<MutualDisturbance> found = FindMutualDisturbance(results);
    if (found.has_value()) mutual_disturbance_ = found;
    return found.has_value() && DisturbEachOther(*found, options_.margin);
  }

  // Where the variants disturb each other, their ratio at the same time is not what a user deploys:
  // the results are given up, and those of one variant at a time follow.
  bool GoesOnAlternating(StoppingRule& rule, RunPlan* plan, std::vector<RunResult>* results) {
    if (!DisturbanceFound(*results)) return false;
    disturb_each_other_ = true;
    if (options_.schedule.has_value()) return false;
    reason_ = "old and new disturb each other when they run at the same time";
    ChangeSchedule(Schedule::kAlternating, plan);
    first_run_ += static_cast<uint32_t>(results->size());
    results->clear();
    rule.Restart();
    return true;
  }

  void AddNotices() {
    if (options_.fixed_iterations > 0 && options_.fill) {
      result_.notices.push_back({Notice::Kind::kNotFilled, {}, ""});
    }
    if (disturb_each_other_) {
      const auto kind = options_.schedule.has_value() ? Notice::Kind::kMeasuredTogether
                                                      : Notice::Kind::kDisturbEachOther;
      result_.notices.push_back(
          {kind, {mutual_disturbance_->ratio_alone, mutual_disturbance_->ratio_together}, ""});
    }
  }

  const ExperimentOptions& options_;
  const Machine& machine_;
  const RunLauncher& launch_;
  const Progress& progress_;
  StoppingRule* const stopping_rule_;  // null: a number of runs that is known before

  LaunchedRun last_;
  Failure failure_;
  bool interrupted_ = false;
  ExperimentOptions effective_;  // with the schedule that is used
  std::string reason_;           // of its choice
  double set_up_ns_ = 0;         // of one run
  double overhead_ns_ = 0;       // of one run, without set-ups and measuring
  uint32_t first_run_ = 0;       // of the results that count
  std::optional<MutualDisturbance> mutual_disturbance_;
  bool disturb_each_other_ = false;
  double wall_ns_ = 0;  // of all processes so far
  ExperimentResult result_;
};

}  // namespace

int ChooseRuns(double min_time, double overhead, int layouts) {
  const double runs = kStartUpShare * min_time / std::max(overhead, 1e-6);
  const int chosen = static_cast<int>(std::clamp(runs, double{kMinRuns}, double{kMaxRuns}));
  if (layouts <= 1) return chosen;
  const int runs_of_layout = std::max(kMinRunsOfLayout, chosen / layouts);
  return layouts * runs_of_layout;
}

ExperimentResult RunExperiment(const ExperimentOptions& options, const Machine& machine,
                               const RunLauncher& launch, const Progress& progress,
                               StoppingRule* stopping_rule) {
  return Experiment(options, machine, launch, progress, stopping_rule).Run();
}

}  // namespace duetbench
