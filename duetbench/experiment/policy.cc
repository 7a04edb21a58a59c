#include "duetbench/experiment/policy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/mutual_disturbance.h"
#include "duetbench/decide/stationarity.h"
#include "duetbench/experiment/calibration.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

bool Check(const Evidence& evidence, Step* step) {
  if (!evidence.options.check_equal || evidence.last.has_value()) return false;
  step->course.plan = CheckPlan(evidence.options, evidence.machine);
  return step->Launch(RunPurpose::kCheck, "do both variants compute the same?");
}

bool DryRunOnly(const Evidence& evidence, Step* step) {
  if (!evidence.options.dry_run) return false;
  if (evidence.last == RunPurpose::kDryRun) {
    step->kind = Step::Kind::kEnd;
    step->reason = "a dry run has one run";
    return true;
  }
  step->course.plan = DryRunPlan(evidence.options, evidence.machine);
  return step->Launch(RunPurpose::kDryRun, "do both variants work?");
}

// The logarithms of the median ratios of runs.
std::vector<double> LogRatiosOf(const std::vector<RunResult>& runs) {
  std::vector<double> log_ratios;
  for (const RunResult& run : runs) log_ratios.push_back(std::log(MedianRatio(run)));
  return log_ratios;
}

// The medians of the pairs of runs.
LogTimes LogTimesOf(const std::vector<RunResult>& runs) {
  LogTimes log_times{};
  for (size_t v = 0; v < log_times.size(); ++v) {
    std::vector<double> of_pairs;
    for (const RunResult& run : runs) {
      for (const PairRecord& pair : run.pairs) {
        const double ns = pair.ticks[v] / static_cast<double>(pair.iterations[v]);
        if (ns > 0) of_pairs.push_back(std::log(ns));
      }
    }
    if (!of_pairs.empty()) log_times[v] = stats::Median(std::move(of_pairs));
  }
  return log_times;
}

// All are farther from 0 than that of the part `limit`, on the same side.
bool AreBeyond(const std::vector<double>& log_ratios, double limit) {
  const auto [least, most] = std::minmax_element(log_ratios.begin(), log_ratios.end());
  return *least > std::log1p(limit) || *most < -std::log1p(limit);
}

// The mean of these log-ratios is farther from 0 than that of the part `limit`.
bool IsBeyond(const std::vector<double>& log_ratios, double limit) {
  return std::abs(stats::Mean(log_ratios)) > std::log1p(limit);
}

// It is farther beyond noise: a one-sided t test.
bool IsBeyondNoise(const std::vector<double>& log_ratios, double limit, double alpha) {
  if (log_ratios.size() < 2 || !IsBeyond(log_ratios, limit)) return false;
  constexpr double kLeastError = 1e-6;  // of ratios that happen to agree
  const stats::TTest test = stats::PairedTTest(log_ratios);
  const stats::TTest of_beyond =
      stats::MakeTTest(std::abs(stats::Mean(log_ratios)) - std::log1p(limit),
                       std::max(test.standard_error, kLeastError), test.degrees_of_freedom);
  return of_beyond.p / 2 <= alpha;
}

// Share of the whole time of a long run, at least: two variants have their part in it.
constexpr double kShareOfLongRun = 2 * kMeasuringPolicy.share_of_longest_call;

// The number of comparisons with the base: the first ones of PairsOfGroup.
size_t PairsWithBase(const ExperimentOptions& options) {
  return static_cast<size_t>(options.variants - 1);
}

// ns that are left of the time of the experiment.
double LeftNs(const Evidence& evidence) {
  return 1e9 * evidence.seconds.value_or(evidence.options.min_time) - evidence.account.wall_ns;
}

// Wall time that a long call of both variants may take.
double LongCallsNs(const ExperimentOptions& options) {
  const double of_run = options.runs > 0 ? 1.0 / options.runs : kShareOfLongRun;
  return std::min(of_run, kShareOfLongRun) * options.min_time * 1e9;
}

// Plans the runs that follow the `done` first ones: the fewest, which are the longest, or as many
// as the schedule has.
void PlanRuns(const Evidence& evidence, int done, bool fewest, Course* course) {
  const ExperimentOptions& options = evidence.options;
  const bool makes_long_calls = course->long_call > 0 && evidence.long_calls.front().empty() &&
                                !course->depends_on_position.has_value();
  const double wall_ns = evidence.account.wall_ns + (makes_long_calls ? LongCallsNs(options) : 0);
  const double min_time_ns = options.min_time * 1e9;
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
  if (plan.batch > 0) ExtendTimeout(options.timeout, course->costs, &plan);
  const double planned_ns = wall_ns + left * ExpectedRunNs(plan, course->costs);
  course->limit_ns = kMeasuringPolicy.max_times_planned * std::max(min_time_ns, planned_ns);
}

bool Divide(const Course& course, Step* step) {
  step->kind = Step::Kind::kMeasure;
  step->reason = absl::StrFormat("%d runs of %.3g ms", course.runs, course.plan.budget_ns * 1e-6);
  return true;
}

// Plans all runs that measure, in the time that is left: short ones, where it is known that long
// ones tell the same, else first a long one; of variants that are called anew for each sample,
// short ones in any case (ChooseTheCalls).
void PlanAllRuns(const Evidence& evidence, Course* course) {
  const ExperimentOptions& options = evidence.options;
  RunPlan& plan = course->plan;
  const bool is_open = !course->depends_on_position.has_value() && plan.fixed_iterations == 0;
  const bool has_long_calls =
      is_open && plan.calls != 0 && options.executions == options.takes_seconds &&
      options.runs != 1 &&
      LongCallsNs(options) > kMeasuringPolicy.min_times_as_long * plan.sample_ns;
  if (has_long_calls && course->long_call == 0) course->long_call = plan.batch;
  PlanRuns(evidence, /*done=*/0, /*fewest=*/false, course);
  course->short_runs = course->runs;
  if (course->depends_on_position.has_value() || has_long_calls) return;
  course->depends_on_position = false;
  if (!is_open || plan.calls != 0 || options.runs > 0) return;
  Course fewest = *course;
  PlanRuns(evidence, /*done=*/0, /*fewest=*/true, &fewest);
  fewest.plan.budget_ns = std::max(fewest.plan.budget_ns, kShareOfLongRun * options.min_time * 1e9);
  fewest.head_share = plan.budget_ns / fewest.plan.budget_ns;
  if (fewest.head_share * kMeasuringPolicy.min_times_as_long > 1) return;
  *course = std::move(fewest);
  course->depends_on_position.reset();
}

// The variants are calibrated.
bool DivideTheTime(const Evidence& evidence, Step* step) {
  if (evidence.is_measuring) return false;
  Course& course = step->course;
  course.plan.is_pilot = 0;
  course.plan.watch_threads = 0;
  PlanAllRuns(evidence, &course);
  return Divide(course, step);
}

// The runs so far are given up.
bool Restart(Schedule schedule, ScheduleCause cause, const char* reason, const Evidence& evidence,
             Step* step) {
  Course& course = step->course;
  ChangeSchedule(schedule, cause, reason, evidence.machine, &course);
  if (!course.depends_on_position.value_or(false)) PlanAllRuns(evidence, &course);
  step->kind = Step::Kind::kRestart;
  step->reason = reason;
  return true;
}

// The effects of the heads of `tried` long runs are farther from 0 than max_head_effect at a
// position, beyond noise, or not. A single run may be disturbed: it shows only that they are near.
// Others shall follow where it is unclear. Effects of fewer than were tried: the others show
// nothing. One that is large in most runs is there, however much it differs between them.
enum class Distance { kNear, kFar, kUnclear };
Distance DistanceOfHeads(const std::vector<HeadEffects>& effects, size_t tried) {
  constexpr double kLimit = kMeasuringPolicy.max_head_effect;
  bool near = !effects.empty();
  bool far_in_most = false;
  for (size_t position = 0; position < kPositions; ++position) {
    std::vector<double> of_runs;
    for (const HeadEffects& run : effects) of_runs.push_back(run[position]);
    if (of_runs.empty() || !IsBeyond(of_runs, kLimit)) continue;
    if (IsBeyondNoise(of_runs, kLimit, kMeasuringPolicy.head_alpha)) return Distance::kFar;
    near = false;
    far_in_most |= std::abs(stats::Median(of_runs)) > kMeasuringPolicy.large_head_effect;
  }
  if (near) return Distance::kNear;
  if (tried < kMeasuringPolicy.most_unclear_heads) return Distance::kUnclear;
  return effects.size() == tried && !far_in_most ? Distance::kNear : Distance::kFar;
}

// The largest of `pairs` pairs of variants, with the effects of `runs` runs of each.
using EffectsOfRun = std::function<std::optional<HeadEffects>(size_t pair, size_t run)>;
Distance DistanceOfHeads(size_t pairs, size_t runs, const EffectsOfRun& effects_of) {
  Distance largest = Distance::kNear;
  for (size_t pair = 0; pair < pairs && largest != Distance::kFar; ++pair) {
    std::vector<HeadEffects> effects;
    for (size_t run = 0; run < runs; ++run) {
      if (const auto of_run = effects_of(pair, run)) effects.push_back(*of_run);
    }
    const Distance distance = DistanceOfHeads(effects, runs);
    if (distance != Distance::kNear) largest = distance;
  }
  return largest;
}

// Enters whether the ratio depends on the position. If it does not, the runs that follow are short.
void TakeDistance(Distance distance, const Evidence& evidence, Course* course) {
  course->depends_on_position = distance == Distance::kFar;
  if (*course->depends_on_position) return;
  PlanRuns(evidence, static_cast<int>(evidence.results().size()), /*fewest=*/false, course);
}

// The runs that measure have long calls.
bool HasLongCalls(const Course& course) {
  return course.depends_on_position.value_or(false) && course.long_call > 0;
}

// Length of the calls of a run in the longest ones; shorter ones show whether the ratio still
// moves. Source: simulation of inputs of 0.3 to 30 passes with twelve slow parts: the error was
// neither below 2 % nor in the interval in 0.2 to 3.4 % (2.9 % were longer than a call); with 0.5
// and 0.75, which agree by chance at more lengths of a pass, in 3.1 to 4.3 %.
double LengthOfCalls(size_t run) {
  constexpr double kLengths[] = {1, 1, 1, 0.62, 0.83};
  return kLengths[run % std::size(kLengths)];
}

// A run with this plan gets a long call of each variant.
void MakeCallsLong(double iterations, RunPlan* plan) {
  plan->sample_ns *= iterations / static_cast<double>(plan->batch);
  plan->batch = static_cast<uint64_t>(iterations);
  plan->budget_ns = plan->sample_ns;
  plan->one_pair = 1;
}

// The ratio that one schedule tells of alike variants holds for their long calls, too.
Schedule ScheduleOfLongCalls(const Course& course, const ExperimentOptions& options) {
  const bool is_confirmed = course.cause != ScheduleCause::kCalibration;
  if (course.schedule == Schedule::kAlternating && is_confirmed) return course.schedule;
  return ScheduleOfAlike(/*is_long=*/true, options);
}

bool LaunchLongCalls(size_t run, const Evidence& evidence, Step* step) {
  step->Launch(RunPurpose::kLongCalls, "do long calls tell the same as short ones?");
  RunPlan& plan = step->plan;
  plan.run = static_cast<uint32_t>(run);
  MakeCallsLong(static_cast<double>(step->course.long_call), &plan);
  if (!evidence.options.schedule.has_value()) {
    SetSchedule(ScheduleOfLongCalls(step->course, evidence.options), evidence.machine, &plan);
  }
  ExtendTimeout(evidence.options.timeout, step->course.costs, &plan);
  return true;
}

// ns of the first call of each variant in a run, without the time in which others had the CPU, as
// far as it is known.
double CallsNs(const RunResult& run, const Evidence& evidence) {
  const bool pauses = run.pause_share[0] + run.pause_share[1] > 0;
  if (evidence.options.manual_time || pauses || run.pairs.empty()) {
    return run.wall_ns - run.unmeasured_ns;
  }
  const double* const ticks = run.pairs.front().ticks;
  return (ticks[0] + ticks[1]) * evidence.machine.ns_per_tick;
}

// A function that is called anew for each sample begins at the head of its input each time. Beside
// the first runs others have the same layouts and long calls. If these do not tell the same, they
// are the runs that measure.
bool ChooseTheCalls(const Evidence& evidence, Step* step) {
  constexpr double kMargin = 1.1;
  // The factor by which a call may exceed the wanted time if its time grows with the square of its
  // iterations: each makes a container of that size.
  constexpr double kMostExcess = 20;
  constexpr double kMostIterations = 1e12;  // the compiler removed the work
  Course& course = step->course;
  if (course.long_call == 0 || course.depends_on_position.has_value()) return false;
  const std::vector<RunResult>& tried = evidence.long_calls.front();
  const size_t runs = evidence.results().size();
  if (runs == 0) {
    // By steps, since later iterations may take much more time, or less.
    const double took_ns = tried.empty() ? course.plan.sample_ns : CallsNs(tried.front(), evidence);
    const double wanted = LongCallsNs(evidence.options) / took_ns;
    const double times = std::min(kMargin * wanted, std::sqrt(kMostExcess * wanted));
    const double iterations = times * static_cast<double>(course.long_call);
    if (times > kMargin * kMargin && iterations < kMostIterations) {
      course.long_call = static_cast<uint64_t>(iterations);
      return LaunchLongCalls(0, evidence, step);
    }
  }
  if (runs < tried.size()) return false;  // one with short calls
  const auto effects_of = [&](size_t pair, size_t run) {
    return EffectsOfShortCalls(evidence.pairs[pair][run], evidence.long_calls[pair][run]);
  };
  const Distance distance =
      DistanceOfHeads(PairsWithBase(evidence.options), tried.size(), effects_of);
  if (distance == Distance::kUnclear) return LaunchLongCalls(tried.size(), evidence, step);
  const double compared_ns = course.plan.budget_ns;
  TakeDistance(distance, evidence, &course);
  if (!*course.depends_on_position) {
    course.long_call = 0;
    // The length of an execution follows it.
    if (evidence.options.executions) course.plan.budget_ns = compared_ns;
    return Divide(course, step);
  }
  if (!evidence.options.schedule.has_value()) {
    const bool are_alike = !AreBeyond(LogRatiosOf(tried), kMeasuringPolicy.max_ratio_of_alike - 1);
    ChangeSchedule(
        are_alike ? ScheduleOfLongCalls(course, evidence.options) : Schedule::kAlternating,
        ScheduleCause::kShown, "", evidence.machine, &course);
  }
  course.schedule_reason = "the ratio depends on the length of a call";
  course.plan.batch = course.long_call;
  course.plan.sample_ns = CallsNs(tried.front(), evidence);
  course.costs.calls_ns = FewestCallsNs(course.plan);
  PlanRuns(evidence, static_cast<int>(runs), /*fewest=*/false, &course);
  step->kind = Step::Kind::kTakeLongCalls;
  step->reason = course.schedule_reason;
  return true;
}

// ns of a sample of the slowest variant in the runs so far: at the head of an input, which a
// calibration sees, it may take another time.
double SampleNsOf(const Evidence& evidence, const RunPlan& plan) {
  double slowest_ns = 0;
  for (const std::vector<RunResult>& runs : evidence.pairs) {
    for (int v = 0; v < 2; ++v) {
      double ticks = 0;
      double iterations = 0;
      for (const RunResult& run : runs) {
        for (const PairRecord& record : run.pairs) {
          ticks += record.ticks[v];
          iterations += static_cast<double>(record.iterations[v]);
        }
      }
      if (iterations > 0) slowest_ns = std::max(slowest_ns, ticks * plan.ns_per_tick / iterations);
    }
  }
  return slowest_ns > 0 ? slowest_ns * static_cast<double>(plan.batch) : plan.sample_ns;
}

// The first runs are long, and count. They show whether short ones would tell the same: more of
// them, with one memory layout each, give a narrower interval.
bool ChooseTheLength(const Evidence& evidence, Step* step) {
  Course& course = step->course;
  const bool is_open = course.long_call == 0 && !course.depends_on_position.has_value();
  if (!is_open || evidence.results().empty()) return false;
  const auto effects_of = [&](size_t pair, size_t run) -> std::optional<HeadEffects> {
    const RunResult& result = evidence.pairs[pair][run];
    const bool are_long = result.pairs.size() < kFewestPairsOfPositions;  // iterations
    return are_long ? HeadEffects{} : EffectsOfHead(result, course.head_share);
  };
  const Distance distance =
      DistanceOfHeads(PairsWithBase(evidence.options), evidence.results().size(), effects_of);
  if (distance == Distance::kUnclear) return false;
  TakeDistance(distance, evidence, &course);
  if (*course.depends_on_position) {
    course.plan.sample_ns = SampleNsOf(evidence, course.plan);
  }
  if (*course.depends_on_position && course.cause == ScheduleCause::kShown &&
      course.schedule != Schedule::kAlternating) {
    // They may be shorter, if the ratio of their heads is already that of all.
    for (const double share : kMeasuringPolicy.shares_of_long_runs) {
      const auto effects_of_share = [&](size_t pair, size_t run) {
        return EffectsOfHead(evidence.pairs[pair][run], share);
      };
      if (DistanceOfHeads(PairsWithBase(evidence.options), evidence.results().size(),
                          effects_of_share) != Distance::kNear) {
        continue;
      }
      course.plan.budget_ns *= share;
      break;
    }
    return Restart(Schedule::kAlternating, ScheduleCause::kShown,
                   "the ratio depends on the position in a run", evidence, step);
  }
  return Divide(course, step);
}

// Drift and disturbance are looked for now.
bool Looks(const Evidence& evidence) {
  return evidence.is_enough ||
         std::find(std::begin(kMeasuringPolicy.looks), std::end(kMeasuringPolicy.looks),
                   evidence.results().size()) != std::end(kMeasuringPolicy.looks);
}

// Where there is no time for it, the interval is wider (Reservations::position_error).
bool LengthenTheRuns(const Evidence& evidence, Step* step) {
  Course& course = step->course;
  RunPlan& plan = course.plan;
  // The fewest may be enough, with the wider interval.
  const bool is_early =
      evidence.results().size() < static_cast<size_t>(kMeasuringPolicy.fewest_runs);
  if (!Looks(evidence) || evidence.is_enough || is_early) return false;
  if (plan.fixed_iterations > 0 || evidence.options.runs > 0) return false;
  bool drifts = false;
  for (size_t pair = 0; pair < PairsWithBase(evidence.options); ++pair) {
    drifts |= IsNotable(FindPositionEffect(evidence.pairs[pair]), evidence.options.margin);
  }
  const double longer_ns =
      kMeasuringPolicy.min_times_as_long * std::max(plan.budget_ns, plan.sample_ns);
  const double affordable = LeftNs(evidence) / (longer_ns + course.costs.sum_ns());
  if (!drifts || affordable < kMeasuringPolicy.fewest_runs) return false;
  if (HasLongCalls(course)) {
    course.long_call *= 2;
    plan.batch = course.long_call;
    plan.sample_ns *= 2;
  }
  plan.budget_ns = longer_ns;
  course.runs = std::min(static_cast<int>(affordable), kMeasuringPolicy.max_runs);
  course.depends_on_position = true;
  step->kind = Step::Kind::kRestart;
  step->reason =
      absl::StrFormat("the ratio changes within runs: now runs of %.3g ms", longer_ns * 1e-6);
  return true;
}

// Runs of variants that disturb each other are not what a user deploys.
bool MeasureOneAtATime(const Evidence& evidence, Step* step) {
  Course& course = step->course;
  // A ratio that depends on the position differs between segments and the rest of a run, too.
  const bool depends = course.depends_on_position.value_or(false);
  if (!Looks(evidence) || course.schedule == Schedule::kAlternating || depends) return false;
  std::optional<MutualDisturbance> found;
  bool disturb = false;
  size_t pair = 0;
  for (; pair < PairsWithBase(evidence.options) && !disturb; ++pair) {
    found = FindMutualDisturbance(evidence.pairs[pair]);
    disturb = found.has_value() && DisturbEachOther(*found, evidence.options.margin);
  }
  if (found.has_value()) course.disturbance = found;
  course.disturb_each_other = disturb;
  course.disturbed_pair = pair - 1;
  course.at_the_same_time = course.schedule != Schedule::kInterleaved;
  if (!disturb || evidence.options.schedule.has_value()) return false;
  return Restart(Schedule::kAlternating, ScheduleCause::kDisturb,
                 course.at_the_same_time
                     ? "old and new disturb each other when they run at the same time"
                     : "old and new disturb each other in turns, by what is in the caches",
                 evidence, step);
}

// The calibration led to blocks, and may have been disturbed, or been due to its layout, as may a
// block. Runs in turns show it, too, if the variants are not alike (MeasureUnlikeInBlocks): they
// stay in blocks only if the first two, whose layouts cancel, agree.
bool ConfirmBlocks(const Evidence& evidence, Step* step) {
  ScheduleCause& cause = step->course.cause;
  if (cause != ScheduleCause::kCalibration || evidence.results().empty()) return false;
  if (evidence.results().size() > 1) cause = ScheduleCause::kShown;
  if (Waited(evidence.account)) return false;
  for (size_t pair = 0; pair < PairsWithBase(evidence.options); ++pair) {
    if (AreBeyond(LogRatiosOf(evidence.pairs[pair]), kMeasuringPolicy.max_ratio_of_alike - 1)) {
      return false;
    }
  }
  const Schedule schedule = ScheduleOfAlike(step->course.has_long_samples, evidence.options);
  if (schedule == Schedule::kAlternating) return false;
  if (schedule == Schedule::kSliced) step->course.in_blocks = LogTimesOf(evidence.results());
  return Restart(schedule, ScheduleCause::kShown, "alike variants: in turns", evidence, step);
}

// A variant takes longer than in its blocks.
bool AreSlowerThanInBlocks(const std::vector<RunResult>& runs, const Course& course) {
  if (course.in_blocks.has_value()) {
    const LogTimes times = LogTimesOf(runs);
    const LogTimes& blocks = *course.in_blocks;
    return std::max(times[0] - blocks[0], times[1] - blocks[1]) >
           kMeasuringPolicy.max_slower_in_one_run;
  }
  const auto found = FindMutualDisturbance(runs);
  const double limit = runs.size() > 1 ? kMeasuringPolicy.max_slower_in_turns
                                       : kMeasuringPolicy.max_slower_in_one_run;
  return found.has_value() && found->slower > limit;
}

// Turns are not the steady state of a variant that is faster in blocks; and of unlike variants they
// need not be, though the segments do not show it: their ratio is farther from 1 than that of alike
// ones.
bool MeasureUnlikeInBlocks(const Evidence& evidence, Step* step) {
  const Course& course = step->course;
  if (course.cause != ScheduleCause::kShown || course.schedule == Schedule::kAlternating) {
    return false;
  }
  if (!Looks(evidence) && evidence.results().size() != 1) return false;
  for (size_t pair = 0; pair < PairsWithBase(evidence.options); ++pair) {
    const std::vector<RunResult>& runs = evidence.pairs[pair];
    const char* reason = nullptr;
    if (AreSlowerThanInBlocks(runs, course)) {
      reason = "in turns a variant is slower than in its steady state";
    } else if (IsBeyondNoise(LogRatiosOf(runs), kMeasuringPolicy.max_ratio_of_alike - 1,
                             kMeasuringPolicy.disturbance_alpha)) {
      reason = "the runs show that the variants take different times";
    } else {
      continue;
    }
    return Restart(Schedule::kAlternating, ScheduleCause::kShown, reason, evidence, step);
  }
  return false;
}

bool EndWithEnough(const Evidence& evidence, Step* step) {
  if (!evidence.is_enough) return false;
  step->kind = Step::Kind::kEnd;
  step->reason = absl::StrCat(evidence.results().size(), " runs are enough");
  return true;
}

bool MeasureOnceMore(const Evidence& evidence, Step* step) {
  constexpr double kLeastShare = 0.1;  // chosen: of the planned time, in one step
  const size_t run = evidence.results().size();
  Course& course = step->course;
  course.plan.run = static_cast<uint32_t>(run);
  // A block has as many samples as take its time. The calibration has seen the first ones, which
  // may take longer: look-ups in a map took 3.5 times as long, and blocks 5 ms in place of 20.
  const bool has_blocks = course.schedule == Schedule::kAlternating && course.plan.calls == 0;
  if (has_blocks && course.plan.fixed_iterations == 0 && run > 0) {
    const RunResult& last = evidence.results().back();
    const double took_ns = last.wall_ns - last.set_up_ns;
    course.plan.sample_ns *= std::clamp(took_ns / course.plan.budget_ns, kLeastShare, 1.0);
  }
  // At the head of an input the ratio may be another one than later.
  course.plan.same_iterations = course.depends_on_position.value_or(true) ? 1 : 0;
  step->Launch(RunPurpose::kMeasuring, absl::StrCat("run ", run + 1));
  const double length = LengthOfCalls(run) * static_cast<double>(course.long_call);
  if (HasLongCalls(course)) MakeCallsLong(std::ceil(length), &step->plan);
  return true;
}

// A rule: makes the step that it wants, whose course it may change in any case by what it found.
// False: it does not apply.
using PolicyRule = bool (*)(const Evidence& evidence, Step* step);

// The first one that applies is taken.
constexpr PolicyRule kPolicyRules[] = {
    Check,
    DryRunOnly,
    Calibrate,              // calibration.h
    DivideTheTime,          // once they are
    ChooseTheCalls,         // with the first ones
    ChooseTheLength,        // after the first ones
    ConfirmBlocks,          // after the first one
    LengthenTheRuns,        // after some runs
    MeasureOneAtATime,      // likewise, and at the end
    MeasureUnlikeInBlocks,  // likewise
    EndWithEnough,
    MeasureOnceMore,
};

}  // namespace

Step NextStep(const Evidence& evidence, Course course) {
  Step step;
  step.course = std::move(course);
  for (const PolicyRule rule : kPolicyRules) {
    if (rule(evidence, &step)) break;
  }
  return step;
}

}  // namespace duetbench
