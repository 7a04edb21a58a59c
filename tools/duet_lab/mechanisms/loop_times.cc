#include "tools/duet_lab/mechanisms/loop_times.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/platform/thread.h"
#include "duetbench/run/duet_run.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/hodges_lehmann.h"

namespace duetbench::lab {
namespace {

// Long enough that what surrounds a batch (Google Benchmark: starting and stopping its timers) is
// below 1e-4 of it.
constexpr double kBatchNs = 1e6;
constexpr int kPairsOfRepetition = kBatchesOfRepetition / 2;
constexpr double kLevelOfLoops = 0.99;

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

}  // namespace

DuetFunctions FunctionsOf(void (*loop)(State&), std::vector<int64_t> ranges) {
  DuetFunctions functions;
  for (auto& variant : functions.variants) variant = MakeVariant(loop);
  functions.ranges = std::move(ranges);
  return functions;
}

absl::StatusOr<double> TimeOfOurLoop(const DuetFunctions& functions, const Machine& machine,
                                     uint64_t seed, uint64_t* batch) {
  RunPlan plan;
  plan.seed = seed;
  plan.schedule = Schedule::kInterleaved;
  plan.cpus[0] = plan.cpus[1] = machine.cpus.cpus[0];
  plan.ns_per_tick = machine.ns_per_tick;
  plan.min_batch_ns = kBatchNs;
  plan.budget_ns = kBatchNs * kBatchesOfRepetition;
  plan.max_pairs = kPairsOfRepetition;
  plan.batch = *batch;
  plan.sample_ns = *batch > 0 ? kBatchNs : 0;
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
  return stats::Median(std::move(times));
}

absl::StatusOr<double> TimeOfTheirLoop(const std::string& name, const Machine& machine) {
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
  return stats::Median(std::move(collector.times_ns));
}

absl::StatusOr<stats::RatioInterval> RatioOfLoops(const std::vector<double>& ours_ns,
                                                  const std::vector<double>& theirs_ns) {
  std::vector<double> log_ratios;
  for (size_t i = 0; i < ours_ns.size(); ++i) {
    log_ratios.push_back(std::log(ours_ns[i] / theirs_ns[i]));
  }
  return stats::HodgesLehmannInterval(log_ratios, kLevelOfLoops);
}

}  // namespace duetbench::lab
