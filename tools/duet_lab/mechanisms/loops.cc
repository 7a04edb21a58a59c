#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/variant/state.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/mechanisms/loop_bodies.h"
#include "tools/duet_lab/mechanisms/loop_times.h"

namespace duetbench::lab {
namespace {

// Differences up to this count as none: two copies of a function lie so far apart by their places
// alone.
constexpr double kAlike = 0.05;
constexpr double kAlikeShare = 0.95;  // of the functions
constexpr int64_t kRange = 32768;     // of MapFindOfRange; the others take none

// A function in both loops, and its times per iteration, by repetition.
struct TimedBody {
  const char* name;
  void (*ours)(State&);
  void (*theirs)(benchmark::State&);
  uint64_t batch;  // 0: not calibrated yet
  std::vector<double> ours_ns;
  std::vector<double> theirs_ns;
};

#define DUETBENCH_LAB_DEFINE_LOOPS(name)                                               \
  __attribute__((noinline)) void Our##name(State& state) { loop_bodies::name(state); } \
  __attribute__((noinline)) void Their##name(benchmark::State& state) { loop_bodies::name(state); }
DUETBENCH_LAB_FOR_EACH_LOOP_BODY(DUETBENCH_LAB_DEFINE_LOOPS)

std::vector<TimedBody> MakeBodies() {
#define DUETBENCH_LAB_TIMED_BODY(name) {#name, Our##name, Their##name, 0, {}, {}},
  return {DUETBENCH_LAB_FOR_EACH_LOOP_BODY(DUETBENCH_LAB_TIMED_BODY)};
#undef DUETBENCH_LAB_TIMED_BODY
}

std::string RegisteredName(const TimedBody& body) { return absl::StrCat("loop_of_", body.name); }

absl::Status Calibrate(const Machine& machine, uint64_t seed, std::vector<TimedBody>* bodies) {
  for (TimedBody& body : *bodies) {
    const auto calibrated =
        TimeOfOurLoop(FunctionsOf(body.ours, {kRange}), machine, seed, &body.batch);
    if (!calibrated.ok()) return calibrated.status();
    benchmark::RegisterBenchmark(RegisteredName(body).c_str(), body.theirs)
        ->Arg(kRange)
        ->Iterations(static_cast<benchmark::IterationCount>(body.batch))
        ->Repetitions(kBatchesOfRepetition);
  }
  return absl::OkStatus();
}

// Each function once in each loop, in an order drawn at random.
absl::Status MeasureOnce(const Machine& machine, std::mt19937_64& random,
                         std::vector<TimedBody>* bodies) {
  struct Task {
    TimedBody* body;
    bool ours;
  };
  std::vector<Task> tasks;
  for (TimedBody& body : *bodies) {
    tasks.push_back({&body, true});
    tasks.push_back({&body, false});
  }
  std::shuffle(tasks.begin(), tasks.end(), random);
  for (const Task& task : tasks) {
    const absl::StatusOr<double> ns = task.ours
                                          ? TimeOfOurLoop(FunctionsOf(task.body->ours, {kRange}),
                                                          machine, random(), &task.body->batch)
                                          : TimeOfTheirLoop(RegisteredName(*task.body), machine);
    if (!ns.ok()) return ns.status();
    (task.ours ? task.body->ours_ns : task.body->theirs_ns).push_back(*ns);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LabReport> MeasureLoops(Arguments& arguments) {
  LabReport report;
  report.measurement = "loops";
  const absl::StatusOr<RepetitionPlan> plan = PlanRepetitions(arguments, 20, 2, &report);
  if (!plan.ok()) return plan.status();
  const Machine& machine = plan->machine;
  report.summary.push_back(absl::StrFormat(
      "time per iteration of the same functions in the loop of Google Benchmark (plain) and of "
      "duetbench (duet), on CPU %d, %d repetitions: median (smallest-largest)",
      machine.cpus.cpus[0], plan->repetitions));

  std::vector<TimedBody> bodies = MakeBodies();
  if (const absl::Status status = Calibrate(machine, plan->seed, &bodies); !status.ok())
    return status;
  std::mt19937_64 random(plan->seed);
  for (int64_t repetition = 0; repetition < plan->repetitions; ++repetition) {
    const absl::Status status = MeasureOnce(machine, random, &bodies);
    if (!status.ok()) return status;
  }

  report.columns = {{"function", "function"},    {"plain_ns", "plain [ns]", 3},
                    {"duet_ns", "duet [ns]", 3}, {"ratio", "duet/plain", 3},
                    {"ratio_lo", "from", 3},     {"ratio_hi", "to", 3}};
  int alike = 0;
  for (const TimedBody& body : bodies) {
    const absl::StatusOr<stats::RatioInterval> ratio = RatioOfLoops(body.ours_ns, body.theirs_ns);
    if (!ratio.ok()) return ratio.status();
    if (std::abs(std::log(ratio->ratio)) <= std::log1p(kAlike)) ++alike;
    report.rows.push_back({{"function", body.name},
                           {"plain_ns", Spread(body.theirs_ns)},
                           {"duet_ns", Spread(body.ours_ns)},
                           {"ratio", ratio->ratio},
                           {"ratio_lo", ratio->lo},
                           {"ratio_hi", ratio->hi}});
  }
  report.checks.push_back(
      {absl::StrFormat("%.0f %% of the functions take the same time in both, within %.0f %%",
                       100 * kAlikeShare, 100 * kAlike),
       absl::StrFormat("%d of %d", alike, bodies.size()),
       alike >= kAlikeShare * static_cast<double>(bodies.size())});
  return report;
}

}  // namespace duetbench::lab
