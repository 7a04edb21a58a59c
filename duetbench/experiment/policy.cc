#include "duetbench/experiment/policy.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/evidence/mutual_disturbance.h"
#include "duetbench/evidence/stationarity.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/pilot_rules.h"
#include "duetbench/plan/measuring_policy.h"
#include "duetbench/plan/pacing.h"

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

// Chooses how many runs the schedule has, and how long they are.
void PlanRuns(const Evidence& evidence, const Setting& setting, Course* course) {
  const ExperimentOptions& options = setting.options;
  const double wall_ns = evidence.account.wall_ns;
  const double min_time_ns = options.min_time * 1e9;
  course->runs = options.runs > 0 ? options.runs
                                  : ChooseRunsFor(course->schedule, course->costs, options.min_time,
                                                  min_time_ns - wall_ns, options.variants);
  const double all_ns = std::min(min_time_ns, 1e9 * evidence.seconds.value_or(options.min_time));
  double min_ns = kMeasuringPolicy.min_measuring_share * all_ns;
  if (IsSetupExpensive(course->costs, options.min_time)) {
    const double set_ups_ns = wall_ns + course->runs * course->costs.sum_ns();
    min_ns = std::clamp(kMeasuringPolicy.measuring_share_of_set_ups * set_ups_ns, min_ns, all_ns);
  }
  DivideTime(all_ns - wall_ns, min_ns, course->runs, course->costs, &course->plan);
}

// No rule for pilots applies any more.
bool DivideTheTime(const Evidence& evidence, const Setting& setting, Step* step) {
  if (evidence.is_measuring) return false;
  const ExperimentOptions& options = setting.options;
  Course& course = step->course;
  RunPlan& plan = course.plan;
  plan.is_pilot = 0;
  plan.watch_threads = 0;
  PlanRuns(evidence, setting, &course);
  if (!options.schedule.has_value() && !options.executions &&
      CannotTellDisturbance(plan, course.runs)) {
    ChangeToUnverified(setting, &course);
    PlanRuns(evidence, setting, &course);
  }
  if (plan.batch > 0) ExtendTimeout(options.timeout, course.costs, &plan);
  const double planned_ns =
      evidence.account.wall_ns + course.runs * ExpectedRunNs(plan, course.costs);
  course.limit_ns =
      kMeasuringPolicy.max_times_planned * std::max(options.min_time * 1e9, planned_ns);
  step->kind = Step::Kind::kMeasure;
  step->reason = absl::StrFormat("%d runs of %.3g ms", course.runs, plan.budget_ns * 1e-6);
  return true;
}

// Drift and disturbance are looked for now.
bool Looks(const Evidence& evidence) {
  return evidence.is_enough ||
         std::find(std::begin(kMeasuringPolicy.looks), std::end(kMeasuringPolicy.looks),
                   evidence.results.size()) != std::end(kMeasuringPolicy.looks);
}

// The number of comparisons with the base: the first ones of PairsOfGroup.
size_t PairsWithBase(const Setting& setting) {
  return static_cast<size_t>(setting.options.variants - 1);
}

bool LengthenTheWarmUp(const Evidence& evidence, const Setting& setting, Step* step) {
  if (!Looks(evidence)) return false;
  Course& course = step->course;
  course.drift.reset();
  for (size_t pair = 0; pair < PairsWithBase(setting) && !course.drift.has_value(); ++pair) {
    course.drift = FindNotableDrift(evidence.OfPair(pair), setting.options.margin);
  }
  if (!course.drift.has_value()) return false;
  const double budget_ns = course.plan.budget_ns;
  if (!LengthenWarmUp(&course.plan)) return false;  // it is told
  step->kind = Step::Kind::kTrim;
  step->share = 1 - course.plan.budget_ns / budget_ns;
  step->reason = absl::StrFormat("the ratio changes within runs: the first %.0f %% are warm-up",
                                 100 * step->share);
  return true;
}

// Runs of variants that disturb each other are not what a user deploys.
bool MeasureOneAtATime(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  if (!Looks(evidence) || course.schedule == Schedule::kAlternating) return false;
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

// Short turns were chosen for alike variants.
bool MeasureUnlikeInBlocks(const Evidence& evidence, const Setting& setting, Step* step) {
  Course& course = step->course;
  const bool is_chosen =
      course.cause == ScheduleCause::kPilots || course.cause == ScheduleCause::kUnverified;
  if (!Looks(evidence) || !is_chosen || course.schedule == Schedule::kAlternating) return false;
  for (size_t pair = 0; pair < PairsWithBase(setting); ++pair) {
    if (!AreUnlike(evidence.OfPair(pair))) continue;
    ChangeSchedule(Schedule::kAlternating, ScheduleCause::kPilots,
                   "the runs show that the variants take different times", setting, &course);
    step->kind = Step::Kind::kRestart;
    step->reason = course.schedule_reason;
    return true;
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
    LengthenTheWarmUp,      // after some runs, and at the end
    MeasureOneAtATime,      // likewise
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
