#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/mutual_disturbance.h"
#include "duetbench/experiment/pacing.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/experiment/stationarity.h"
#include "duetbench/experiment/summarize.h"
#include "duetbench/experiment/time_account.h"

namespace duetbench {
namespace {

// Of each pilot run in the time of the experiment.
constexpr double kPilotShare = 0.025;
constexpr double kMaxPilotNs = 50e6;
// The interleaved pilot has as much time again, of segments in which one variant runs alone.
constexpr double kPilotAloneShare = 0.5;
// Where the pilot has nothing to choose, for seeing the threads that variants start.
constexpr double kMaxWatchNs = 10e6;
// A shorter experiment has no pilots: they would be too short to tell anything.
constexpr double kMinTimeOfPilots = 0.2;
constexpr double kMinMeasuringShare = 0.25;
// With so many results it is looked whether the variants disturb each other, and at the end.
constexpr size_t kDisturbanceLooks[] = {4, 8, 16};
// Why variants are measured one at a time.
constexpr char kAtTheSameTime[] = "old and new disturb each other when they run at the same time";
constexpr char kInTurns[] = "old and new disturb each other in turns, by what is in the caches";
// With more results, a longer warm-up would cost more time than it is worth.
constexpr size_t kMaxRunsToGiveUp = 8;

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
    account_.AddRun(last_.result, last_.wall_ns, plan);
    return true;
  }

  bool LaunchDryRun() {
    if (!Launch(DryRunPlan(options_, machine_), 0)) return false;
    result_ = SummarizeDryRun(std::move(last_.result), options_, machine_.ns_per_tick);
    return true;
  }

  // The schedule is chosen if none is demanded, there are two CPUs, and each run ends by time.
  bool MayChoose() const {
    return !options_.schedule.has_value() && !HasCpusForThreads(options_.cpus_per_variant) &&
           machine_.cpus.cpus[0] != machine_.cpus.cpus[1] && options_.fixed_iterations == 0 &&
           options_.max_pairs == 0 && options_.runs != 1 && !options_.calls;
  }

  // On one CPU there is nothing to demand.
  bool IsScheduleDemanded() const {
    return options_.schedule.has_value() && machine_.cpus.cpus[0] != machine_.cpus.cpus[1];
  }

  bool LaunchRuns() {
    effective_ = options_;
    effective_.schedule =
        options_.schedule.value_or(MayChoose() ? Schedule::kCrossed : Schedule::kDuet);
    if (options_.fixed_iterations > 0 && LoopCount(*effective_.schedule) > 2) {
      effective_.schedule = Schedule::kDuet;  // else a set-up would serve a part of the iterations
    }
    if (options_.fixed_iterations > 0 && effective_.schedule == Schedule::kAlternating) {
      effective_.schedule = Schedule::kInterleaved;  // blocks end by time
    }
    if (HasCpusForThreads(options_.cpus_per_variant)) effective_.schedule = Schedule::kInterleaved;
    RunPlan plan = MeasuringPlan(effective_, machine_);
    // A run with a fixed number of iterations has none to spare for its own calibration.
    if ((options_.runs != 1 || options_.fixed_iterations > 0) && !LaunchPilots(&plan)) return false;
    plan.watch_threads = 0;
    plan.is_pilot = 0;
    account_.EndPilots();

    const int runs = options_.runs > 0 ? options_.runs
                                       : ChooseRunsFor(costs_, options_.min_time,
                                                       options_.min_time * 1e9 - account_.wall_ns,
                                                       options_.layouts);
    FixedRuns fixed_runs(runs, std::max(0.0, options_.min_time - account_.wall_ns * 1e-9));
    StoppingRule& rule = stopping_rule_ != nullptr ? *stopping_rule_ : fixed_runs;
    double all_ns = 1e9 * options_.min_time;
    if (stopping_rule_ != nullptr) all_ns = std::min(all_ns, 1e9 * rule.SecondsLeft(0, 0));
    DivideTime(all_ns - account_.wall_ns, kMinMeasuringShare * all_ns, runs, costs_, &plan);
    if (plan.batch > 0) ExtendTimeout(options_.timeout, costs_, &plan);

    std::vector<RunResult> results;
    if (!LaunchUntilDone(rule, &plan, &results) && (!interrupted_ || results.empty())) return false;

    warm_up_ns_ = plan.warm_up_ns;
    result_ = Summarize(std::move(results), effective_, machine_.ns_per_tick, rule.final_share());
    result_.wall_s = account_.wall_ns * 1e-9;
    AddNotices();
    if (Estimate* const estimate = result_.estimate()) {
      estimate->measuring_s = plan.budget_ns * 1e-9 * estimate->runs;
      estimate->interrupted = interrupted_;
      estimate->runs_planned =
          stopping_rule_ != nullptr && !interrupted_ ? estimate->runs : rule.runs();
      estimate->mutual_disturbance = mutual_disturbance_;
      estimate->schedule_reason = reason_;
      estimate->has_narrowest_pilot = has_narrowest_pilot_;
      if (disturb_each_other_ && IsScheduleDemanded()) {
        estimate->measured_together = true;
        estimate->verdict = stats::Verdict::kInconclusive;
      }
      estimate->threads = options_.threads;
      estimate->time = account_;
      if (HasCpusForThreads(effective_.cpus_per_variant)) {
        estimate->cpus_per_variant = effective_.cpus_per_variant;
      }
    }
    return true;
  }

  bool LaunchCalibration(RunPlan* plan) {
    if (!Launch(*plan, 0)) return false;
    plan->batch = last_.result.batch;
    plan->sample_ns = last_.result.sample_ns;
    // What is called anew for each sample has its set-up there.
    costs_.set_up_ns = options_.calls ? 0 : last_.result.set_up_ns;
    costs_.calls_ns = FewestCallsNs(*plan);
    costs_.start_ns = options_.calls ? last_.wall_ns - last_.result.wall_ns
                                     : last_.wall_ns - plan->budget_ns - last_.result.set_up_ns;
    costs_.start_ns = std::max(0.0, costs_.start_ns);
    return true;
  }

  bool WatchesThreads() const {
    return options_.cpus_per_variant == kCpusByThreads &&
           machine_.cpus.cpus[0] != machine_.cpus.cpus[1];
  }

  // Whether the last run has seen threads that a variant started.
  bool FindsThreads() {
    bool found = false;
    for (int v = 0; v < 3; ++v) {
      started_threads_[v] = std::max(started_threads_[v], last_.result.started_threads[v]);
      found |= started_threads_[v] > 0;
    }
    return found;
  }

  // Calibrates anew: a variant with all CPUs for its threads takes another time.
  bool UseAllCpus(RunPlan* plan) {
    effective_.cpus_per_variant = kAllCpus;
    plan->cpus_per_variant = kAllCpus;
    plan->watch_threads = 0;
    plan->batch = 0;
    plan->sample_ns = 0;
    plan->budget_ns = 0;
    reason_ = "a variant starts threads, which use all CPUs";
    ChangeSchedule(Schedule::kInterleaved, plan);
    return LaunchCalibration(plan);
  }

  // Calibrates, and chooses the schedule of `plan` where it is not demanded.
  bool LaunchPilots(RunPlan* plan) {
    progress_(0, options_.runs, options_.min_time);
    const bool compares = MayChoose() && options_.min_time >= kMinTimeOfPilots;
    if (compares) {
      plan->budget_ns = std::min(kMaxPilotNs, kPilotShare * options_.min_time * 1e9);
      plan->alone_share = 0;  // the segments are those of the interleaved pilot
    }
    plan->is_pilot = 1;
    plan->watch_threads = WatchesThreads() ? 1 : 0;
    if (plan->watch_threads != 0 && !compares && !options_.schedule.has_value() &&
        options_.fixed_iterations == 0 && options_.min_time >= kMinTimeOfPilots) {
      plan->budget_ns = std::min(kMaxWatchNs, kPilotShare * options_.min_time * 1e9);
    }
    if (!LaunchCalibration(plan)) return false;
    if (FindsThreads()) return options_.schedule.has_value() || UseAllCpus(plan);
    if (!MayChoose()) return true;
    if (AreSetUpsDear(costs_, options_.min_time)) {
      // Not kDuet, which has two, too, but does not show whether the variants disturb each other.
      reason_ = "its two set-ups in each run are cheaper than four";
      ChangeSchedule(Schedule::kInterleaved, plan);
      costs_.set_up_ns /= 2;
      return true;
    }
    if (!compares) return true;
    if (plan->sample_ns > plan->budget_ns) {
      reason_ = "a sample takes longer than a pilot";
      ChangeSchedule(plan->schedule, plan);
      return true;
    }
    std::vector<Pilot> pilots;
    pilots.push_back({plan->schedule, std::move(last_.result), last_.wall_ns});
    // Not kUncoupled, in which a variant may run twice at once, and what it captures would need a
    // lock; nor kDuet, which does not show whether the variants disturb each other.
    ChangeSchedule(Schedule::kInterleaved, plan);
    const double turns_share = 1 - GivePilotTimeAlone(plan);
    if (!Launch(*plan, 0)) return false;
    if (FindsThreads()) return UseAllCpus(plan);
    pilots.push_back({plan->schedule, std::move(last_.result), last_.wall_ns * turns_share});
    const ScheduleChoice choice = ChooseSchedule(pilots, effective_, machine_.ns_per_tick);
    if (FindsLargeDisturbance(choice.schedule, pilots)) {
      // What else the machine does may hit one variant in all segments, but hardly twice.
      plan->run = 1;
      if (!Launch(*plan, 0)) return false;
      pilots[1].result = std::move(last_.result);
      FindsLargeDisturbance(choice.schedule, pilots);
    }
    reason_ = choice.reason;
    has_narrowest_pilot_ = true;
    ChangeSchedule(choice.schedule, plan);
    if (disturb_each_other_) MeasureOneAtATime(plan);
    return true;
  }

  // Whether the variants disturb each other with the schedule `chosen`, by the pilots: a crossed
  // one, and an interleaved one, which has segments.
  bool FindsLargeDisturbance(Schedule chosen, absl::Span<const Pilot> pilots) {
    const std::optional<MutualDisturbance> in_turns =
        FindLargeDisturbance(pilots[1].result, pilots[1].result);
    disturb_in_turns_ = in_turns.has_value();
    mutual_disturbance_ = chosen == Schedule::kInterleaved
                              ? in_turns
                              : FindLargeDisturbance(pilots[0].result, pilots[1].result);
    disturb_each_other_ = mutual_disturbance_.has_value();
    return disturb_each_other_;
  }

  // Adds it to the budget. Returns its share: none, where samples are too long.
  static double GivePilotTimeAlone(RunPlan* plan) {
    const double budget_ns = plan->budget_ns;
    plan->alone_share = kPilotAloneShare;
    plan->budget_ns = budget_ns / (1 - plan->alone_share);
    if (PaceAlone(*plan, plan->sample_ns).segments > 0) return plan->alone_share;
    plan->budget_ns = budget_ns;
    return plan->alone_share = 0;
  }

  void ChangeSchedule(Schedule schedule, RunPlan* plan) {
    effective_.schedule = schedule;
    SetSchedule(schedule, machine_, plan);
  }

  // Because the variants disturb each other with the present schedule: in turns or, where that is
  // known to disturb them, in blocks.
  void MeasureOneAtATime(RunPlan* plan) {
    at_the_same_time_ = effective_.schedule != Schedule::kInterleaved;
    has_narrowest_pilot_ = false;
    is_one_at_a_time_ = true;
    const bool in_blocks = !at_the_same_time_ || disturb_in_turns_;
    reason_ = at_the_same_time_ ? kAtTheSameTime : kInTurns;
    ChangeSchedule(in_blocks ? Schedule::kAlternating : Schedule::kInterleaved, plan);
  }

  // Launches runs until the rule has enough of them. False: the experiment ends before.
  bool LaunchUntilDone(StoppingRule& rule, RunPlan* plan, std::vector<RunResult>* results) {
    for (;;) {
      const bool is_done = !rule.Continue(*results, account_.wall_ns);
      const bool looks =
          is_done || std::find(std::begin(kDisturbanceLooks), std::end(kDisturbanceLooks),
                               results->size()) != std::end(kDisturbanceLooks);
      if (looks && FindsDisturbance(*results) && !IsScheduleDemanded()) {
        // Their ratio together is not what a user deploys.
        MeasureOneAtATime(plan);
        StartAgain(rule, results);
        continue;
      }
      if (!is_done && looks && results->size() <= kMaxRunsToGiveUp && FindsDrift(*results) &&
          LengthenWarmUp(plan)) {
        StartAgain(rule, results);
        continue;
      }
      if (is_done) FindsDrift(*results);
      if (is_done) return true;
      const auto run = static_cast<int>(results->size());
      progress_(run, rule.runs(), rule.SecondsLeft(run, account_.wall_ns));
      plan->run = first_run_ + static_cast<uint32_t>(run);
      if (!Launch(*plan, run)) return false;
      results->push_back(std::move(last_.result));
      results->back().layout = LayoutOfRun(plan->run, options_.layouts);
    }
  }

  bool FindsDisturbance(const std::vector<RunResult>& results) {
    if (effective_.schedule == Schedule::kAlternating) return false;
    const std::optional<MutualDisturbance> found = FindMutualDisturbance(results);
    const bool disturb = found.has_value() && DisturbEachOther(*found, options_.margin);
    // What has changed the schedule stays, unless this one disturbs them, too.
    if (!disturb && is_one_at_a_time_) return false;
    if (found.has_value()) mutual_disturbance_ = found;
    disturb_each_other_ = disturb;
    at_the_same_time_ = effective_.schedule != Schedule::kInterleaved;
    return disturb;
  }

  bool FindsDrift(const std::vector<RunResult>& results) {
    const std::optional<RatioDrift> found = FindRatioDrift(results);
    drift_.reset();
    if (found.has_value() && IsDrifting(*found, options_.margin)) drift_ = found;
    return drift_.has_value();
  }

  // The results so far are given up.
  void StartAgain(StoppingRule& rule, std::vector<RunResult>* results) {
    first_run_ += static_cast<uint32_t>(results->size());
    results->clear();
    account_.EndPilots();
    rule.Restart();
  }

  void AddNotices() {
    if (options_.fixed_iterations > 0 && options_.fill) {
      result_.notices.push_back({Notice::Kind::kNotFilled, {}, ""});
    }
    if (started_threads_[0] + started_threads_[1] + started_threads_[2] > 0) {
      const auto kind = effective_.cpus_per_variant == kAllCpus ? Notice::Kind::kStartsThreads
                                                                : Notice::Kind::kConfinesThreads;
      result_.notices.push_back(
          {kind,
           {static_cast<double>(started_threads_[0]), static_cast<double>(started_threads_[1])},
           started_threads_[2] > 0 ? std::to_string(started_threads_[2]) : ""});
    }
    if (drift_.has_value()) {
      result_.notices.push_back(
          {Notice::Kind::kNotStationary, {drift_->log_ratio, warm_up_ns_ * 1e-9}, ""});
    }
    if (disturb_each_other_) {
      const auto kind =
          IsScheduleDemanded() ? Notice::Kind::kMeasuredTogether : Notice::Kind::kDisturbEachOther;
      result_.notices.push_back(
          {kind,
           {mutual_disturbance_->ratio_alone, mutual_disturbance_->ratio_together},
           at_the_same_time_ ? "together" : "in turns"});
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
  bool has_narrowest_pilot_ = false;
  int started_threads_[3] = {0, 0, 0};  // as in RunResult
  RunCosts costs_;                      // of one run
  uint32_t first_run_ = 0;              // of the results that count
  std::optional<MutualDisturbance> mutual_disturbance_;
  bool disturb_each_other_ = false;
  bool at_the_same_time_ = true;     // they did it, and not in turns
  bool disturb_in_turns_ = false;    // by the pilot
  bool is_one_at_a_time_ = false;    // therefore
  std::optional<RatioDrift> drift_;  // within the runs, as last looked
  double warm_up_ns_ = 0;            // of the runs that count
  TimeAccount account_;              // of all processes so far
  ExperimentResult result_;
};

}  // namespace

ExperimentResult RunExperiment(const ExperimentOptions& options, const Machine& machine,
                               const RunLauncher& launch, const Progress& progress,
                               StoppingRule* stopping_rule) {
  return Experiment(options, machine, launch, progress, stopping_rule).Run();
}

}  // namespace duetbench
