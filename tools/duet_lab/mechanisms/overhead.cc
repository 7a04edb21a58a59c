#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/gates/gate.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/mechanisms/empty_loops.h"
#include "tools/duet_lab/mechanisms/loop_times.h"

namespace duetbench::lab {
namespace {

// The loops are as fast as each other when the interval of the ratio ends below this.
constexpr double kAsFast = 1.01;

// A loop at one place in its cache line, and its times per iteration, by repetition.
struct Placed {
  int bytes_before;
  void (*ours)(State&);
  void (*theirs)(benchmark::State&);
  std::vector<double> ours_ns;
  std::vector<double> theirs_ns;
};

struct PlacedLoop {
  std::string name;
  std::vector<Placed> placed;
};

template <int kBytesBefore>
Placed RangeForAt() {
  return {kBytesBefore,
          EmptyRangeFor<State, kBytesBefore>,
          EmptyRangeFor<benchmark::State, kBytesBefore>,
          {},
          {}};
}

template <int kBytesBefore>
Placed KeepRunningAt() {
  return {kBytesBefore,
          EmptyKeepRunning<State, kBytesBefore>,
          EmptyKeepRunning<benchmark::State, kBytesBefore>,
          {},
          {}};
}

std::vector<PlacedLoop> MakeLoops() {
  return {{"for (auto _ : state)",
           {RangeForAt<0>(), RangeForAt<16>(), RangeForAt<32>(), RangeForAt<48>()}},
          {"while (state.KeepRunning())",
           {KeepRunningAt<0>(), KeepRunningAt<16>(), KeepRunningAt<32>(), KeepRunningAt<48>()}}};
}

struct Task {
  Placed* placed;
  std::string name;  // in Google Benchmark's registry
  bool ours;
};

// Mean over the placements, by repetition.
std::vector<double> MeansOverPlacements(const PlacedLoop& loop,
                                        std::vector<double> Placed::*times) {
  std::vector<double> means((loop.placed[0].*times).size(), 0);
  for (const Placed& placed : loop.placed) {
    for (size_t i = 0; i < means.size(); ++i) {
      means[i] += (placed.*times)[i] / static_cast<double>(loop.placed.size());
    }
  }
  return means;
}

nlohmann::ordered_json MakeRow(const PlacedLoop& loop, const char* library,
                               std::vector<double> Placed::*times) {
  nlohmann::ordered_json row = {{"loop", absl::StrCat(library, ": ", loop.name)},
                                {"ns", Spread(MeansOverPlacements(loop, times))}};
  for (const Placed& placed : loop.placed) {
    row[absl::StrCat("ns_at_", placed.bytes_before)] = stats::Median(placed.*times);
  }
  return row;
}

// Checks that our loop is as fast as theirs.
void AddCheck(const PlacedLoop& loop, LabReport* report) {
  const absl::StatusOr<stats::RatioInterval> interval = RatioOfLoops(
      MeansOverPlacements(loop, &Placed::ours_ns), MeansOverPlacements(loop, &Placed::theirs_ns));
  const bool met =
      interval.ok() && Judge(GateSpec::MaxRatio(kAsFast), *interval) == GateOutcome::kPass;
  report->checks.push_back(
      {absl::StrFormat("%s: not above Google Benchmark's (ratio proven to be <= %.2f)", loop.name,
                       kAsFast),
       interval.ok() ? absl::StrFormat("ratio %.4f, 99 %% interval [%.4f, %.4f]", interval->ratio,
                                       interval->lo, interval->hi)
                     : std::string(interval.status().message()),
       met});
}

}  // namespace

absl::StatusOr<LabReport> MeasureOverhead(Arguments& arguments) {
  LabReport report;
  report.measurement = "overhead";
  const absl::StatusOr<RepetitionPlan> plan = PlanRepetitions(arguments, 30, 2, &report);
  if (!plan.ok()) return plan.status();
  const Machine& machine = plan->machine;
  report.summary.push_back(absl::StrFormat(
      "time per empty iteration on CPU %d, %d repetitions: mean over four placements of the loop, "
      "median of the repetitions (smallest-largest); then the median at each placement",
      machine.cpus.cpus[0], plan->repetitions));

  std::vector<PlacedLoop> loops = MakeLoops();
  uint64_t batch = 0;
  if (const auto calibrated =
          TimeOfOurLoop(FunctionsOf(loops[0].placed[0].ours), machine, plan->seed, &batch);
      !calibrated.ok()) {
    return calibrated.status();
  }
  report.context["operations"] = batch;
  std::vector<Task> tasks;
  for (PlacedLoop& loop : loops) {
    for (Placed& placed : loop.placed) {
      const std::string name = absl::StrCat("empty_", tasks.size());
      benchmark::RegisterBenchmark(name.c_str(), placed.theirs)
          ->Iterations(static_cast<benchmark::IterationCount>(batch))
          ->Repetitions(kBatchesOfRepetition);
      tasks.push_back({&placed, name, true});
      tasks.push_back({&placed, name, false});
    }
  }

  std::mt19937_64 random(plan->seed);
  for (int64_t repetition = 0; repetition < plan->repetitions; ++repetition) {
    std::shuffle(tasks.begin(), tasks.end(), random);
    for (const Task& task : tasks) {
      const absl::StatusOr<double> ns =
          task.ours ? TimeOfOurLoop(FunctionsOf(task.placed->ours), machine, random(), &batch)
                    : TimeOfTheirLoop(task.name, machine);
      if (!ns.ok()) return ns.status();
      (task.ours ? task.placed->ours_ns : task.placed->theirs_ns).push_back(*ns);
    }
  }

  report.columns = {{"loop", "loop"},         {"ns", "per iteration [ns]", 3},
                    {"ns_at_0", "+0 B", 3},   {"ns_at_16", "+16 B", 3},
                    {"ns_at_32", "+32 B", 3}, {"ns_at_48", "+48 B", 3}};
  for (const PlacedLoop& loop : loops) {
    report.rows.push_back(MakeRow(loop, "duetbench", &Placed::ours_ns));
    report.rows.push_back(MakeRow(loop, "Google Benchmark", &Placed::theirs_ns));
    AddCheck(loop, &report);
  }
  return report;
}

}  // namespace duetbench::lab
