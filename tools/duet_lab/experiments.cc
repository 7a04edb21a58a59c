#include "tools/duet_lab/experiments.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/process/subprocess.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/program_run.h"

namespace duetbench::lab {
namespace {

volatile std::sig_atomic_t interrupted = 0;
void OnInterrupt(int) { interrupted = 1; }

// Runs one program with one seed. What it printed is shown in the error when it brings no results.
absl::StatusOr<std::vector<Observation>> Execute(const std::string& binary, int64_t seed,
                                                 const std::vector<std::string>& arguments) {
  ChildRequest request;
  request.executable = binary;
  request.argv = {binary};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.argv.push_back(absl::StrCat("--duet_seed=", seed));
  request.interrupted = &interrupted;
  return RunDuetProgram(request);
}

void Add(Observation observation, const std::vector<Truth>& truths,
         std::vector<BenchmarkGroup>* groups) {
  auto group = std::find_if(groups->begin(), groups->end(), [&](const BenchmarkGroup& candidate) {
    return candidate.name == observation.name;
  });
  if (group == groups->end()) {
    groups->push_back({observation.name, TrueRatio(observation.name, truths), {}});
    group = std::prev(groups->end());
  }
  group->observations.push_back(std::move(observation));
}

// Every truth is of a benchmark that there is, and there is one.
absl::Status CheckNames(const std::vector<BenchmarkGroup>& groups, const ExperimentPlan& plan) {
  if (groups.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "there are no duet benchmarks in the programs, or none ", "that matches --workload"));
  }
  for (const Truth& truth : plan.truths) {
    const bool used = std::any_of(groups.begin(), groups.end(), [&](const BenchmarkGroup& group) {
      return group.name == truth.name || absl::StartsWith(group.name, truth.name + "/");
    });
    if (!used) {
      return absl::NotFoundError(
          absl::StrCat("--truth: there was no benchmark '", truth.name, "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

const volatile std::sig_atomic_t* CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
  return &interrupted;
}

bool WasInterrupted() { return interrupted != 0; }

absl::StatusOr<ExperimentPlan> ReadExperimentPlan(Arguments& arguments, int64_t experiments) {
  ExperimentPlan plan;
  plan.binaries = arguments.Texts("binary");
  plan.experiments = arguments.Whole("experiments", experiments, 1, 1'000'000);
  plan.seed = arguments.Whole("seed", 1, 0, int64_t{1} << 62);
  for (const std::string& text : arguments.Texts("truth")) {
    const absl::StatusOr<Truth> truth = ParseTruth(text);
    if (!truth.ok()) return truth.status();
    plan.truths.push_back(*truth);
  }
  const std::string workload = arguments.Text("workload", "");
  if (!workload.empty()) plan.arguments.push_back(absl::StrCat("--benchmark_filter=", workload));
  if (plan.binaries.empty()) {
    return absl::InvalidArgumentError(
        "--binary=PROGRAM is missing: a program with duet benchmarks, such as one of the samples");
  }
  return plan;
}

absl::StatusOr<std::vector<BenchmarkGroup>> RunExperiments(const ExperimentPlan& plan) {
  CatchInterrupts();
  std::vector<BenchmarkGroup> groups;
  std::mt19937_64 random(static_cast<uint64_t>(plan.seed));
  ProgressLine progress;
  const auto begin = std::chrono::steady_clock::now();
  for (int64_t experiment = 0; experiment < plan.experiments; ++experiment) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    const auto done = static_cast<double>(experiment);
    progress.Show(
        "experiments", static_cast<int>(experiment), static_cast<int>(plan.experiments),
        spent.count() / std::max(1.0, done) * (static_cast<double>(plan.experiments) - done));
    std::vector<std::string> order = plan.binaries;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::string& binary : order) {
      absl::StatusOr<std::vector<Observation>> observations =
          Execute(binary, plan.seed + experiment, plan.arguments);
      if (interrupted != 0) return groups;
      if (observations.ok()) {
        for (Observation& observation : *observations) {
          Add(std::move(observation), plan.truths, &groups);
        }
      } else if (experiment == 0) {
        return observations.status();
      } else {
        Observation failed;
        failed.name = binary;
        failed.error = std::string(observations.status().message());
        Add(std::move(failed), {}, &groups);
      }
    }
    if (experiment > 0) continue;
    if (const absl::Status status = CheckNames(groups, plan); !status.ok()) return status;
  }
  return groups;
}

}  // namespace duetbench::lab
