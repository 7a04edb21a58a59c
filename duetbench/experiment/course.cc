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

Schedule FirstSchedule(const Setting& setting) {
  const ExperimentOptions& options = setting.options;
  if (HasCpusForThreads(options.cpus_per_variant)) return Schedule::kInterleaved;
  const bool is_in_blocks =
      MayChooseSchedule(setting) || HasNoSegments(options) || IsGroup(setting);
  const Schedule in_short_turns =
      options.executions && HasTwoCpus(setting) ? Schedule::kDuet : Schedule::kInterleaved;
  const Schedule schedule =
      options.schedule.value_or(is_in_blocks ? Schedule::kAlternating : in_short_turns);
  if (options.fixed_iterations == 0) return schedule;
  if (schedule == Schedule::kAlternating) return Schedule::kInterleaved;  // blocks end by time
  return schedule;
}

bool DiffersFromTogether(const Estimate* estimate, const Course& course) {
  if (estimate == nullptr || !course.disturbance.has_value()) return true;
  const double together = course.disturbance->ratio_together;
  return together < estimate->interval.lo || together > estimate->interval.hi;
}

}  // namespace

bool MayChooseSchedule(const Setting& setting) {
  const ExperimentOptions& options = setting.options;
  return !options.schedule.has_value() && !HasCpusForThreads(options.cpus_per_variant) &&
         !HasNoSegments(options) && !options.executions;
}

bool HasTwoCpus(const Setting& setting) {
  return setting.machine.cpus.relation != CpuRelation::kOneCpu;
}

bool IsGroup(const Setting& setting) { return setting.options.variants > 2; }

bool HasCpuTimes(const ExperimentOptions& options) {
  return !options.executions && !options.manual_time;
}

Schedule ScheduleOfAlike(bool is_long, const Setting& setting) {
  if (!is_long) return Schedule::kInterleaved;
  const bool may_share = HasCpuTimes(setting.options) && !IsGroup(setting);
  return may_share ? Schedule::kSliced : Schedule::kAlternating;
}

Course FirstCourse(const Setting& setting) {
  Course course;
  course.schedule = FirstSchedule(setting);
  if (!setting.options.schedule.has_value() && HasNoSegments(setting.options) &&
      !HasCpusForThreads(setting.options.cpus_per_variant)) {
    course.schedule_reason = "too short to tell whether old and new disturb each other";
  }
  course.cpus_per_variant = setting.options.cpus_per_variant;
  course.plan = MeasuringPlan(EffectiveOptions(course, setting.options), setting.machine);
  return course;
}

ExperimentOptions EffectiveOptions(const Course& course, const ExperimentOptions& options) {
  ExperimentOptions effective = options;
  effective.schedule = course.schedule;
  effective.cpus_per_variant = course.cpus_per_variant;
  return effective;
}

void ChangeSchedule(Schedule schedule, ScheduleCause cause, std::string reason,
                    const Setting& setting, Course* course) {
  course->schedule = schedule;
  course->cause = cause;
  course->schedule_reason = std::move(reason);
  SetSchedule(schedule, setting.machine, &course->plan);
}

void ChangeToAllCpus(const Setting& setting, Course* course) {
  course->cpus_per_variant = kAllCpus;
  course->plan.cpus_per_variant = kAllCpus;
  ChangeSchedule(Schedule::kInterleaved, ScheduleCause::kThreads,
                 "a variant starts threads, which use all CPUs", setting, course);
}

bool WereMeasuredTogether(const Course& course, const Setting& setting) {
  return course.disturb_each_other && setting.options.schedule.has_value();
}

void AddCourse(const Course& course, const Setting& setting, Comparison* result) {
  const int* const threads = course.started_threads;
  if (threads[0] + threads[1] + threads[2] > 0) {
    const auto kind = course.cpus_per_variant == kAllCpus ? Notice::Kind::kStartsThreads
                                                          : Notice::Kind::kConfinesThreads;
    result->notices.push_back({kind,
                               {static_cast<double>(threads[0]), static_cast<double>(threads[1])},
                               threads[2] > 0 ? std::to_string(threads[2]) : ""});
  }
  const bool is_demanded = setting.options.schedule.has_value();
  // The abandoned runs are no news where the interval contains their ratio together.
  const bool is_confirmed = is_demanded || DiffersFromTogether(result->estimate(), course);
  if (course.disturb_each_other && is_confirmed) {
    const auto kind =
        is_demanded ? Notice::Kind::kMeasuredTogether : Notice::Kind::kDisturbEachOther;
    result->notices.push_back(
        {kind,
         {course.disturbance->ratio_alone, course.disturbance->ratio_together},
         course.at_the_same_time ? "concurrent" : "interleaved"});
  }
  Estimate* const estimate = result->estimate();
  if (estimate == nullptr) return;
  // Chosen: the kernel takes 2 to 5 µs to wake a thread.
  constexpr double kWakingNs = 1000;
  for (int v = 0; v < 2; ++v) {
    const double time_ns = estimate->time_ns[v];
    if (threads[v] == 0 || time_ns > kWakingNs || 10 * time_ns > estimate->time_ns[1 - v]) continue;
    result->notices.push_back({Notice::Kind::kMayNotWait, {static_cast<double>(v), time_ns}, ""});
  }
  estimate->mutual_disturbance = course.disturbance;
  estimate->schedule_reason = course.schedule_reason;
  if (HasCpusForThreads(course.cpus_per_variant)) {
    estimate->cpus_per_variant = course.cpus_per_variant;
  }
}

}  // namespace duetbench
