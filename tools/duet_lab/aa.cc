#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/loads.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/program_run.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::lab {
namespace {

using Json = nlohmann::ordered_json;

struct AaOptions {
  std::vector<std::string> binaries;  // programs with duet benchmarks
  std::vector<std::string> truths;
  int experiments = 20;
  int load = 0;  // busy processes
  double margin = 0.01;
};

// All that was observed of each benchmark, by its name.
using BenchmarkGroups = std::map<std::string, std::vector<Observation>>;

// Every truth is of a benchmark that there is, and there is one.
absl::Status CheckNames(const BenchmarkGroups& groups, const std::vector<Truth>& truths) {
  if (groups.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "there are no duet benchmarks in the programs, or none that matches --benchmark_filter"));
  }
  for (const Truth& truth : truths) {
    const bool used = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == truth.name || absl::StartsWith(group.first, truth.name + "/");
    });
    if (!used) {
      return absl::NotFoundError(
          absl::StrCat("--truth: there was no benchmark '", truth.name, "'"));
    }
  }
  return absl::OkStatus();
}

// Runs every program once in each experiment, in random order: what the machine does meanwhile must
// not hit one of them more than another. Ctrl-C ends it, with what has been measured.
//
// An error only when the first experiment shows that it cannot be done: a program that cannot be
// run, no benchmark, a truth of no benchmark. Programs that fail later are counted, each as a
// benchmark of that name with errors, so that hours of measuring are not lost.
absl::StatusOr<BenchmarkGroups> RunExperiments(const AaOptions& options,
                                               const std::vector<std::string>& arguments,
                                               const std::vector<Truth>& truths, uint64_t seed) {
  BenchmarkGroups groups;
  std::mt19937_64 random(seed);
  ProgressLine progress;
  const auto begin = std::chrono::steady_clock::now();
  for (int experiment = 0; experiment < options.experiments; ++experiment) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    const double done = experiment;
    progress.Show("experiments", experiment, options.experiments,
                  spent.count() / std::max(1.0, done) * (options.experiments - done));
    std::vector<std::string> order = options.binaries;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::string& binary : order) {
      ChildRequest request;
      request.executable = binary;
      request.argv = {binary};
      request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
      request.argv.push_back(
          absl::StrCat("--duet_seed=", seed + static_cast<uint64_t>(experiment)));
      absl::StatusOr<std::vector<Observation>> observations = RunDuetProgram(request);
      if (WasInterrupted()) return groups;
      if (observations.ok()) {
        for (Observation& observation : *observations) {
          groups[observation.name].push_back(std::move(observation));
        }
      } else if (experiment == 0) {
        return observations.status();
      } else {
        Observation failed;
        failed.name = binary;
        failed.error = std::string(observations.status().message());
        groups[binary].push_back(std::move(failed));
      }
    }
    if (experiment > 0) continue;
    if (const absl::Status status = CheckNames(groups, truths); !status.ok()) return status;
  }
  return groups;
}

Json MakeRow(const std::string& name, const Json& truth, const Accuracy& accuracy, int limit) {
  return {{"name", name},
          {"truth", truth},
          {"experiments", accuracy.experiments},
          {"errors", accuracy.errors},
          {"exclude_one", accuracy.exclude_one},
          {"exclude_truth", accuracy.exclude_truth},
          {"exclude_truth_limit", limit},
          {"false_verdicts", accuracy.false_verdicts},
          {"found", accuracy.found},
          {"median_width_percent", 100 * accuracy.median_width},
          {"largest_width_percent", 100 * accuracy.largest_width},
          {"median_error_percent", 100 * accuracy.median_error},
          {"largest_error_percent", 100 * accuracy.largest_error},
          {"bias_percent", 100 * accuracy.bias},
          {"median_wall_s", accuracy.median_wall}};
}

// A row for each benchmark, and one over all of them; checks what honest intervals keep.
void FillAa(const BenchmarkGroups& groups, const std::vector<Truth>& truths, double margin,
            LabReport* report) {
  std::vector<Observation> all;
  std::vector<double> all_truths;
  double level = 0.99;
  for (const auto& [name, observations] : groups) {
    const double truth = TrueRatio(name, truths);
    const std::vector<double> same_truths(observations.size(), truth);
    const Accuracy accuracy = SummarizeAccuracy(observations, same_truths, margin);
    level = observations.front().level;
    report->rows.push_back(
        MakeRow(name, truth, accuracy, stats::FalseAlarmLimit(accuracy.experiments, level)));
    all.insert(all.end(), observations.begin(), observations.end());
    all_truths.insert(all_truths.end(), same_truths.begin(), same_truths.end());
  }
  const Accuracy accuracy = SummarizeAccuracy(all, all_truths, margin);
  const int limit = stats::FalseAlarmLimit(accuracy.experiments, level);
  report->rows.push_back(MakeRow("all", nullptr, accuracy, limit));
  report->checks.push_back(
      {absl::StrFormat("at most %d of %d intervals at %g %% exclude the truth (99.5 %% binomial)",
                       limit, accuracy.experiments, 100 * level),
       absl::StrCat(accuracy.exclude_truth), accuracy.exclude_truth <= limit});
  report->checks.push_back({"every experiment brings a result",
                            absl::StrCat(accuracy.errors, " errors"), accuracy.errors == 0});
  report->details["experiments"] = Json::array();
  for (const Observation& observation : all) {
    report->details["experiments"].emplace_back(nlohmann::json(observation));
  }
}

std::vector<LabReport::Column> AaColumns() {
  return {{"name", "benchmark"},
          {"truth", "truth", 4},
          {"experiments", "n"},
          {"errors", "errors"},
          {"exclude_one", "excl. 1"},
          {"exclude_truth", "excl. truth"},
          {"exclude_truth_limit", "limit"},
          {"false_verdicts", "false"},
          {"found", "found"},
          {"median_width_percent", "width [%]", 3},
          {"largest_width_percent", "largest", 3},
          {"bias_percent", "bias [%]", 4},
          {"median_error_percent", "|error| [%]", 4},
          {"largest_error_percent", "largest", 4},
          {"median_wall_s", "wall [s]", 2}};
}

absl::StatusOr<LabReport> MeasureAa(const AaOptions& options, const CommonOptions& common) {
  std::vector<Truth> truths;
  for (const std::string& text : options.truths) {
    const absl::StatusOr<Truth> truth = ParseTruth(text);
    if (!truth.ok()) return truth.status();
    truths.push_back(*truth);
  }
  std::vector<std::string> arguments = common.program_arguments;
  arguments.push_back(absl::StrCat("--duet_margin=", options.margin));
  LabReport report;
  report.measurement = "aa";
  const absl::StatusOr<Machine> machine = DescribeMachine(common.cpus, &report);
  if (!machine.ok()) return machine.status();
  report.context["binaries"] = options.binaries;
  report.context["arguments"] = arguments;
  report.context["experiments"] = options.experiments;
  report.context["load"] = options.load;
  report.context["margin"] = options.margin;
  report.context["seed"] = common.seed;
  report.summary.push_back(absl::StrFormat(
      "%d experiments with each of %d programs, beside %d busy processes; widths and errors "
      "relative to the estimate and the truth",
      options.experiments, options.binaries.size(), options.load));

  CatchInterrupts();
  const absl::StatusOr<Load> busy = Load::StartBusy(options.load);
  if (!busy.ok()) return busy.status();
  const absl::StatusOr<BenchmarkGroups> groups =
      RunExperiments(options, arguments, truths, common.seed);
  if (!groups.ok()) return groups.status();
  if (groups->empty()) return absl::CancelledError("interrupted before there was a result");
  NoteInterrupt(&report);
  report.columns = AaColumns();
  FillAa(*groups, truths, options.margin, &report);
  return report;
}

}  // namespace

Measure AddAa(CLI::App& command) {
  const auto options = std::make_shared<AaOptions>();
  command
      .add_option("--binary", options->binaries,
                  "a program with duet benchmarks, such as one of the samples; once for each")
      ->required()
      ->allow_extra_args(false);
  command.add_option("--experiments", options->experiments, "with each program (default: 20)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--load", options->load, "busy processes beside it (default: 0)")
      ->check(CLI::Range(0, 1'000));
  command
      .add_option("--truth", options->truths,
                  "NAME=RATIO of a benchmark or of its family (default: 1); once for each")
      ->allow_extra_args(false);
  command
      .add_option("--margin", options->margin, "a difference that counts as none (default: 0.01)")
      ->check(CLI::Range(0.0, 0.999));
  return [options](const CommonOptions& common) { return MeasureAa(*options, common); };
}

}  // namespace duetbench::lab
