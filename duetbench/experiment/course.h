#ifndef DUETBENCH_EXPERIMENT_COURSE_H_
#define DUETBENCH_EXPERIMENT_COURSE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/mutual_disturbance.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/schedule.h"

namespace duetbench {

// Why an experiment uses its schedule.
enum class ScheduleCause {
  kGiven,        // demanded, or there was nothing to choose from
  kCalibration,  // a calibration has not shown alike variants
  kShown,        // what runs have shown of the variants
  kThreads,      // a variant starts threads
  kDisturb,      // the variants disturb each other with another one
};

// ln of the ticks of an iteration of each of two variants.
using LogTimes = std::array<double, 2>;

// State of an experiment: the decisions so far, and why they were made. A value: each step of the
// policy (policy.h) makes the next one.
struct Course {
  RunPlan plan;  // of the next run
  Schedule schedule = Schedule::kDuet;
  ScheduleCause cause = ScheduleCause::kGiven;
  std::string schedule_reason;  // one line for people
  int cpus_per_variant = kCpusByThreads;

  // As last looked. With `disturb_each_other` it is notable; `at_the_same_time`: that is how they
  // do it, and not in turns.
  std::optional<MutualDisturbance> disturbance;
  size_t disturbed_pair = 0;  // of a group, its number in PairsOfGroup
  bool disturb_each_other = false;
  bool at_the_same_time = true;

  // The ratio depends on the position in a run, or not; nothing: it is not known yet, and runs are
  // as long as the fewest may be. Of variants that are called anew for each sample, in a call.
  std::optional<bool> depends_on_position;
  uint64_t long_call = 0;         // iterations of the longest calls; 0: there are none
  bool has_long_samples = false;  // longer than a calibration, set-up of a call included
  // The times in blocks of each variant, before they shared a CPU (kSliced).
  std::optional<LogTimes> in_blocks;
  double head_share = 0;               // of a long run: the length of a short one
  int started_threads[3] = {0, 0, 0};  // as in RunResult, of calibrations
  RunCosts costs;                      // of a run with the plan
  int short_runs = 0;                  // that were planned before the first long one
  int runs = 0;                        // that are to measure, by the time that there is
  double limit_ns = 0;                 // of the time of all processes, then the fewest are enough
};

// The schedule is to be chosen: none is demanded, and each of several runs ends by time.
bool MayChooseSchedule(const ExperimentOptions& options);

bool HasTwoCpus(const Machine& machine);

// More than two variants, which take turns on one CPU.
bool IsGroup(const ExperimentOptions& options);

// The time on the CPU is known, and what is compared: variants may share one.
bool HasCpuTimes(const ExperimentOptions& options);

// The schedule of alike variants: turns of samples or, of samples that are `long`, of the kernel,
// so that what the machine does in milliseconds hits both. Blocks, where a time on the CPU is not
// what is compared, and of groups.
Schedule ScheduleOfAlike(bool is_long, const ExperimentOptions& options);

// Where a course begins: with the plan of a run that is not calibrated.
Course FirstCourse(const ExperimentOptions& options, const Machine& machine);

// The options with the schedule and the CPUs of a variant that are used.
ExperimentOptions EffectiveOptions(const Course& course, const ExperimentOptions& options);

// Changes the schedule, in the plan, too.
void ChangeSchedule(Schedule schedule, ScheduleCause cause, std::string reason,
                    const Machine& machine, Course* course);
// To one in which a variant has all CPUs for the threads that it starts.
void ChangeToAllCpus(const Machine& machine, Course* course);

// The variants disturb each other, and were measured together because that was demanded.
bool WereMeasuredTogether(const Course& course, const ExperimentOptions& options);

// Enters what a reader of the result must know of the course.
void AddCourse(const Course& course, const ExperimentOptions& options, Comparison* result);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_COURSE_H_
