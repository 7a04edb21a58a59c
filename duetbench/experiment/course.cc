#include "duetbench/experiment/course.h"

#include <utility>

#include "duetbench/decide/notice.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {
namespace {

// One run shows no difference between runs, and iterations that are counted have no segment.
bool HasNoSegments(const ExperimentOptions& options) {
  return options.runs == 1 || options.fixed_iterations > 0;
}

Schedule FirstSchedule(const ExperimentOptions& options, const Machine& machine) {
  if (HasCpusForThreads(options.cpus_per_variant)) return Schedule::kInterleaved;
  const bool is_in_blocks =
      MayChooseSchedule(options) || HasNoSegments(options) || IsGroup(options);
  const Schedule in_short_turns =
      options.executions && HasTwoCpus(machine) ? Schedule::kDuet : Schedule::kInterleaved;
  const Schedule schedule =
      options.schedule.value_or(is_in_blocks ? Schedule::kAlternating : in_short_turns);
  if (options.fixed_iterations == 0) return schedule;
  if (schedule == Schedule::kAlternating) return Schedule::kInterleaved;  // blocks end by time
  return schedule;
}

bool DiffersFromTogether(const Comparison& result, const Course& course) {
  if (!result.has_ratio() || !course.disturbance.has_value()) return true;
  const double together = course.disturbance->ratio_together;
  return together < result.interval.lo || together > result.interval.hi;
}

}  // namespace

bool MayChooseSchedule(const ExperimentOptions& options) {
  return !options.schedule.has_value() && !HasCpusForThreads(options.cpus_per_variant) &&
         !HasNoSegments(options) && !options.executions;
}

bool HasTwoCpus(const Machine& machine) { return machine.cpus.relation != CpuRelation::kOneCpu; }

bool IsGroup(const ExperimentOptions& options) { return options.variants > 2; }

bool HasCpuTimes(const ExperimentOptions& options) {
  return !options.executions && !options.manual_time;
}

Schedule ScheduleOfAlike(bool is_long, const ExperimentOptions& options) {
  if (!is_long) return Schedule::kInterleaved;
  const bool may_share = HasCpuTimes(options) && !IsGroup(options);
  return may_share ? Schedule::kSliced : Schedule::kAlternating;
}

Course FirstCourse(const ExperimentOptions& options, const Machine& machine) {
  Course course;
  course.schedule = FirstSchedule(options, machine);
  if (!options.schedule.has_value() && HasNoSegments(options) &&
      !HasCpusForThreads(options.cpus_per_variant)) {
    course.schedule_reason = "too short to tell whether old and new disturb each other";
  }
  course.cpus_per_variant = options.cpus_per_variant;
  course.plan = MeasuringPlan(EffectiveOptions(course, options), machine);
  return course;
}

ExperimentOptions EffectiveOptions(const Course& course, const ExperimentOptions& options) {
  ExperimentOptions effective = options;
  effective.schedule = course.schedule;
  effective.cpus_per_variant = course.cpus_per_variant;
  return effective;
}

void ChangeSchedule(Schedule schedule, ScheduleCause cause, std::string reason,
                    const Machine& machine, Course* course) {
  course->schedule = schedule;
  course->cause = cause;
  course->schedule_reason = std::move(reason);
  SetSchedule(schedule, machine, &course->plan);
}

void ChangeToAllCpus(const Machine& machine, Course* course) {
  course->cpus_per_variant = kAllCpus;
  course->plan.cpus_per_variant = kAllCpus;
  ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kThreads,
                 "a variant starts threads, which use all CPUs", machine, course);
}

bool WereMeasuredTogether(const Course& course, const ExperimentOptions& options) {
  return course.disturb_each_other && options.schedule.has_value();
}

void AddCourse(const Course& course, const ExperimentOptions& options, Comparison* result) {
  const int* const threads = course.started_threads;
  if (threads[0] + threads[1] + threads[2] > 0) {
    const auto kind = course.cpus_per_variant == kAllCpus ? Notice::Kind::kStartsThreads
                                                          : Notice::Kind::kConfinesThreads;
    result->notices.push_back({kind,
                               {static_cast<double>(threads[0]), static_cast<double>(threads[1])},
                               threads[2] > 0 ? std::to_string(threads[2]) : ""});
  }
  const bool is_demanded = options.schedule.has_value();
  // The abandoned runs are no news where the interval contains their ratio together.
  const bool is_confirmed = is_demanded || DiffersFromTogether(*result, course);
  if (course.disturb_each_other && is_confirmed) {
    const auto kind =
        is_demanded ? Notice::Kind::kMeasuredTogether : Notice::Kind::kDisturbEachOther;
    result->notices.push_back({kind,
                               {course.disturbance->ratio_solo, course.disturbance->ratio_together},
                               course.at_the_same_time ? "concurrent" : "interleaved"});
  }
  if (!result->has_ratio()) return;
  // Chosen: the kernel takes 2 to 5 µs to wake a thread.
  constexpr double kWakingNs = 1000;
  for (int v = 0; v < 2; ++v) {
    const double time_ns = result->time_ns[v];
    if (threads[v] == 0 || time_ns > kWakingNs || 10 * time_ns > result->time_ns[1 - v]) continue;
    result->notices.push_back({Notice::Kind::kMayNotWait, {static_cast<double>(v), time_ns}, ""});
  }
  result->mutual_disturbance = course.disturbance;
  result->schedule_reason = course.schedule_reason;
  if (HasCpusForThreads(course.cpus_per_variant)) {
    result->cpus_per_variant = course.cpus_per_variant;
  }
}

}  // namespace duetbench
