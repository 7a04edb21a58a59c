#include "tools/duet_lab/papers/collection.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_stat/input/pairs_file.h"

namespace duetbench::lab {

absl::StatusOr<duet_stat::BenchmarkPairs> CollectPairs(const DuetPlan& plan) {
  std::vector<std::string> arguments = {
      absl::StrCat("--duet_schedule=", plan.schedule), absl::StrCat("--duet_runs=", plan.runs),
      absl::StrCat("--benchmark_min_time=", plan.runs * plan.run_seconds),
      absl::StrCat("--duet_fill=", plan.fill ? "true" : "false"),
      absl::StrCat("--duet_seed=", plan.seed)};
  if (!plan.cpus.empty()) arguments.push_back(absl::StrCat("--duet_cpus=", plan.cpus));
  const absl::StatusOr<ProgramResult> result =
      RunBenchmarkProgram(WorkProgram("duet", plan.work, arguments), "--duet_out=");
  if (!result.ok()) return result.status();
  const std::string failed = absl::StrCat("the experiment with ", plan.work.workload);
  std::istringstream stream(result->text);
  duet_stat::Input input{"its pairs", &stream, ""};
  std::getline(stream, input.first_line);
  absl::StatusOr<duet_stat::PairsData> data = duet_stat::ReadPairs({input});
  if (!data.ok()) {
    return absl::InternalError(
        absl::StrCat(failed, "; ", data.status().message(), "\n", result->output));
  }
  if (data->benchmarks.size() != 1) return absl::InternalError(absl::StrCat(failed, ": no pairs"));
  return std::move(data->benchmarks[0]);
}

absl::StatusOr<StandardTimes> CollectStandard(const DuetWork& work, int runs, double run_seconds,
                                              uint64_t seed) {
  std::vector<bool> order(static_cast<std::size_t>(2 * runs), false);
  std::fill(order.begin(), order.begin() + runs, true);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  StandardTimes standard;
  for (const bool is_new : order) {
    absl::StatusOr<std::vector<double>> times =
        RunAlone({{work.workload, is_new ? work.new_units : work.old_units}, run_seconds});
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
