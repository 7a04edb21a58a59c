#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/pilots.h"
#include "duetbench/experiment/run_sequence.h"
#include "duetbench/experiment/schedule_in_use.h"
#include "duetbench/experiment/stationarity.h"
#include "duetbench/experiment/summarize.h"

namespace duetbench {
namespace {

constexpr double kMinMeasuringShare = 0.25;
// With so many results it is looked whether the variants are warm and disturb each other, and at
// the end.
constexpr size_t kLooks[] = {4, 8, 16};
// With more results, another schedule would cost more time than it is worth.
constexpr size_t kMaxRunsToGiveUp = 8;

// The runs of one experiment, one after the other.
class Experiment {
 public:
  Experiment(const ExperimentOptions& options, const Machine& machine, const RunLauncher& launch,
             const Progress& progress, StoppingRule* stopping_rule)
      : options_(options),
        machine_(machine),
        progress_(progress),
        stopping_rule_(options.runs == 0 ? stopping_rule : nullptr),
        runs_(launch),
        schedule_(options, machine),
        pilots_(options, machine, &schedule_, &runs_) {}

  ExperimentResult Run() {
    if (Measured()) return std::move(result_);
    ExperimentResult failed;
    failed.outcome = runs_.failure();
    if (Failure& failure = std::get<Failure>(failed.outcome); failure.error.cause.empty()) {
      failure.error.cause = "was interrupted before there was a result";
    }
    return failed;
  }

 private:
  // Whether there is a result: a run may fail, or none be finished before the user interrupts.
  bool Measured() {
    if (options_.check_equal && !runs_.Launch(CheckPlan(options_, machine_), -1)) return false;
    return options_.dry_run ? LaunchDryRun() : LaunchRuns();
  }

  bool LaunchDryRun() {
    if (!runs_.Launch(DryRunPlan(options_, machine_), 0)) return false;
    result_ = SummarizeDryRun(std::move(runs_.last().result), options_, machine_.ns_per_tick);
    return true;
  }

  bool LaunchRuns() {
    RunPlan plan = MeasuringPlan(schedule_.options(), machine_);
    // A run with a fixed number of iterations has none to spare for its own calibration.
    if (options_.runs != 1 || options_.fixed_iterations > 0) {
      progress_(0, options_.runs, options_.min_time);
      if (!pilots_.Launch(&plan)) return false;
    }
    runs_.EndPilots();
    const RunCosts& costs = pilots_.costs();
    const double wall_ns = runs_.account().wall_ns;
    const int runs = options_.runs > 0
                         ? options_.runs
                         : ChooseRunsFor(costs, options_.min_time,
                                         options_.min_time * 1e9 - wall_ns, options_.layouts);
    FixedRuns fixed_runs(runs, std::max(0.0, options_.min_time - wall_ns * 1e-9));
    StoppingRule& rule = stopping_rule_ != nullptr ? *stopping_rule_ : fixed_runs;
    double all_ns = 1e9 * options_.min_time;
    if (stopping_rule_ != nullptr) all_ns = std::min(all_ns, 1e9 * rule.SecondsLeft(0, 0));
    DivideTime(all_ns - wall_ns, kMinMeasuringShare * all_ns, runs, costs, &plan);
    if (schedule_.CannotTellDisturbance(plan, runs)) schedule_.ChangeToUnverified(&plan);
    if (plan.batch > 0) ExtendTimeout(options_.timeout, costs, &plan);

    std::vector<RunResult> results;
    if (!LaunchUntilDone(rule, &plan, &results) && (!runs_.interrupted() || results.empty())) {
      return false;
    }
    SummarizeRuns(rule, plan, std::move(results));
    return true;
  }

  // Launches runs until the rule has enough of them. False: the experiment ends before.
  bool LaunchUntilDone(StoppingRule& rule, RunPlan* plan, std::vector<RunResult>* results) {
    for (;;) {
      const double wall_ns = runs_.account().wall_ns;
      const bool is_done = !rule.Continue(*results, wall_ns);
      const bool looks = is_done || std::find(std::begin(kLooks), std::end(kLooks),
                                              results->size()) != std::end(kLooks);
      if (looks) {
        while (FindsDrift(*results) && LengthenWarmUp(plan, results)) {
        }
      }
      if (looks && schedule_.FindsDisturbance(*results) && !schedule_.IsDemanded()) {
        // Their ratio together is not what a user deploys.
        schedule_.ChangeToOneAtATime(plan);
        StartAgain(rule, results);
        continue;
      }
      const bool may_give_up = !is_done && looks && results->size() <= kMaxRunsToGiveUp;
      if (may_give_up && schedule_.FindsSlowMomentsInTurns(*results)) {
        schedule_.ChangeToAtTheSameTime(plan);
        StartAgain(rule, results);
        continue;
      }
      if (is_done) return true;
      const auto run = static_cast<int>(results->size());
      progress_(run, rule.runs(), rule.SecondsLeft(run, wall_ns));
      plan->run = first_run_ + static_cast<uint32_t>(run);
      if (!runs_.Launch(*plan, run)) return false;
      results->push_back(std::move(runs_.last().result));
      results->back().layout = LayoutOfRun(plan->run, options_.layouts);
    }
  }

  bool FindsDrift(const std::vector<RunResult>& results) {
    const std::optional<RatioDrift> found = FindRatioDrift(results);
    drift_.reset();
    if (found.has_value() && IsDrifting(*found, options_.margin)) drift_ = found;
    return drift_.has_value();
  }

  // Of the runs so far and of those to come. False: it is as long as it may be.
  bool LengthenWarmUp(RunPlan* plan, std::vector<RunResult>* results) {
    const double budget_ns = plan->budget_ns;
    if (!duetbench::LengthenWarmUp(plan)) return false;
    const double share = 1 - plan->budget_ns / budget_ns;
    for (RunResult& result : *results) LeaveOutWarmUp(share, &result);
    runs_.LeaveOutWarmUp(share);
    return true;
  }

  // The results so far are given up.
  void StartAgain(StoppingRule& rule, std::vector<RunResult>* results) {
    first_run_ += static_cast<uint32_t>(results->size());
    results->clear();
    runs_.EndPilots();
    rule.Restart();
  }

  void SummarizeRuns(const StoppingRule& rule, const RunPlan& plan,
                     std::vector<RunResult> results) {
    result_ = Summarize(std::move(results), schedule_.options(), machine_.ns_per_tick,
                        rule.final_share());
    result_.wall_s = runs_.account().wall_ns * 1e-9;
    if (options_.fixed_iterations > 0 && options_.fill) {
      result_.notices.push_back({Notice::Kind::kNotFilled, {}, ""});
    }
    pilots_.AddTo(&result_);
    if (drift_.has_value()) {
      result_.notices.push_back(
          {Notice::Kind::kNotStationary, {drift_->log_ratio, plan.warm_up_ns * 1e-9}, ""});
    }
    schedule_.AddTo(&result_);
    Estimate* const estimate = result_.estimate();
    if (estimate == nullptr) return;
    estimate->measuring_s = plan.budget_ns * 1e-9 * estimate->runs;
    estimate->interrupted = runs_.interrupted();
    estimate->runs_planned =
        stopping_rule_ != nullptr && !runs_.interrupted() ? estimate->runs : rule.runs();
    estimate->threads = options_.threads;
    estimate->time = runs_.account();
  }

  const ExperimentOptions& options_;
  const Machine& machine_;
  const Progress& progress_;
  StoppingRule* const stopping_rule_;  // null: a number of runs that is known before

  RunSequence runs_;
  ScheduleInUse schedule_;
  Pilots pilots_;
  uint32_t first_run_ = 0;           // of the results that count
  std::optional<RatioDrift> drift_;  // within the runs, as last looked
  ExperimentResult result_;
};

}  // namespace

ExperimentResult RunExperiment(const ExperimentOptions& options, const Machine& machine,
                               const RunLauncher& launch, const Progress& progress,
                               StoppingRule* stopping_rule) {
  return Experiment(options, machine, launch, progress, stopping_rule).Run();
}

}  // namespace duetbench
