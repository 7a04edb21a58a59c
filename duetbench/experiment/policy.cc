#include "duetbench/experiment/policy.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/mutual_disturbance.h"
#include "duetbench/decide/stationarity.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/pilot_rules.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

bool Check(const Evidence& evidence, const Setting& setting, Step* step) {
  if (!setting.options.check_equal || evidence.last.has_value()) return false;
  step->course.plan = CheckPlan(setting.options, setting.machine);
  return step->Launch(RunPurpose::kCheck, "do both variants compute the same?");
}

bool DryRunOnly(const Evidence& evidence, const Setting& setting, Step* step) {
  if (!setting.options.dry_run) return false;
  if (evidence.last == RunPurpose::kDryRun) {
    step->kind = Step::Kind::kEnd;
    step->reason = "a dry run has one run";
    return true;
  }
  step->course.plan = DryRunPlan(setting.options, setting.machine);
  return step->Launch(RunPurpose::kDryRun, "do both variants work?");
}

// `runs` runs would execute variants at the same time without showing whether they disturb each
// other: none or too few of them have segments.
bool CannotTellDisturbance(const RunPlan& plan, int runs) {
  if (!RunsConcurrently(plan.schedule)) return false;
  RunPlan each = plan;
  each.budget_ns /= plan.rounds;  // a segment is in the first round
  int with_segment = 0;
  for (int run = 0; run < runs; ++run) {
    each.run = static_cast<uint32_t>(run);
    if (PaceAlone(each, each.sample_ns).segments > 0) ++with_segment;
  }
  return with_segment < std::clamp(runs / 2, kMeasuringPolicy.min_runs_with_segment,
                                   kMeasuringPolicy.enough_runs_with_segment);
}

// Share of the whole time of a long run, at least. Source: each instance of a crossed variant
// executes samples in a third of the time, so that it sees what a tenth of min_time sees alone.
constexpr double kShareOfLongRun = 0.32;

// The number of comparisons with the base: the first ones of PairsOfGroup.
size_t PairsWithBase(const Setting& setting) {
  return static_cast<size_t>(setting.options.variants - 1);
}

// ns that are left of the time of the experiment.
double LeftNs(const Evidence& evidence, const Setting& setting) {
  return 1e9 * evidence.seconds.value_or(setting.options.min_time) - evidence.account.wall_ns;
}

// Plans the runs that are still to be made: the fewest, which are the longest, or as many as the
// schedule has.
void PlanRuns(const Evidence& evidence, const Setting& setting, bool fewest, Course* course) {
  const ExperimentOptions& options = setting.options;
  const double wall_ns = evidence.account.wall_ns;
  const double min_time_ns = options.min_time * 1e9;
  const auto done = static_cast<int>(evidence.results.size());
  int runs = kMeasuringPolicy.fewest_runs;
  if (options.runs > 0 && !fewest) {
    runs = options.runs;
  } else if (!fewest) {
    runs = ChooseRunsFor(course->schedule, course->costs, options.min_time, min_time_ns - wall_ns,
                         options.variants);
  }
  const int left = std::max(1, runs - done);
  course->runs = done + left;
  const double all_ns = std::min(min_time_ns, 1e9 * evidence.seconds.value_or(options.min_time));
  double min_ns = kMeasuringPolicy.min_measuring_share * all_ns;
  if (IsSetupExpensive(course->costs, options.min_time)) {
    const double set_ups_ns = wall_ns + left * course->costs.sum_ns();
    min_ns = std::clamp(kMeasuringPolicy.measuring_share_of_set_ups * set_ups_ns, min_ns, all_ns);
  }
  RunPlan& plan = course->plan;
  min_ns = std::max(0.0, min_ns - done * plan.budget_ns);
  DivideTime(all_ns - wall_ns, min_ns, left, course->costs, &plan);
  if (fewest) plan.rounds = 1;  // a second set-up begins at the head of the input again
  if (plan.batch > 0) ExtendTimeout(options.timeout, course->costs, &plan);
  const double planned_ns = wall_ns + left * ExpectedRunNs(plan, course->costs);
  course->limit_ns = kMeasuringPolicy.max_times_planned * std::max(min_time_ns, planned_ns);
}

bool Divide(const Course& course, Step* step) {
  step->kind = Step::Kind::kMeasure;
  step->reason = absl::StrFormat("%d runs of %.3g ms", course.runs, course.plan.budget_ns * 1e-6);
  return true;
}

// No rule for pilots applies any more.
bool DivideTheTime(const Evidence& evidence, const Setting& setting, Step* step) {
  if (evidence.is_measuring) return false;
  const ExperimentOptions& options = setting.options;
  Course& course = step->course;
  RunPlan& plan = course.plan;
  plan.is_pilot = 0;
  plan.watch_threads = 0;
  PlanRuns(evidence, setting, /*fewest=*/false, &course);
  if (!options.schedule.has_value() && !options.executions &&
      CannotTellDisturbance(plan, course.runs)) {
    ChangeToUnverified(setting, &course);
    PlanRuns(evidence, setting, /*fewest=*/false, &course);
  }
  course.depends_on_position = course.unsettled != 0;
  course.short_runs = course.runs;
  const bool ends_by_time = plan.calls == 0 && plan.fixed_iterations == 0 && plan.max_pairs == 0;
  if (!ends_by_time || options.runs > 0) return Divide(course, step);
  Course fewest = course;
  PlanRuns(evidence, setting, /*fewest=*/true, &fewest);
  fewest.plan.budget_ns = std::max(fewest.plan.budget_ns, kShareOfLongRun * options.min_time * 1e9);
  fewest.head_share = plan.budget_ns / plan.rounds / fewest.plan.budget_ns;
  if (fewest.head_share * kMeasuringPolicy.min_times_as_long > 1) return Divide(course, step);
  course = std::move(fewest);
  course.depends_on_position.reset();
  return Divide(course, step);
}

// Short turns were chosen for alike variants.
bool RestartInBlocks(const char* reason, const Setting& setting, Step* step) {
  ChangeSchedule(Schedule::kAlternating, ScheduleCause::kPilots, reason, setting, &step->course);
  step->kind = Step::Kind::kRestart;
  step->reason = reason;
  return true;
}

// The first runs are long, and count. They show whether short ones would tell the same: more of
// them, with one memory layout each, give a narrower interval.
bool ChooseTheLength(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  if (course.depends_on_position.has_value() || evidence.results.empty()) return false;
  Distance largest = Distance::kNear;
  for (size_t pair = 0; pair < PairsWithBase(setting) && largest != Distance::kFar; ++pair) {
    size_t tried = 0;
    std::vector<double> effects;
    for (const RunResult& run : evidence.OfPair(pair)) {
      if (run.pairs.size() < kFewestPairsOfPositions) continue;  // iterations are long
      ++tried;
      const std::optional<double> effect = HeadEffect(run, course.head_share);
      if (effect.has_value()) effects.push_back(*effect);
    }
    if (tried == 0) continue;
    const Distance distance = DistanceOf(effects, tried, kMeasuringPolicy.max_head_effect);
    if (distance != Distance::kNear) largest = distance;
  }
  if (largest == Distance::kUnclear) return false;
  course.depends_on_position = largest == Distance::kFar;
  if (!*course.depends_on_position) {
    PlanRuns(evidence, setting, /*fewest=*/false, &course);
  } else if (course.cause == ScheduleCause::kPilots && course.schedule != Schedule::kAlternating) {
    return RestartInBlocks("the ratio depends on the position in a run", setting, step);
  }
  return Divide(course, step);
}

// Drift and disturbance are looked for now.
bool Looks(const Evidence& evidence) {
  return evidence.is_enough ||
         std::find(std::begin(kMeasuringPolicy.looks), std::end(kMeasuringPolicy.looks),
                   evidence.results.size()) != std::end(kMeasuringPolicy.looks);
}

// Where there is no time for it, the interval is wider (Reservations::position_error).
bool LengthenTheRuns(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  RunPlan& plan = course.plan;
  const bool ends_by_time = plan.fixed_iterations == 0 && plan.max_pairs == 0;
  // The fewest may be enough, with the wider interval.
  const bool is_early = evidence.results.size() < static_cast<size_t>(kMeasuringPolicy.fewest_runs);
  if (!Looks(evidence) || evidence.is_enough || is_early) return false;
  if (!ends_by_time || setting.options.runs > 0) return false;
  bool drifts = course.unsettled != 0;
  for (size_t pair = 0; pair < PairsWithBase(setting); ++pair) {
    drifts |= IsNotable(FindPositionEffect(evidence.OfPair(pair)), setting.options.margin);
  }
  const double longer_ns =
      kMeasuringPolicy.min_times_as_long * std::max(plan.budget_ns, plan.sample_ns);
  const double affordable = LeftNs(evidence, setting) / (longer_ns + course.costs.sum_ns());
  if (!drifts || affordable < kMeasuringPolicy.fewest_runs) return false;
  if (course.unsettled != 0) {  // the part of a pass that is left over has half the weight
    plan.batch *= 2;
    plan.sample_ns *= 2;
    course.unsettled /= 2;
  }
  plan.budget_ns = longer_ns;
  plan.rounds = 1;
  course.runs = std::min(static_cast<int>(affordable), kMeasuringPolicy.max_runs);
  course.depends_on_position = true;
  step->kind = Step::Kind::kRestart;
  step->reason =
      absl::StrFormat("the ratio changes within runs: now runs of %.3g ms", longer_ns * 1e-6);
  return true;
}

// Runs of variants that disturb each other are not what a user deploys.
bool MeasureOneAtATime(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  // A ratio that depends on the position differs between segments and the rest of a run, too.
  const bool depends = course.depends_on_position.value_or(false);
  if (!Looks(evidence) || course.schedule == Schedule::kAlternating || depends) return false;
  std::optional<MutualDisturbance> found;
  bool disturb = false;
  size_t pair = 0;
  for (; pair < PairsWithBase(setting) && !disturb; ++pair) {
    found = FindMutualDisturbance(evidence.OfPair(pair));
    disturb = found.has_value() && DisturbEachOther(*found, setting.options.margin);
  }
  // The cause of the last change of schedule stays, unless this schedule disturbs the variants,
  // too.
  if (!disturb && course.cause == ScheduleCause::kDisturb) return false;
  if (found.has_value()) course.disturbance = found;
  course.disturb_each_other = disturb;
  course.disturbed_pair = pair - 1;
  course.at_the_same_time = course.schedule != Schedule::kInterleaved;
  if (setting.options.schedule.has_value()) return false;
  // Where set-ups are expensive a pilot has looked, and as many runs again would take too long.
  const bool is_unverified = !disturb && evidence.is_enough && found.has_value() &&
                             RunsConcurrently(course.schedule) && TooFewToTell(*found) &&
                             !IsSetupExpensive(course.costs, setting.options.min_time);
  if (!disturb && !is_unverified) return false;
  if (disturb) {
    ChangeToOneAtATime(setting, &course);
  } else {
    ChangeToUnverified(setting, &course);
  }
  step->kind = Step::Kind::kRestart;
  step->reason = course.schedule_reason;
  return true;
}

bool MeasureUnlikeInBlocks(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  const bool is_chosen =
      course.cause == ScheduleCause::kPilots || course.cause == ScheduleCause::kUnverified;
  if (!Looks(evidence) || !is_chosen || course.schedule == Schedule::kAlternating) return false;
  for (size_t pair = 0; pair < PairsWithBase(setting); ++pair) {
    if (!AreUnlike(evidence.OfPair(pair))) continue;
    return RestartInBlocks("the runs show that the variants take different times", setting, step);
  }
  return false;
}

bool EndWithEnough(const Evidence& evidence, const Setting&, Step* step) {
  if (!evidence.is_enough) return false;
  step->kind = Step::Kind::kEnd;
  step->reason = absl::StrCat(evidence.results.size(), " runs are enough");
  return true;
}

bool MeasureOnceMore(const Evidence& evidence, const Setting&, Step* step) {
  const size_t run = evidence.results.size();
  step->course.plan.run = evidence.first_run + static_cast<uint32_t>(run);
  return step->Launch(RunPurpose::kMeasuring, absl::StrCat("run ", run + 1));
}

// A rule: makes the step that it wants, whose course it may change in any case by what it found.
// False: it does not apply.
using PolicyRule = bool (*)(const Evidence& evidence, const Setting& setting, Step* step);

// The first one that applies is taken.
constexpr PolicyRule kPolicyRules[] = {
    Check,
    DryRunOnly,
    NextPilot,              // pilot_rules.h
    DivideTheTime,          // they are over
    ChooseTheLength,        // after the first runs
    LengthenTheRuns,        // after some runs
    MeasureOneAtATime,      // likewise, and at the end
    MeasureUnlikeInBlocks,  // likewise
    EndWithEnough,
    MeasureOnceMore,
};

}  // namespace

Step NextStep(const Evidence& evidence, Course course, const Setting& setting) {
  Step step;
  step.course = std::move(course);
  for (const PolicyRule rule : kPolicyRules) {
    if (rule(evidence, setting, &step)) break;
  }
  return step;
}

}  // namespace duetbench
