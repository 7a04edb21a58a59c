#include "duetbench/experiment/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

constexpr bool kIsCalibrated = false;

// Two variants take `max_ns` at most.
double CalibrationNs(const ExperimentOptions& options, double max_ns) {
  return std::min(max_ns * options.variants / 2,
                  kMeasuringPolicy.calibration_share * options.min_time * 1e9);
}

bool WatchesThreads(const Evidence& evidence) {
  return evidence.options.cpus_per_variant == kCpusByThreads && HasTwoCpus(evidence.machine);
}

// The calibration has seen threads that a variant started. Of a group it is not told which one.
bool FindsThreads(const RunResult& calibration, const ExperimentOptions& options, Course* course) {
  bool found = false;
  for (int v = 0; v < 3; ++v) {
    int& started = course->started_threads[IsGroup(options) ? kEitherVariant : v];
    started = std::max(started, calibration.started_threads[v]);
    found |= started > 0;
  }
  return found;
}

bool CalibrateFirst(const Evidence& evidence, Step* step) {
  const ExperimentOptions& options = evidence.options;
  step->course = FirstCourse(options, evidence.machine);
  // A run with a fixed number of iterations has none to spare for its own calibration.
  if (options.runs == 1 && options.fixed_iterations == 0) return kIsCalibrated;
  RunPlan& plan = step->course.plan;
  plan.is_pilot = 1;
  plan.watch_threads = WatchesThreads(evidence) ? 1 : 0;
  if (MayChooseSchedule(options)) {
    plan.budget_ns = CalibrationNs(options, kMeasuringPolicy.max_calibration_ns);
    return step->Launch(RunPurpose::kCalibration, "a calibration, in blocks of one variant");
  }
  if (plan.watch_threads != 0 && !options.schedule.has_value() && options.fixed_iterations == 0) {
    plan.budget_ns = CalibrationNs(options, kMeasuringPolicy.max_watch_ns);
  }
  return step->Launch(RunPurpose::kCalibration, "a calibration");
}

// A variant with all CPUs for its threads takes another time.
bool CalibrateOnAllCpus(const Machine& machine, Step* step) {
  RunPlan& plan = step->course.plan;
  plan.watch_threads = 0;
  plan.batch = 0;
  plan.sample_ns = 0;
  plan.budget_ns = 0;
  ChangeToAllCpus(machine, &step->course);
  return step->Launch(RunPurpose::kCalibrationOnAllCpus, step->course.schedule_reason);
}

void TakeCalibration(const RunOfPairs& calibration, const ExperimentOptions& options,
                     Course* course) {
  const RunResult& result = calibration.front();
  course->plan.batch = result.batch;
  course->plan.sample_ns = result.sample_ns;
  // The set-up of variants that are called anew for each sample is part of calls_ns.
  course->costs.set_up_ns = options.calls ? 0 : result.set_up_ns;
  course->costs.calls_ns = FewestCallsNs(course->plan);
  course->costs.warm_up_ns = ShortestWarmUpNs(course->plan);
  course->costs.start_ns = std::max(0.0, calibration.front().process_ns - result.wall_ns);
  course->costs.first_calls_ns =
      FirstCallsNs(course->plan, result.wall_ns, result.set_up_ns, options.min_time);
}

bool ShowsAlikeVariants(const RunOfPairs& calibration, const RunPlan& plan) {
  TimeAccount account;
  account.AddRun(calibration.front(), plan);
  if (Waited(account)) return false;
  const double limit = IsGroup(plan) ? kMeasuringPolicy.max_ratio_of_alike_blocks
                                     : kMeasuringPolicy.max_ratio_of_alike;
  for (size_t pair = 0; pair < static_cast<size_t>(plan.variants - 1); ++pair) {
    if (std::abs(std::log(MedianRatio(calibration[pair]))) > std::log(limit)) return false;
  }
  return true;
}

void ChooseBlocksOrTurns(const Evidence& evidence, Course* course) {
  const bool is_expensive = IsSetupExpensive(course->costs, evidence.options.min_time);
  course->has_long_samples =
      course->plan.sample_ns > course->plan.budget_ns || (is_expensive && evidence.options.calls);
  if (is_expensive && !course->has_long_samples) {
    ChangeSchedule(Schedule::kAlternating, ScheduleCause::kShown,
                   "set-ups are expensive: each variant in its steady state", evidence.machine,
                   course);
  } else if (!course->has_long_samples && ShowsAlikeVariants(evidence.calibration, course->plan)) {
    ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kShown, "alike variants: in turns",
                   evidence.machine, course);
  } else {
    ChangeSchedule(Schedule::kAlternating, ScheduleCause::kCalibration,
                   "not shown to take the same time: each variant in its steady state",
                   evidence.machine, course);
  }
  course->costs.warm_up_ns = ShortestWarmUpNs(course->plan);
}

}  // namespace

bool Calibrate(const Evidence& evidence, Step* step) {
  if (evidence.is_measuring) return kIsCalibrated;
  if (evidence.calibration.empty()) return CalibrateFirst(evidence, step);
  const RunOfPairs& calibration = evidence.calibration;
  Course& course = step->course;
  TakeCalibration(calibration, evidence.options, &course);
  if (evidence.last == RunPurpose::kCalibrationOnAllCpus) return kIsCalibrated;
  if (FindsThreads(calibration.front(), evidence.options, &course)) {
    return evidence.options.schedule.has_value() ? kIsCalibrated
                                                 : CalibrateOnAllCpus(evidence.machine, step);
  }
  if (MayChooseSchedule(evidence.options)) ChooseBlocksOrTurns(evidence, &course);
  return kIsCalibrated;
}

double MedianRatio(const RunResult& run) {
  std::vector<double> ratios;
  for (const PairRecord& pair : run.pairs) {
    const bool counts = (pair.flags & kSolo) == 0 && pair.ticks[0] > 0 && pair.ticks[1] > 0;
    if (!counts) continue;
    // In blocks the faster variant has more iterations.
    ratios.push_back(pair.ticks[1] / pair.ticks[0] * static_cast<double>(pair.iterations[0]) /
                     static_cast<double>(pair.iterations[1]));
  }
  return ratios.empty() ? 1 : stats::Median(std::move(ratios));
}

bool Waited(const TimeAccount& runs) {
  const double undisturbed_ns = runs.kept_ns + runs.solo_ns + runs.call_set_ups_ns;
  const double lost_ns = runs.dropped_ns + runs.waiting_ns();
  return undisturbed_ns < kMeasuringPolicy.min_undisturbed_share * (undisturbed_ns + lost_ns);
}

}  // namespace duetbench
