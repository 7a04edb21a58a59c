#include "tools/duet_lab/papers/collection.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_lab/result_file.h"
#include "tools/duet_stat/input/pairs_file.h"

namespace duetbench::lab {

absl::StatusOr<duet_stat::BenchmarkPairs> CollectPairs(
    const DuetPlan& plan, const volatile std::sig_atomic_t* interrupted) {
  const absl::StatusOr<ResultFile> file = ResultFile::Create();
  if (!file.ok()) return file.status();
  ChildRequest request;
  request.argv = {"duet_lab",
                  absl::StrCat("--duet_schedule=", plan.schedule),
                  absl::StrCat("--duet_runs=", plan.runs),
                  absl::StrCat("--benchmark_min_time=", plan.runs * plan.run_seconds),
                  absl::StrCat("--duet_fill=", plan.fill ? "true" : "false"),
                  absl::StrCat("--duet_seed=", plan.seed),
                  absl::StrCat("--duet_out=", file->path())};
  if (!plan.cpus.empty()) request.argv.push_back(absl::StrCat("--duet_cpus=", plan.cpus));
  request.environment = {{kRoleVariable, "duet"},
                         {kParentVariable, absl::StrCat(getpid())},
                         {kWorkVariable, EncodeDuetWork(plan.work)}};
  request.result_fd_variable = kResultFdVariable;  // not used
  request.timeout = std::chrono::hours(24);        // its runs have their own
  request.interrupted = interrupted;
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
  const std::string failed =
      absl::StrCat("the experiment with ", plan.work.workload, " ", DescribeEnd(*outcome));
  if (outcome->end != ChildOutcome::End::kExited || outcome->exit_code != 0) {
    return absl::InternalError(absl::StrCat(failed, "\n", outcome->output_tail));
  }
  std::ifstream stream(file->path());
  duet_stat::Input input{"its pairs", &stream, ""};
  std::getline(stream, input.first_line);
  absl::StatusOr<duet_stat::PairsData> data = duet_stat::ReadPairs({input});
  if (!data.ok()) {
    return absl::InternalError(
        absl::StrCat(failed, "; ", data.status().message(), "\n", outcome->output_tail));
  }
  if (data->benchmarks.size() != 1) return absl::InternalError(absl::StrCat(failed, ": no pairs"));
  return std::move(data->benchmarks[0]);
}

absl::StatusOr<StandardTimes> CollectStandard(const DuetWork& work, int runs, double run_seconds,
                                              uint64_t seed,
                                              const volatile std::sig_atomic_t* interrupted) {
  std::vector<bool> order(static_cast<std::size_t>(2 * runs), false);
  std::fill(order.begin(), order.begin() + runs, true);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  StandardTimes standard;
  for (const bool is_new : order) {
    AlonePlan plan;
    plan.work = {work.workload, is_new ? work.new_units : work.old_units};
    plan.seconds = run_seconds;
    absl::StatusOr<std::vector<double>> times = RunAlone(plan, interrupted);
    if (!times.ok()) return times.status();
    (is_new ? standard.new_times : standard.old_times).runs.push_back(*std::move(times));
  }
  return standard;
}

stats::Sample FirstPart(const stats::Sample& sample, double fraction) {
  stats::Sample part = sample;
  for (std::vector<double>& run : part.runs) {
    const double kept = std::ceil(fraction * static_cast<double>(run.size()));
    run.resize(std::max<std::size_t>(1, static_cast<std::size_t>(kept)));
  }
  return part;
}

}  // namespace duetbench::lab
