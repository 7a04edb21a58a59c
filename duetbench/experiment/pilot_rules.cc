#include "duetbench/experiment/pilot_rules.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/measuring_policy.h"
#include "duetbench/experiment/mutual_disturbance.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/experiment/time_account.h"
#include "duetbench/experiment/variant_threads.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr bool kNoPilot = false;
constexpr char kUnlike[] = "the variants take different times";

// Two variants take `max_ns` at most.
double PilotNs(const ExperimentOptions& options, double max_ns) {
  return std::min(max_ns * options.variants / 2,
                  kMeasuringPolicy.pilot_share * options.min_time * 1e9);
}

// It waited so long for its CPUs that little was measured.
bool Waited(const PilotRun& pilot) {
  TimeAccount account;
  account.AddRun(pilot.run.result, pilot.run.wall_ns, pilot.plan);
  const double samples_ns = account.kept_ns + account.alone_ns;
  return samples_ns < kMeasuringPolicy.min_sample_share_of_free_cpus * pilot.plan.budget_ns;
}

Pilot ToCompare(const PilotRun& pilot) {
  return {pilot.plan.schedule, pilot.run.result, pilot.run.wall_ns, Waited(pilot)};
}

bool AreAlike(const PilotRun& pilot, double max_ratio = kMeasuringPolicy.max_ratio_of_alike) {
  for (size_t pair = 0; pair < pilot.run.pairs(); ++pair) {
    if (SlowdownFactor(pilot.run.OfPair(pair)) > max_ratio) return false;
  }
  return true;
}

void ChangeToBlocks(const char* reason, const Setting& setting, Course* course) {
  ChangeSchedule(Schedule::kAlternating, ScheduleCause::kPilots,
                 absl::StrCat(reason, ": each in its steady state"), setting, course);
}

double StartNs(const LaunchedRun& run) { return std::max(0.0, run.wall_ns - run.result.wall_ns); }

// From a run in which each CPU had both variants: the CPU on which both are slower, for a neighbour
// on its core, say; -1: none.
int SlowerCpu(const RunResult& crossed, const Machine& machine) {
  double log_ratio = 0;  // of the times on cpus[1] and cpus[0]: mean of both variants
  for (int variant = 0; variant < 2; ++variant) {
    std::vector<double> times[2];
    for (const PairRecord& pair : crossed.pairs) {
      if ((pair.flags & (kDisturbed | kNoTime | kAlone)) != 0) continue;
      const bool is_on_second = pair.cpus[variant] == machine.cpus.cpus[1];
      times[is_on_second ? 1 : 0].push_back(pair.ticks[variant] /
                                            static_cast<double>(pair.iterations[variant]));
    }
    if (times[0].empty() || times[1].empty()) return -1;
    log_ratio += std::log(stats::Median(times[1]) / stats::Median(times[0])) / 2;
  }
  if (std::abs(log_ratio) <= std::log1p(kMeasuringPolicy.slower_cpu)) return -1;
  return log_ratio > 0 ? 1 : 0;
}

bool WatchesThreads(const Setting& setting) {
  return setting.options.cpus_per_variant == kCpusByThreads &&
         setting.machine.cpus.relation != CpuRelation::kOneCpu;
}

// The last pilot has seen threads that a variant started. Of a group it is not told which one.
bool FindsThreads(const PilotRun& last, Course* course) {
  bool found = false;
  for (int v = 0; v < 3; ++v) {
    int& started = course->started_threads[IsGroup(last.plan) ? kEitherVariant : v];
    started = std::max(started, last.run.result.started_threads[v]);
    found |= started > 0;
  }
  return found;
}

bool CalibrateForAll(const Setting& setting, Step* step) {
  const ExperimentOptions& options = setting.options;
  // A run with a fixed number of iterations has none to spare for its own calibration.
  if (options.runs == 1 && options.fixed_iterations == 0) return kNoPilot;
  RunPlan& plan = step->course.plan;
  plan.is_pilot = 1;
  plan.watch_threads = WatchesThreads(setting) ? 1 : 0;
  if (MayChooseSchedule(setting)) {
    plan.budget_ns = PilotNs(options, kMeasuringPolicy.max_pilot_ns);
    return step->Launch(RunPurpose::kCalibration, "a calibration, in blocks of one variant");
  }
  if (plan.watch_threads != 0 && !options.schedule.has_value() && options.fixed_iterations == 0 &&
      options.min_time >= kMeasuringPolicy.min_time_of_pilots) {
    plan.budget_ns = PilotNs(options, kMeasuringPolicy.max_watch_ns);
  }
  return step->Launch(RunPurpose::kCalibration, "a calibration");
}

// A variant with all CPUs for its threads takes another time.
bool CalibrateOnAllCpus(const Setting& setting, Step* step) {
  RunPlan& plan = step->course.plan;
  plan.watch_threads = 0;
  plan.batch = 0;
  plan.sample_ns = 0;
  plan.budget_ns = 0;
  ChangeToAllCpus(setting, &step->course);
  return step->Launch(RunPurpose::kCalibrationOnAllCpus, step->course.schedule_reason);
}

void TakeCalibration(const PilotRun& calibration, const Setting& setting, Course* course) {
  const RunResult& result = calibration.run.result;
  course->plan.batch = result.batch;
  course->plan.sample_ns = result.sample_ns;
  // The set-up of variants that are called anew for each sample is part of calls_ns.
  course->costs.set_up_ns = setting.options.calls ? 0 : result.set_up_ns;
  course->costs.calls_ns = FewestCallsNs(course->plan);
  course->costs.warm_up_ns = ShortestWarmUpNs(course->plan);
  course->costs.start_ns = StartNs(calibration.run);
  course->costs.first_calls_ns =
      FirstCallsNs(course->plan, result.wall_ns, result.set_up_ns, setting.options.min_time);
}

// The first process may have started beside a busy one.
void UpdateMinStartCost(const PilotRun& pilot, const Setting& setting, Course* course) {
  RunCosts& costs = course->costs;
  costs.start_ns = std::min(costs.start_ns, StartNs(pilot.run));
  const RunResult& result = pilot.run.result;
  costs.first_calls_ns = std::min(
      costs.first_calls_ns,
      FirstCallsNs(pilot.plan, result.wall_ns, result.set_up_ns, setting.options.min_time));
}

// Alike variants: the segments of the runs show whether they disturb each other.
bool LaunchShortTurns(Schedule schedule, RunPurpose purpose, const Setting& setting, Step* step) {
  ChangeSchedule(schedule, ScheduleCause::kPilots, "", setting, &step->course);
  step->course.plan.alone_share = 0;
  return step->Launch(purpose, absl::StrCat(NameOf(schedule), " samples of alike variants"));
}

bool AfterPilotInTurns(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& in_blocks = evidence.pilots.front();
  const PilotRun& interleaved = evidence.pilots.back();
  Course& course = step->course;
  UpdateMinStartCost(interleaved, setting, &course);
  if (IsGroup(setting) && !AreAlike(interleaved)) {
    ChangeToBlocks(kUnlike, setting, &course);
    course.costs.warm_up_ns = ShortestWarmUpNs(course.plan);
    return kNoPilot;
  }
  std::vector<Pilot> in_short_turns;
  for (size_t i = 1; i < evidence.pilots.size(); ++i) {
    in_short_turns.push_back(ToCompare(evidence.pilots[i]));
  }
  ScheduleChoice choice = ChooseSchedule(in_short_turns, EffectiveOptions(course, setting.options),
                                         setting.machine.ns_per_tick);
  const bool is_crossed = choice.schedule == Schedule::kCrossed;
  const LaunchedRun& chosen = (is_crossed ? evidence.pilots[1] : interleaved).run;
  ChangeSchedule(choice.schedule, ScheduleCause::kNarrowest, std::move(choice.reason), setting,
                 &course);
  course.costs.set_up_ns = chosen.result.set_up_ns;
  course.costs.warm_up_ns = ShortestWarmUpNs(course.plan);
  if (IsGroup(setting)) return kNoPilot;  // the segments of its runs show other ratios alone
  course.disturbance = FindLargeDisturbance(chosen.result, in_blocks.run.result);
  course.disturb_each_other = course.disturbance.has_value();
  if (course.disturb_each_other) ChangeToOneAtATime(setting, &course);
  return kNoPilot;
}

bool AfterCalibration(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& calibration = evidence.pilots.back();
  Course& course = step->course;
  TakeCalibration(calibration, setting, &course);
  if (FindsThreads(calibration, &course)) {
    return setting.options.schedule.has_value() ? kNoPilot : CalibrateOnAllCpus(setting, step);
  }
  if (!MayChooseSchedule(setting)) return kNoPilot;
  const char* reason = nullptr;
  if (course.costs.first_calls_ns >
      kMeasuringPolicy.max_share_of_first_calls * setting.options.min_time * 1e9) {
    reason = "the first iterations of a run take too long for another pilot";
  } else if (IsSetupExpensive(course.costs, setting.options.min_time)) {
    reason = "set-ups are expensive";
  } else if (course.plan.sample_ns > course.plan.budget_ns) {
    reason = "a sample takes longer than a pilot";
  } else if (IsGroup(setting)) {
    if (!AreAlike(calibration, kMeasuringPolicy.max_ratio_of_single_blocks)) reason = kUnlike;
  } else if (!AreAlike(calibration)) {
    reason = "old and new take different times";
  }
  if (reason == nullptr) {
    return IsGroup(setting)
               ? LaunchShortTurns(Schedule::kInterleaved, RunPurpose::kPilotInTurns, setting, step)
               : LaunchShortTurns(Schedule::kCrossed, RunPurpose::kPilotCrossed, setting, step);
  }
  ChangeToBlocks(reason, setting, &course);
  return kNoPilot;
}

}  // namespace

bool NextPilot(const Evidence& evidence, const Setting& setting, Step* step) {
  if (evidence.is_measuring) return kNoPilot;
  if (evidence.pilots.empty()) {
    step->course = FirstCourse(setting);
    return CalibrateForAll(setting, step);
  }
  const PilotRun& last = evidence.pilots.back();
  switch (last.purpose) {
    case RunPurpose::kCalibration:
      return AfterCalibration(evidence, setting, step);
    case RunPurpose::kCalibrationOnAllCpus:
      TakeCalibration(last, setting, &step->course);
      return kNoPilot;
    case RunPurpose::kPilotCrossed:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      if (!Waited(last)) {
        step->course.slower_cpu = SlowerCpu(last.run.result, setting.machine);
      }
      return LaunchShortTurns(Schedule::kInterleaved, RunPurpose::kPilotInTurns, setting, step);
    case RunPurpose::kPilotInTurns:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      return AfterPilotInTurns(evidence, setting, step);
    case RunPurpose::kCheck:
    case RunPurpose::kDryRun:
    case RunPurpose::kMeasuring:
      break;
  }
  return kNoPilot;
}

}  // namespace duetbench
