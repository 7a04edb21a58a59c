#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/duet_run.h"
#include "duetbench/gates/gate.h"
#include "duetbench/platform/thread.h"
#include "tools/duet_lab/empty_loops.h"
#include "tools/duet_lab/measurements.h"
#include "tools/stats/hodges_lehmann.h"

namespace duetbench::lab {
namespace {

// Long enough that what surrounds a batch (Google Benchmark: starting and stopping its timers) is
// below 1e-4 of it.
constexpr double kBatchNs = 1e6;
// Of one repetition, on either library; their median is not moved by one that was interrupted.
constexpr int kPairs = 5;
constexpr int kBatches = 2 * kPairs;
// The loops are as fast as each other when the interval of the ratio ends below this.
constexpr double kAsFast = 1.01;
constexpr double kLevel = 0.99;

// A loop at one place in its cache line, and its times per iteration, by repetition.
struct Placed {
  int bytes_before;
  void (*ours)(State&);
  void (*theirs)(benchmark::State&);
  std::vector<double> ours_ns;
  std::vector<double> theirs_ns;
};

struct Loop {
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

std::vector<Loop> MakeLoops() {
  return {{"for (auto _ : state)",
           {RangeForAt<0>(), RangeForAt<16>(), RangeForAt<32>(), RangeForAt<48>()}},
          {"while (state.KeepRunning())",
           {KeepRunningAt<0>(), KeepRunningAt<16>(), KeepRunningAt<32>(), KeepRunningAt<48>()}}};
}

double Median(std::vector<double> values) {
  return Spread(std::move(values))["median"].get<double>();
}

// Time per iteration of duetbench's loop: a run in this process, both sides executing the loop in
// turns on one CPU. `batch` is calibrated when it is 0, and kept.
absl::StatusOr<double> MeasureOurs(void (*loop)(State&), const Machine& machine, uint64_t seed,
                                   uint64_t* batch) {
  RunPlan plan;
  plan.seed = seed;
  plan.schedule = Schedule::kInterleaved;
  plan.cpus[0] = plan.cpus[1] = machine.cpus.cpus[0];
  plan.ns_per_tick = machine.ns_per_tick;
  plan.min_batch_ns = kBatchNs;
  plan.budget_ns = kBatchNs * kBatches;
  plan.max_pairs = kPairs;
  plan.batch = *batch;
  plan.sample_ns = *batch > 0 ? kBatchNs : 0;
  DuetFunctions functions;
  for (auto& variant : functions.variants) variant = MakeVariant(loop);
  const RunResult result = ExecuteRun(plan, functions);
  if (!result.error.cause.empty()) return absl::InternalError(result.error.cause);
  if (!result.notice.empty()) return absl::InternalError(result.notice);
  *batch = result.batch;
  std::vector<double> times;
  for (const PairRecord& pair : result.pairs) {
    for (int side = 0; side < 2; ++side) {
      times.push_back(pair.ticks[side] * machine.ns_per_tick /
                      static_cast<double>(pair.iterations[side]));
    }
  }
  if (times.empty()) return absl::InternalError("a run brought no times back");
  return Median(std::move(times));
}

// Prints nothing; keeps the real time per iteration.
class TimeCollector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times_ns.push_back(run.real_accumulated_time * 1e9 / static_cast<double>(run.iterations));
    }
  }
  std::vector<double> times_ns;
};

// The same by Google Benchmark: repetitions of one registered benchmark with as many iterations as
// our batch has, on a thread that is pinned to the same CPU.
absl::StatusOr<double> MeasureTheirs(const std::string& name, const Machine& machine) {
  TimeCollector collector;
  absl::Status pinned;
  std::thread thread([&] {
    pinned = PinThisThread(machine.cpus.cpus[0]);
    benchmark::RunSpecifiedBenchmarks(&collector, nullptr, absl::StrCat("^", name, "/"));
  });
  thread.join();
  if (!pinned.ok()) return pinned;
  if (collector.times_ns.empty()) {
    return absl::InternalError(absl::StrCat("Google Benchmark did not run ", name));
  }
  return Median(std::move(collector.times_ns));
}

struct Task {
  Placed* placed;
  std::string name;  // in Google Benchmark's registry
  bool ours;
};

// Mean over the placements, by repetition.
std::vector<double> MeansOverPlacements(const Loop& loop, std::vector<double> Placed::*times) {
  std::vector<double> means((loop.placed[0].*times).size(), 0);
  for (const Placed& placed : loop.placed) {
    for (size_t i = 0; i < means.size(); ++i) {
      means[i] += (placed.*times)[i] / static_cast<double>(loop.placed.size());
    }
  }
  return means;
}

nlohmann::ordered_json MakeRow(const Loop& loop, const char* library,
                               std::vector<double> Placed::*times) {
  nlohmann::ordered_json row = {{"loop", absl::StrCat(library, ": ", loop.name)},
                                {"ns", Spread(MeansOverPlacements(loop, times))}};
  for (const Placed& placed : loop.placed) {
    row[absl::StrCat("ns_at_", placed.bytes_before)] = Median(placed.*times);
  }
  return row;
}

// Whether our loop is as fast as theirs, from the ratios of the repetitions, which are paired: both
// were measured within a few hundred milliseconds. Hodges-Lehmann, since other work on the machine
// spoils single repetitions.
void AddCheck(const Loop& loop, LabReport* report) {
  const std::vector<double> ours = MeansOverPlacements(loop, &Placed::ours_ns);
  const std::vector<double> theirs = MeansOverPlacements(loop, &Placed::theirs_ns);
  std::vector<double> log_ratios;
  for (size_t i = 0; i < ours.size(); ++i) log_ratios.push_back(std::log(ours[i] / theirs[i]));
  const absl::StatusOr<stats::RatioInterval> interval =
      stats::HodgesLehmannInterval(log_ratios, kLevel);
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
  const int64_t repetitions = arguments.Whole("repetitions", 30, 2, 100'000);
  const auto seed = static_cast<uint64_t>(arguments.Whole("seed", 1, 0, int64_t{1} << 62));
  LabReport report;
  report.measurement = "overhead";
  const absl::StatusOr<Machine> machine = DescribeMachine(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;
  report.context["repetitions"] = repetitions;
  report.context["seed"] = seed;
  report.summary.push_back(absl::StrFormat(
      "time per empty iteration on CPU %d, %d repetitions: mean over four placements of the loop, "
      "median of the repetitions (smallest-largest); then the median at each placement",
      machine->cpus.cpus[0], repetitions));

  std::vector<Loop> loops = MakeLoops();
  uint64_t batch = 0;
  if (const auto calibrated = MeasureOurs(loops[0].placed[0].ours, *machine, seed, &batch);
      !calibrated.ok()) {
    return calibrated.status();
  }
  report.context["operations"] = batch;
  std::vector<Task> tasks;
  for (Loop& loop : loops) {
    for (Placed& placed : loop.placed) {
      const std::string name = absl::StrCat("empty_", tasks.size());
      benchmark::RegisterBenchmark(name.c_str(), placed.theirs)
          ->Iterations(static_cast<benchmark::IterationCount>(batch))
          ->Repetitions(kBatches);
      tasks.push_back({&placed, name, true});
      tasks.push_back({&placed, name, false});
    }
  }

  std::mt19937_64 random(seed);
  for (int64_t repetition = 0; repetition < repetitions; ++repetition) {
    std::shuffle(tasks.begin(), tasks.end(), random);
    for (const Task& task : tasks) {
      const absl::StatusOr<double> ns =
          task.ours ? MeasureOurs(task.placed->ours, *machine, random(), &batch)
                    : MeasureTheirs(task.name, *machine);
      if (!ns.ok()) return ns.status();
      (task.ours ? task.placed->ours_ns : task.placed->theirs_ns).push_back(*ns);
    }
  }

  report.columns = {{"loop", "loop"},         {"ns", "per iteration [ns]", 3},
                    {"ns_at_0", "+0 B", 3},   {"ns_at_16", "+16 B", 3},
                    {"ns_at_32", "+32 B", 3}, {"ns_at_48", "+48 B", 3}};
  for (const Loop& loop : loops) {
    report.rows.push_back(MakeRow(loop, "duetbench", &Placed::ours_ns));
    report.rows.push_back(MakeRow(loop, "Google Benchmark", &Placed::theirs_ns));
    AddCheck(loop, &report);
  }
  return report;
}

}  // namespace duetbench::lab
