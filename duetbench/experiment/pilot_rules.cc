#include "duetbench/experiment/pilot_rules.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/mutual_disturbance.h"
#include "duetbench/decide/time_account.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/measure/variant_threads.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr bool kNoPilot = false;
constexpr char kFreeCpus[] = "alike variants on two free CPUs: at the same time";
constexpr char kBusyCpus[] = "alike variants beside a busy CPU: in turns on the other one";
constexpr char kInTurns[] = "alike variants: in turns";
constexpr char kUnlike[] = "the variants take different times";

// Two variants take `max_ns` at most.
double PilotNs(const ExperimentOptions& options, double max_ns) {
  return std::min(max_ns * options.variants / 2,
                  kMeasuringPolicy.pilot_share * options.min_time * 1e9);
}

// Most of the time after its warm-up it waited for its CPUs, or was preempted.
bool Waited(const PilotRun& pilot) {
  TimeAccount account;
  account.AddRun(pilot.run.result, pilot.run.wall_ns, pilot.plan);
  const double undisturbed_ns = account.kept_ns + account.alone_ns;
  const double lost_ns = account.dropped_ns + account.waiting_ns();
  return undisturbed_ns <
         kMeasuringPolicy.min_undisturbed_share_of_free_cpus * (undisturbed_ns + lost_ns);
}

// The last pilot with this purpose; null if there is none.
const PilotRun* LastOf(const Evidence& evidence, RunPurpose purpose) {
  const auto found =
      std::find_if(evidence.pilots.rbegin(), evidence.pilots.rend(),
                   [purpose](const PilotRun& pilot) { return pilot.purpose == purpose; });
  return found != evidence.pilots.rend() ? &*found : nullptr;
}

// By how much the mean of these log-ratios is farther from 0 than that of the part `limit`.
double Beyond(const std::vector<double>& log_ratios, double limit) {
  return std::abs(stats::Mean(log_ratios)) - std::log1p(limit);
}

// It is farther beyond noise: a one-sided t test.
bool AreBeyond(const std::vector<double>& log_ratios, double limit, double alpha) {
  if (log_ratios.size() < 2) return false;
  const double beyond = Beyond(log_ratios, limit);
  if (beyond <= 0) return false;
  constexpr double kLeastError = 1e-6;  // of ratios that happen to agree
  const stats::TTest test = stats::PairedTTest(log_ratios);
  const stats::TTest of_beyond =
      stats::MakeTTest(beyond, std::max(test.standard_error, kLeastError), test.degrees_of_freedom);
  return of_beyond.p / 2 <= alpha;
}

// The distance of the ratio of two variants from another ratio, in pilots of one kind: farther than
// the part `limit`, or not. A single pilot may be disturbed, and the memory of its process may
// favour one variant: it shows only that they are near. One that waited shows nothing: who runs in
// between leaves caches and branch predictors cold. `pair` is the number in PairsOfGroup.
Distance DistanceInPilots(const Evidence& evidence, std::initializer_list<RunPurpose> kind,
                          size_t pair, double ratio, double limit) {
  size_t pilots = 0;
  std::vector<double> distances;
  for (const PilotRun& pilot : evidence.pilots) {
    if (std::find(kind.begin(), kind.end(), pilot.purpose) == kind.end()) continue;
    ++pilots;
    if (Waited(pilot)) continue;
    distances.push_back(std::log(PilotRatio(pilot.run.OfPair(pair)) / ratio));
  }
  return DistanceOf(distances, pilots, limit);
}

Distance DistanceOfBlocks(const Evidence& evidence, double ratio, double limit) {
  return DistanceInPilots(evidence, {RunPurpose::kCalibration, RunPurpose::kPilotInBlocks},
                          /*pair=*/0, ratio, limit);
}

// The largest distance from 1 of the ratio of two variants, in pilots in short turns like `pilot`.
// Pilots in blocks do not show that variants are alike, since a core may change between blocks.
Distance DistanceInShortTurns(const Evidence& evidence, const PilotRun& pilot) {
  Distance largest = Distance::kNear;
  for (size_t pair = 0; pair < pilot.run.pairs(); ++pair) {
    const Distance distance = DistanceInPilots(evidence, {pilot.purpose}, pair, /*ratio=*/1,
                                               kMeasuringPolicy.max_ratio_of_alike - 1);
    if (distance == Distance::kFar) return distance;
    if (distance == Distance::kUnclear) largest = distance;
  }
  return largest;
}

void ChangeToBlocks(const char* reason, const Setting& setting, Course* course) {
  ChangeSchedule(Schedule::kAlternating, ScheduleCause::kPilots,
                 absl::StrCat(reason, ": each in its steady state"), setting, course);
}

double StartNs(const LaunchedRun& run) { return std::max(0.0, run.wall_ns - run.result.wall_ns); }

bool WatchesThreads(const Setting& setting) {
  return setting.options.cpus_per_variant == kCpusByThreads && HasTwoCpus(setting);
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
  if (plan.watch_threads != 0 && !options.schedule.has_value() && options.fixed_iterations == 0) {
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
  course->unsettled = result.variants[1].unsettled - result.variants[0].unsettled;
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

// Alike variants: the segments of the runs show whether they disturb each other. The memory of a
// second pilot lies elsewhere.
bool LaunchShortTurns(Schedule schedule, const Evidence& evidence, const Setting& setting,
                      Step* step) {
  const RunPurpose purpose =
      schedule == Schedule::kCrossed ? RunPurpose::kPilotCrossed : RunPurpose::kPilotInTurns;
  const bool is_first = LastOf(evidence, purpose) == nullptr;
  ChangeSchedule(schedule, ScheduleCause::kPilots, "", setting, &step->course);
  step->course.plan.alone_share = 0;
  step->course.plan.run = is_first ? 0 : static_cast<uint32_t>(evidence.pilots.size());
  return step->Launch(purpose, is_first
                                   ? absl::StrCat(NameOf(schedule), " samples of alike variants")
                                   : "once more in short turns");
}

// With other random choices: the memory of its variants lies elsewhere.
bool LaunchInBlocks(const Evidence& evidence, const Setting& setting, Step* step) {
  ChangeSchedule(Schedule::kAlternating, ScheduleCause::kPilots, "", setting, &step->course);
  step->course.plan.run = static_cast<uint32_t>(evidence.pilots.size());
  return step->Launch(RunPurpose::kPilotInBlocks, "once more in blocks of one variant");
}

bool ChooseShortTurns(const Evidence& evidence, const Setting& setting, Step* step) {
  // The pilot of a group or on one CPU, or where the crossed one waited.
  const PilotRun* const interleaved = LastOf(evidence, RunPurpose::kPilotInTurns);
  const PilotRun& chosen =
      interleaved != nullptr ? *interleaved : *LastOf(evidence, RunPurpose::kPilotCrossed);
  const RunResult& result = chosen.run.result;
  Course& course = step->course;
  UpdateMinStartCost(chosen, setting, &course);
  // The segments of a group's runs show other ratios alone.
  const Distance from_blocks =
      IsGroup(setting)
          ? Distance::kNear
          : DistanceOfBlocks(evidence, PilotRatio(result), kMeasuringPolicy.large_difference);
  if (from_blocks == Distance::kUnclear) return LaunchInBlocks(evidence, setting, step);
  if (from_blocks == Distance::kFar) {
    course.disturbance = DisturbanceOfPilots(result, evidence.pilots.front().run.result);
    course.disturb_each_other = course.disturbance.has_value();
  }
  const Distance from_alike =
      course.disturb_each_other ? Distance::kNear : DistanceInShortTurns(evidence, chosen);
  if (from_alike == Distance::kUnclear) {
    return LaunchShortTurns(chosen.plan.schedule, evidence, setting, step);
  }
  if (from_alike == Distance::kFar) {
    ChangeToBlocks(kUnlike, setting, &course);
  } else if (interleaved == nullptr) {
    ChangeSchedule(Schedule::kCrossed, ScheduleCause::kPilots, kFreeCpus, setting, &course);
  } else {
    ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kPilots,
                   IsGroup(setting) || !HasTwoCpus(setting) ? kInTurns : kBusyCpus, setting,
                   &course);
  }
  if (!setting.options.calls) course.costs.set_up_ns = result.set_up_ns;
  course.costs.warm_up_ns = ShortestWarmUpNs(course.plan);
  if (course.disturb_each_other) ChangeToOneAtATime(setting, &course);
  return kNoPilot;
}

bool ChooseBlocksOrTurns(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  const char* reason = nullptr;
  if (course.costs.first_calls_ns >
      kMeasuringPolicy.max_share_of_first_calls * setting.options.min_time * 1e9) {
    reason = "the first iterations of a run take too long for another pilot";
  } else if (course.plan.sample_ns > course.plan.budget_ns) {
    reason = "a sample takes longer than a pilot";
  } else if (IsSetupExpensive(course.costs, setting.options.min_time)) {
    reason = "set-ups are expensive";
  } else if (IsGroup(setting)) {
    return LaunchShortTurns(Schedule::kInterleaved, evidence, setting, step);
  } else {
    const Distance from_alike =
        DistanceOfBlocks(evidence, /*ratio=*/1, kMeasuringPolicy.max_ratio_of_alike - 1);
    if (from_alike == Distance::kUnclear) return LaunchInBlocks(evidence, setting, step);
    if (from_alike == Distance::kNear) {
      return LaunchShortTurns(HasTwoCpus(setting) ? Schedule::kCrossed : Schedule::kInterleaved,
                              evidence, setting, step);
    }
    reason = "pilots do not show that old and new take the same time";
  }
  ChangeToBlocks(reason, setting, &course);
  return kNoPilot;
}

bool AfterCalibration(const Evidence& evidence, const Setting& setting, Step* step) {
  const PilotRun& calibration = evidence.pilots.back();
  TakeCalibration(calibration, setting, &step->course);
  if (FindsThreads(calibration, &step->course)) {
    return setting.options.schedule.has_value() ? kNoPilot : CalibrateOnAllCpus(setting, step);
  }
  if (!MayChooseSchedule(setting)) return kNoPilot;
  return ChooseBlocksOrTurns(evidence, setting, step);
}

}  // namespace

Distance DistanceOf(const std::vector<double>& log_ratios, size_t tried, double limit) {
  if (!log_ratios.empty()) {
    if (Beyond(log_ratios, limit) <= 0) return Distance::kNear;
    if (AreBeyond(log_ratios, limit, kMeasuringPolicy.unlike_alpha)) return Distance::kFar;
  }
  if (tried < kMeasuringPolicy.max_pilots_of_a_kind) return Distance::kUnclear;
  return log_ratios.size() == tried ? Distance::kNear : Distance::kFar;
}

bool AreUnlike(absl::Span<const RunResult> runs) {
  std::vector<double> log_ratios;
  for (const RunResult& run : runs) log_ratios.push_back(std::log(PilotRatio(run)));
  return AreBeyond(log_ratios, kMeasuringPolicy.max_ratio_of_alike - 1,
                   kMeasuringPolicy.disturbance_alpha);
}

double PilotRatio(const RunResult& pilot) {
  std::vector<double> ratios;
  for (const PairRecord& pair : pilot.pairs) {
    const bool counts = (pair.flags & kAlone) == 0 && pair.ticks[0] > 0 && pair.ticks[1] > 0;
    if (!counts) continue;
    // In blocks the faster variant has more iterations.
    ratios.push_back(pair.ticks[1] / pair.ticks[0] * static_cast<double>(pair.iterations[0]) /
                     static_cast<double>(pair.iterations[1]));
  }
  return ratios.empty() ? 1 : stats::Median(std::move(ratios));
}

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
    case RunPurpose::kPilotInBlocks:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      return LastOf(evidence, RunPurpose::kPilotCrossed) != nullptr
                 ? ChooseShortTurns(evidence, setting, step)
                 : ChooseBlocksOrTurns(evidence, setting, step);
    case RunPurpose::kPilotCrossed:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      if (Waited(last)) {
        return LaunchShortTurns(Schedule::kInterleaved, evidence, setting, step);
      }
      return ChooseShortTurns(evidence, setting, step);
    case RunPurpose::kPilotInTurns:
      if (FindsThreads(last, &step->course)) return CalibrateOnAllCpus(setting, step);
      return ChooseShortTurns(evidence, setting, step);
    case RunPurpose::kCheck:
    case RunPurpose::kDryRun:
    case RunPurpose::kMeasuring:
      break;
  }
  return kNoPilot;
}

}  // namespace duetbench
