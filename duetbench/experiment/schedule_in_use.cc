#include "duetbench/experiment/schedule_in_use.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/pacing.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

// Times on the slower of two CPUs are longer by more than this part.
constexpr double kSlowerCpu = 0.05;

// A t test of fewer differences (mutual_disturbance.h) finds only what is far beyond their noise:
// of 18 runs of 8 ms, 6 with a segment, it missed in 2 of 4 experiments that variants which share a
// counter read 1.01 in place of 1.05. Of few runs half suffice.
constexpr int kMinRunsWithSegment = 4;
constexpr int kEnoughRunsWithSegment = 8;

// Why variants are measured one at a time, or not.
constexpr char kAtTheSameTime[] = "old and new disturb each other when they run at the same time";
constexpr char kSlowMoments[] = "in turns, slow moments hit one variant: at the same time, both";
constexpr char kUnverified[] = "too short to tell whether old and new disturb each other";
constexpr char kInTurns[] = "old and new disturb each other in turns, by what is in the caches";

}  // namespace

ScheduleInUse::ScheduleInUse(const ExperimentOptions& options, const Machine& machine)
    : options_(options), machine_(machine), effective_(options) {
  Schedule schedule = options.schedule.value_or(MayChoose() ? Schedule::kCrossed : Schedule::kDuet);
  if (!options.schedule.has_value() && HasNoSegments()) {
    schedule = Schedule::kInterleaved;
    reason_ = kUnverified;
  }
  if (options.fixed_iterations > 0 && LoopCount(schedule) > 2) {
    schedule = Schedule::kDuet;  // else a set-up would serve a part of the iterations
  }
  if (options.fixed_iterations > 0 && schedule == Schedule::kAlternating) {
    schedule = Schedule::kInterleaved;  // blocks end by time
  }
  if (HasCpusForThreads(options.cpus_per_variant)) schedule = Schedule::kInterleaved;
  effective_.schedule = schedule;
}

bool ScheduleInUse::MayChoose() const {
  return !options_.schedule.has_value() && !HasCpusForThreads(options_.cpus_per_variant) &&
         machine_.cpus.relation != CpuRelation::kOneCpu && !HasNoSegments() &&
         options_.max_pairs == 0 && !options_.calls;
}

// One run shows no difference between runs, and iterations that are counted have no segment.
bool ScheduleInUse::HasNoSegments() const {
  return options_.min_time < kMinTimeOfPilots || options_.runs == 1 ||
         options_.fixed_iterations > 0;
}

bool ScheduleInUse::IsDemanded() const {
  return options_.schedule.has_value() && machine_.cpus.relation != CpuRelation::kOneCpu;
}

void ScheduleInUse::FindSlowerCpu(const RunResult& crossed) {
  double log_ratio = 0;  // of the times on cpus[1] and cpus[0]: mean of both variants
  for (int variant = 0; variant < 2; ++variant) {
    std::vector<double> times[2];
    for (const PairRecord& pair : crossed.pairs) {
      if ((pair.flags & (kDisturbed | kNoTime | kAlone)) != 0) continue;
      const bool is_on_second = pair.cpus[variant] == machine_.cpus.cpus[1];
      times[is_on_second ? 1 : 0].push_back(pair.ticks[variant] /
                                            static_cast<double>(pair.iterations[variant]));
    }
    if (times[0].empty() || times[1].empty()) return;
    log_ratio += std::log(stats::Median(times[1]) / stats::Median(times[0])) / 2;
  }
  if (std::abs(log_ratio) > std::log1p(kSlowerCpu)) slower_cpu_ = log_ratio > 0 ? 1 : 0;
}

void ScheduleInUse::Change(Schedule schedule, std::string reason, RunPlan* plan) {
  reason_ = std::move(reason);
  effective_.schedule = schedule;
  SetSchedule(schedule, machine_, plan);
  if (plan->other_cpu >= 0 && slower_cpu_ >= 0) {
    plan->cpus[0] = plan->cpus[1] = machine_.cpus.cpus[1 - slower_cpu_];
    plan->other_cpu = -1;
  }
}

void ScheduleInUse::ChangeToNarrowest(Schedule schedule, std::string reason, RunPlan* plan) {
  has_narrowest_pilot_ = true;
  Change(schedule, std::move(reason), plan);
}

void ScheduleInUse::ChangeToAllCpus(RunPlan* plan) {
  effective_.cpus_per_variant = kAllCpus;
  plan->cpus_per_variant = kAllCpus;
  Change(Schedule::kInterleaved, "a variant starts threads, which use all CPUs", plan);
}

void ScheduleInUse::ChangeToOneAtATime(RunPlan* plan) {
  at_the_same_time_ = effective_.schedule != Schedule::kInterleaved;
  has_narrowest_pilot_ = false;
  is_one_at_a_time_ = true;
  const bool in_blocks = !at_the_same_time_ || disturb_in_turns_;
  Change(in_blocks ? Schedule::kAlternating : Schedule::kInterleaved,
         at_the_same_time_ ? kAtTheSameTime : kInTurns, plan);
}

bool ScheduleInUse::CannotTellDisturbance(const RunPlan& plan, int runs) const {
  if (options_.schedule.has_value() || !RunsConcurrently(plan.schedule)) return false;
  RunPlan each = plan;
  int with_segment = 0;
  for (int run = 0; run < runs; ++run) {
    each.run = static_cast<uint32_t>(run);
    if (PaceAlone(each, each.sample_ns).segments > 0) ++with_segment;
  }
  return with_segment < std::clamp(runs / 2, kMinRunsWithSegment, kEnoughRunsWithSegment);
}

void ScheduleInUse::ChangeToUnverified(RunPlan* plan) {
  has_narrowest_pilot_ = false;
  Change(Schedule::kInterleaved, kUnverified, plan);
}

bool ScheduleInUse::FindsSlowMomentsInTurns(absl::Span<const RunResult> results) const {
  return has_narrowest_pilot_ && effective_.schedule == Schedule::kInterleaved &&
         HitsOneVariant(results, effective_, machine_.ns_per_tick);
}

void ScheduleInUse::ChangeToAtTheSameTime(RunPlan* plan) {
  has_narrowest_pilot_ = false;
  Change(Schedule::kCrossed, kSlowMoments, plan);
}

bool ScheduleInUse::FindsDisturbanceInPilots(Schedule chosen, const RunResult& crossed,
                                             const RunResult& interleaved) {
  const std::optional<MutualDisturbance> in_turns = FindLargeDisturbance(interleaved, interleaved);
  disturb_in_turns_ = in_turns.has_value();
  disturbance_ =
      chosen == Schedule::kInterleaved ? in_turns : FindLargeDisturbance(crossed, interleaved);
  disturb_each_other_ = disturbance_.has_value();
  return disturb_each_other_;
}

bool ScheduleInUse::FindsDisturbanceInPilot(const RunResult& with_segments) {
  disturbance_ = FindLargeDisturbance(with_segments, with_segments);
  disturb_each_other_ = disturbance_.has_value();
  return disturb_each_other_;
}

bool ScheduleInUse::FindsDisturbance(absl::Span<const RunResult> results) {
  if (effective_.schedule == Schedule::kAlternating) return false;
  const std::optional<MutualDisturbance> found = FindMutualDisturbance(results);
  const bool disturb = found.has_value() && DisturbEachOther(*found, options_.margin);
  // What has changed the schedule stays, unless this one disturbs them, too.
  if (!disturb && is_one_at_a_time_) return false;
  if (found.has_value()) disturbance_ = found;
  disturb_each_other_ = disturb;
  at_the_same_time_ = effective_.schedule != Schedule::kInterleaved;
  return disturb;
}

void ScheduleInUse::AddTo(ExperimentResult* result) const {
  if (disturb_each_other_) {
    const auto kind =
        IsDemanded() ? Notice::Kind::kMeasuredTogether : Notice::Kind::kDisturbEachOther;
    result->notices.push_back({kind,
                               {disturbance_->ratio_alone, disturbance_->ratio_together},
                               at_the_same_time_ ? "together" : "in turns"});
  }
  Estimate* const estimate = result->estimate();
  if (estimate == nullptr) return;
  estimate->mutual_disturbance = disturbance_;
  estimate->schedule_reason = reason_;
  estimate->has_narrowest_pilot = has_narrowest_pilot_;
  if (disturb_each_other_ && IsDemanded()) {
    estimate->measured_together = true;
    estimate->verdict = stats::Verdict::kInconclusive;
  }
  if (HasCpusForThreads(effective_.cpus_per_variant)) {
    estimate->cpus_per_variant = effective_.cpus_per_variant;
  }
}

}  // namespace duetbench
