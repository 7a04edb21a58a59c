#include "duetbench/experiment/pilots.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/experiment/notice.h"
#include "duetbench/experiment/pacing.h"
#include "duetbench/experiment/schedule_choice.h"
#include "duetbench/experiment/time_account.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

// Of each pilot run in the time of the experiment.
constexpr double kPilotShare = 0.025;
constexpr double kMaxPilotNs = 50e6;
// The interleaved pilot has as much time again, of segments in which one variant runs alone.
constexpr double kPilotAloneShare = 0.5;
// What else the machine does may hit one variant in all segments, but hardly in two pilots.
constexpr uint32_t kPilotsThatDisturb = 2;
// Of a crossed pilot, 58 to 80 % are undisturbed samples on a quiet machine and 32 to 48 % beside
// one busy process; of an interleaved one on the free CPU 58 to 76 %.
constexpr double kMinSampleShareOfFreeCpus = 0.5;
// Where set-ups are dear, runs are few and short: so large that at least every second one has a
// segment.
constexpr double kAloneShareOfFewRuns = 0.25;
// After a swap of the CPUs caches are cold, which slows down alike what uses them alike. A duet
// with dear set-ups is for variants whose times are so near to each other. Measured as a duet,
// random updates of 4 MiB took 2.6 times as long as those of 16 KiB, and 1.2 times in truth
// (samples/caches).
constexpr double kMaxRatioOfAlike = 1.05;
// Of samples in turns. More is rather due to a pilot that was disturbed throughout.
constexpr double kMaxLengthening = 10;
// Where the pilot has nothing to choose, for seeing the threads that variants start.
constexpr double kMaxWatchNs = 10e6;

double PilotNs(const ExperimentOptions& options, double max_ns) {
  return std::min(max_ns, kPilotShare * options.min_time * 1e9);
}

// Adds it to the budget. Returns its share: none, where samples are too long.
double GiveTimeAlone(RunPlan* plan) {
  const double budget_ns = plan->budget_ns;
  plan->alone_share = kPilotAloneShare;
  plan->budget_ns = budget_ns / (1 - plan->alone_share);
  if (PaceAlone(*plan, plan->sample_ns).segments > 0) return plan->alone_share;
  plan->budget_ns = budget_ns;
  return plan->alone_share = 0;
}

// Whether the pilot `run` waited so long for its CPUs that little was measured.
bool Waited(const LaunchedRun& run, const RunPlan& plan) {
  TimeAccount account;
  account.AddRun(run.result, run.wall_ns, plan);
  const double samples_ns = account.kept_ns + account.alone_ns;
  return samples_ns < kMinSampleShareOfFreeCpus * plan.budget_ns;
}

// `run`, of whose time the pairs took this share.
Pilot PilotOf(LaunchedRun run, const RunPlan& plan, double share) {
  const bool waited = Waited(run, plan);
  return {plan.schedule, std::move(run.result), run.wall_ns * share, waited};
}

// Of the undisturbed pairs with both variants the time of the slower one: the median, in ticks.
// 0: there are none.
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
  const double factor = std::clamp(SlowerTicks(crossed) / ticks_in_turns, 1.0, kMaxLengthening);
  plan->batch = static_cast<uint64_t>(static_cast<double>(plan->batch) * factor);
}

bool AreAlike(const RunResult& pilot) { return TimesAsLong(pilot) <= kMaxRatioOfAlike; }

double StartNs(const LaunchedRun& run) { return std::max(0.0, run.wall_ns - run.result.wall_ns); }

}  // namespace

bool Pilots::Launch(RunPlan* plan) {
  plan->is_pilot = 1;
  plan->watch_threads = WatchesThreads() ? 1 : 0;
  const bool launched = LaunchAll(plan);
  plan->is_pilot = 0;
  plan->watch_threads = 0;
  return launched;
}

bool Pilots::LaunchAll(RunPlan* plan) {
  if (schedule_.MayChoose()) {
    plan->budget_ns = PilotNs(options_, kMaxPilotNs);
    plan->alone_share = 0;  // the segments are those of the interleaved pilot
  } else if (plan->watch_threads != 0 && !options_.schedule.has_value() &&
             options_.fixed_iterations == 0 && options_.min_time >= kMinTimeOfPilots) {
    plan->budget_ns = PilotNs(options_, kMaxWatchNs);
  }
  if (!LaunchCalibration(plan)) return false;
  const bool waited = Waited(runs_.last(), *plan);
  if (plan->schedule == Schedule::kCrossed && !waited) {
    schedule_.FindSlowerCpu(runs_.last().result);
  }
  if (FindsThreads()) return options_.schedule.has_value() || UseAllCpus(plan);
  if (!schedule_.MayChoose()) return true;
  if (AreSetUpsDear(costs_, options_.min_time)) {
    const bool has_pilot = !ArePilotsDear(costs_, options_.min_time);
    if (!has_pilot || !waited) return UseTwoSetUps(plan, has_pilot);
  }
  if (plan->sample_ns > plan->budget_ns) {
    schedule_.Change(plan->schedule, "a sample takes longer than a pilot", plan);
    return true;
  }
  return Compare(plan);
}

bool Pilots::LaunchCalibration(RunPlan* plan) {
  if (!runs_.Launch(*plan, 0)) return false;
  const LaunchedRun& last = runs_.last();
  plan->batch = last.result.batch;
  plan->sample_ns = last.result.sample_ns;
  // What is called anew for each sample has its set-up there.
  costs_.set_up_ns = options_.calls ? 0 : last.result.set_up_ns;
  costs_.calls_ns = FewestCallsNs(*plan);
  costs_.warm_up_ns = ShortestWarmUpNs(*plan);
  costs_.start_ns = StartNs(last);
  return true;
}

// At the same time, if the variants take about the same time, and a pilot with segments shows that
// they do not disturb each other.
bool Pilots::UseTwoSetUps(RunPlan* plan, bool has_pilot) {
  constexpr char kReason[] = "its two set-ups in each run are cheaper than four";
  costs_.set_up_ns /= 2;
  bool alike = AreAlike(runs_.last().result);
  schedule_.Change(Schedule::kDuet, kReason, plan);
  if (!has_pilot || GiveTimeAlone(plan) == 0) {
    schedule_.Change(Schedule::kInterleaved, kReason, plan);
    return true;
  }
  bool disturb = true;
  for (plan->run = 0; disturb && plan->run < kPilotsThatDisturb; ++plan->run) {
    if (!runs_.Launch(*plan, 0)) return false;
    if (FindsThreads()) return UseAllCpus(plan);
    TakeLeastStart();
    disturb = schedule_.FindsDisturbanceInPilot(runs_.last().result);
    alike = alike && AreAlike(runs_.last().result);
  }
  if (disturb) {
    schedule_.ChangeToOneAtATime(plan);
    return true;
  }
  if (!alike) schedule_.Change(Schedule::kInterleaved, kReason, plan);
  plan->alone_share = kAloneShareOfFewRuns;
  return true;
}

// The calibration was a crossed pilot.
bool Pilots::Compare(RunPlan* plan) {
  std::vector<Pilot> pilots;
  pilots.push_back(PilotOf(std::move(runs_.last()), *plan, 1));
  // Not kUncoupled, in which a variant may run twice at once, and what it captures would need a
  // lock; nor kDuet, which is kCrossed with fewer set-ups, but swaps of the CPUs.
  schedule_.Change(Schedule::kInterleaved, "", plan);
  const double turns_share = 1 - GiveTimeAlone(plan);
  if (!runs_.Launch(*plan, 0)) return false;
  if (FindsThreads()) return UseAllCpus(plan);
  const double set_up_ns = runs_.last().result.set_up_ns;
  TakeLeastStart();
  pilots.push_back(PilotOf(std::move(runs_.last()), *plan, turns_share));
  ScheduleChoice choice = ChooseSchedule(pilots, schedule_.options(), machine_.ns_per_tick);
  bool disturb =
      schedule_.FindsDisturbanceInPilots(choice.schedule, pilots[0].result, pilots[1].result);
  if (disturb) {
    plan->run = 1;  // see kPilotsThatDisturb
    if (!runs_.Launch(*plan, 0)) return false;
    disturb =
        schedule_.FindsDisturbanceInPilots(choice.schedule, pilots[0].result, runs_.last().result);
  }
  if (choice.is_narrowest) {
    schedule_.ChangeToNarrowest(choice.schedule, std::move(choice.reason), plan);
  } else {
    schedule_.Change(choice.schedule, std::move(choice.reason), plan);
  }
  if (disturb) schedule_.ChangeToOneAtATime(plan);
  if (!RunsConcurrently(plan->schedule)) LengthenSamples(pilots[0].result, pilots[1].result, plan);
  if (LoopCount(plan->schedule) == 2) costs_.set_up_ns = set_up_ns;
  return true;
}

// The first process may have started beside a busy one.
void Pilots::TakeLeastStart() {
  costs_.start_ns = std::min(costs_.start_ns, StartNs(runs_.last()));
}

bool Pilots::WatchesThreads() const {
  return options_.cpus_per_variant == kCpusByThreads &&
         machine_.cpus.relation != CpuRelation::kOneCpu;
}

// Whether the last run has seen threads that a variant started.
bool Pilots::FindsThreads() {
  bool found = false;
  for (int v = 0; v < 3; ++v) {
    started_threads_[v] = std::max(started_threads_[v], runs_.last().result.started_threads[v]);
    found |= started_threads_[v] > 0;
  }
  return found;
}

// Calibrates anew: a variant with all CPUs for its threads takes another time.
bool Pilots::UseAllCpus(RunPlan* plan) {
  plan->watch_threads = 0;
  plan->batch = 0;
  plan->sample_ns = 0;
  plan->budget_ns = 0;
  schedule_.ChangeToAllCpus(plan);
  return LaunchCalibration(plan);
}

void Pilots::AddTo(ExperimentResult* result) const {
  if (started_threads_[0] + started_threads_[1] + started_threads_[2] == 0) return;
  const auto kind = schedule_.options().cpus_per_variant == kAllCpus
                        ? Notice::Kind::kStartsThreads
                        : Notice::Kind::kConfinesThreads;
  result->notices.push_back(
      {kind,
       {static_cast<double>(started_threads_[0]), static_cast<double>(started_threads_[1])},
       started_threads_[2] > 0 ? std::to_string(started_threads_[2]) : ""});
}

}  // namespace duetbench
