#include "duetbench/experiment/pilot_rules.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/measuring_policy.h"
#include "duetbench/experiment/mutual_disturbance.h"
#include "duetbench/experiment/pacing.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/experiment/time_account.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr bool kNoPilot = false;

double PilotNs(const ExperimentOptions& options, double max_ns) {
  return std::min(max_ns, kMeasuringPolicy.pilot_share * options.min_time * 1e9);
}

// Adds segments to the budget. False, and nothing: samples are too long.
bool GiveTimeAlone(RunPlan* plan) {
  const double budget_ns = plan->budget_ns;
  plan->alone_share = kMeasuringPolicy.pilot_alone_share;
  plan->budget_ns = budget_ns / (1 - plan->alone_share);
  if (PaceAlone(*plan, plan->sample_ns).segments > 0) return true;
  plan->budget_ns = budget_ns;
  plan->alone_share = 0;
  return false;
}

// It waited so long for its CPUs that little was measured.
bool Waited(const PilotRun& pilot) {
  TimeAccount account;
  account.AddRun(pilot.run.result, pilot.run.wall_ns, pilot.plan);
  const double samples_ns = account.kept_ns + account.alone_ns;
  return samples_ns < kMeasuringPolicy.min_sample_share_of_free_cpus * pilot.plan.budget_ns;
}

// Of its time, without the segments.
Pilot ToCompare(const PilotRun& pilot) {
  return {pilot.plan.schedule, pilot.run.result, pilot.run.wall_ns * (1 - pilot.plan.alone_share),
          Waited(pilot)};
}

// Time of the slower one of the undisturbed pairs with both variants: the median, in ticks. 0:
// there are none.
double SlowerTicks(const RunResult& pilot) {
  std::vector<double> slower;
  for (const PairRecord& pair : pilot.pairs) {
    if ((pair.flags & (kDisturbed | kAlone)) != 0) continue;
    slower.push_back(std::max(pair.ticks[0], pair.ticks[1]));
  }
  return slower.empty() ? 0 : stats::Median(std::move(slower));
}

// The batch was calibrated in the crossed pilot. Where the variants slow each other down in it,
// their samples in turns would be too short.
void LengthenSamples(const RunResult& crossed, const RunResult& in_turns, RunPlan* plan) {
  const double ticks_in_turns = SlowerTicks(in_turns);
  if (!(ticks_in_turns > 0)) return;
  const double factor =
      std::clamp(SlowerTicks(crossed) / ticks_in_turns, 1.0, kMeasuringPolicy.max_lengthening);
  plan->batch = static_cast<uint64_t>(static_cast<double>(plan->batch) * factor);
}

bool AreAlike(const PilotRun& pilot) {
  return TimesAsLong(pilot.run.result) <= kMeasuringPolicy.max_ratio_of_alike;
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

// The last pilot has seen threads that a variant started.
bool FindsThreads(const PilotRun& last, Course* course) {
  bool found = false;
  for (int v = 0; v < 3; ++v) {
    int& started = course->started_threads[v];
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
    plan.alone_share = 0;  // the segments are those of the pilot in turns
    return step->Launch(RunPurpose::kCalibration, "a calibration that is a crossed pilot, too");
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
  // What is called anew for each sample has its set-up there.
  course->costs.set_up_ns = setting.options.calls ? 0 : result.set_up_ns;
  course->costs.calls_ns = FewestCallsNs(course->plan);
  course->costs.warm_up_ns = ShortestWarmUpNs(course->plan);
  course->costs.start_ns = StartNs(calibration.run);
  course->costs.first_calls_ns =
      FirstCallsNs(course->plan, result.wall_ns, result.set_up_ns, setting.options.min_time);
}

// The first process may have started beside a busy one.
void TakeLeastStart(const PilotRun& pilot, const Setting& setting, Course* course) {
  RunCosts& costs = course->costs;
  costs.start_ns = std::min(costs.start_ns, StartNs(pilot.run));
  const RunResult& result = pilot.run.result;
  costs.first_calls_ns = std::min(
      costs.first_calls_ns,
      FirstCallsNs(pilot.plan, result.wall_ns, result.set_up_ns, setting.options.min_time));
}

// A duet has two set-ups in a run, crossed samples four. It is measured as one if the variants take
// about the same time, and pilots with segments show that they do not disturb each other.
constexpr char kTwoSetUps[] = "its two set-ups in each run are cheaper than four";
constexpr char kFirstCalls[] = "the first iterations of a run take too long for another pilot";

bool LaunchPilotDuet(bool has_pilot, const Setting& setting, Step* step) {
  Course& course = step->course;
  course.costs.set_up_ns /= 2;
  ChangeSchedule(Schedule::kDuet, ScheduleCause::kPilots, kTwoSetUps, setting, &course);
  if (has_pilot && GiveTimeAlone(&course.plan)) {
    return step->Launch(RunPurpose::kPilotDuet, "set-ups are expensive: as a duet there are fewer");
  }
  ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kPilots, kTwoSetUps, setting, &course);
  return kNoPilot;
}

bool AfterPilotDuet(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& last = evidence.pilots.back();
  Course& course = step->course;
  TakeLeastStart(last, setting, &course);
  course.disturbance = FindLargeDisturbance(last.run.result, last.run.result);
  course.disturb_each_other = course.disturbance.has_value();
  if (course.disturb_each_other && last.purpose == RunPurpose::kPilotDuet) {
    course.plan.run = 1;
    return step->Launch(RunPurpose::kSecondPilotDuet, "old and new seem to disturb each other");
  }
  if (course.disturb_each_other) {
    ChangeToOneAtATime(setting, &course);
    return kNoPilot;
  }
  if (!std::all_of(evidence.pilots.begin(), evidence.pilots.end(), AreAlike)) {
    ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kPilots, kTwoSetUps, setting, &course);
  }
  course.plan.alone_share = kMeasuringPolicy.alone_share_of_few_runs;
  return kNoPilot;
}

// Not kUncoupled, in which a variant may run twice at once, and what it captures would need a lock;
// nor kDuet, which is kCrossed with fewer set-ups, but swaps of the CPUs.
bool LaunchPilotInTurns(const Setting& setting, Step* step) {
  Course& course = step->course;
  ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kPilots, "", setting, &course);
  GiveTimeAlone(&course.plan);
  return step->Launch(RunPurpose::kPilotInTurns,
                      "a pilot in turns, to compare with the crossed one");
}

bool AfterPilotInTurns(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& crossed = evidence.pilots[0];
  const PilotRun& in_turns = evidence.pilots[1];
  const PilotRun& last = evidence.pilots.back();
  Course& course = step->course;
  TakeLeastStart(in_turns, setting, &course);
  ScheduleChoice choice =
      ChooseSchedule({ToCompare(crossed), ToCompare(in_turns)},
                     EffectiveOptions(course, setting.options), setting.machine.ns_per_tick);
  const std::optional<MutualDisturbance> turns =
      FindLargeDisturbance(last.run.result, last.run.result);
  course.disturb_in_turns = turns.has_value();
  course.disturbance = choice.schedule == Schedule::kInterleaved
                           ? turns
                           : FindLargeDisturbance(crossed.run.result, last.run.result);
  course.disturb_each_other = course.disturbance.has_value();
  if (course.disturb_each_other && last.purpose == RunPurpose::kPilotInTurns) {
    course.plan.run = 1;
    return step->Launch(RunPurpose::kSecondPilotInTurns, "old and new seem to disturb each other");
  }
  ChangeSchedule(choice.schedule,
                 choice.is_narrowest ? ScheduleCause::kNarrowest : ScheduleCause::kPilots,
                 std::move(choice.reason), setting, &course);
  if (course.disturb_each_other) ChangeToOneAtATime(setting, &course);
  if (!RunsConcurrently(course.schedule)) {
    LengthenSamples(crossed.run.result, in_turns.run.result, &course.plan);
  }
  if (LoopCount(course.schedule) == 2) course.costs.set_up_ns = in_turns.run.result.set_up_ns;
  return kNoPilot;
}

bool AfterCalibration(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& calibration = evidence.pilots.back();
  const double min_time = setting.options.min_time;
  Course& course = step->course;
  TakeCalibration(calibration, setting, &course);
  const bool waited = Waited(calibration);
  if (course.schedule == Schedule::kCrossed && !waited) {
    course.slower_cpu = SlowerCpu(calibration.run.result, setting.machine);
  }
  if (FindsThreads(calibration, &course)) {
    return setting.options.schedule.has_value() ? kNoPilot : CalibrateOnAllCpus(setting, step);
  }
  if (!MayChooseSchedule(setting)) return kNoPilot;
  if (course.costs.first_calls_ns > kMeasuringPolicy.max_share_of_first_calls * min_time * 1e9) {
    ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kPilots, kFirstCalls, setting, &course);
    return kNoPilot;
  }
  if (AreSetUpsDear(course.costs, min_time)) {
    const bool has_pilot = !ArePilotsDear(course.costs, min_time);
    if (!has_pilot || !waited) return LaunchPilotDuet(has_pilot, setting, step);
  }
  if (course.plan.sample_ns > course.plan.budget_ns) {
    ChangeSchedule(course.schedule, ScheduleCause::kPilots, "a sample takes longer than a pilot",
                   setting, &course);
    return kNoPilot;
  }
  return LaunchPilotInTurns(setting, step);
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
    case RunPurpose::kPilotDuet:
    case RunPurpose::kSecondPilotDuet:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      return AfterPilotDuet(evidence, setting, step);
    case RunPurpose::kPilotInTurns:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      return AfterPilotInTurns(evidence, setting, step);
    case RunPurpose::kSecondPilotInTurns:
      return AfterPilotInTurns(evidence, setting, step);
    case RunPurpose::kCheck:
    case RunPurpose::kDryRun:
    case RunPurpose::kMeasuring:
      break;
  }
  return kNoPilot;
}

}  // namespace duetbench
