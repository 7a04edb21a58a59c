// `duet_lab precision`: the width of an interval at equal wall time, beside the plain methods.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/interval.h"
#include "duetbench/record/robust.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/loads.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/roles.h"
#include "tools/duet_lab/workloads.h"

namespace duetbench::lab {
namespace {

using PrecisionJson = nlohmann::ordered_json;

constexpr double kAbbaTrim = 0.2;
constexpr double kLevelOfAll = 0.99;
constexpr int kAbbaProcesses = 10;
constexpr double kMarginOfDuets = 0.01;
constexpr const char* kContestants[] = {"duet", "abba", "repetitions"};

struct PrecisionOptions {
  std::vector<std::string> workloads = WorkloadNames();
  std::vector<LoadKind> loads = {LoadKind::kNone, LoadKind::kOne, LoadKind::kBursts};
  int runs = 5;
  double run_seconds = 1;
  double iteration_ms = 0.002;  // a benchmark as people write it
  double ratio = 1;
  bool quick = false;
};

Observation ObservationOf(const stats::RatioInterval& interval) {
  Observation observation;
  observation.ratio = interval.ratio;
  observation.lo = interval.lo;
  observation.hi = interval.hi;
  observation.verdict = interval.lo > 1 ? "SLOWER" : interval.hi < 1 ? "FASTER" : "INCONCLUSIVE";
  return observation;
}

// `arguments` are the user's.
absl::StatusOr<Observation> MeasureDuet(const DuetWork& work, double seconds, uint64_t seed,
                                        std::vector<std::string> arguments) {
  arguments.push_back(absl::StrCat("--benchmark_min_time=", seconds));
  arguments.push_back(absl::StrCat("--duet_seed=", seed));
  absl::StatusOr<std::vector<Observation>> observations =
      RunDuetProgram(WorkProgram("duet", work, arguments));
  if (!observations.ok()) return observations.status();
  if (observations->size() == 1 && observations->front().error.empty()) {
    return observations->front();
  }
  return absl::InternalError(
      absl::StrCat("no result of ", work.workload, ": ",
                   observations->empty() ? "" : observations->front().error));
}

// Ten processes, by turns on both CPUs, each with ABBA quads of batches of 200 us of both variants
// in one thread; the t interval of their trimmed means. They take `seconds` of wall time.
absl::StatusOr<Observation> MeasureAbba(const DuetWork& work, double seconds,
                                        const std::vector<int>& cpus) {
  std::vector<double> values;
  const auto begin = std::chrono::steady_clock::now();
  for (int process = 0; process < kAbbaProcesses; ++process) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    absl::StatusOr<std::vector<double>> logs =
        RunAbba(work, std::max(0.0, seconds - spent.count()) / (kAbbaProcesses - process),
                cpus[static_cast<std::size_t>(process) % cpus.size()]);
    if (!logs.ok()) return logs.status();
    values.push_back(stats::TrimmedMean(*std::move(logs), kAbbaTrim));
  }
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(values, kLevelOfAll);
  if (!interval.ok()) return interval.status();
  return ObservationOf(*interval);
}

// Repetitions of Google Benchmark in ABBA order, ten of each in one process; the t interval of the
// ratios of its quads.
absl::StatusOr<Observation> MeasureRepetitions(const DuetWork& work, double seconds) {
  const absl::StatusOr<std::vector<duet_stat::BenchmarkTimes>> rows = RunPlainProgram(WorkProgram(
      "google", work, {absl::StrCat("--benchmark_min_time=", seconds / kGoogleRepetitions)}));
  if (!rows.ok()) return rows.status();
  std::array<std::vector<double>, 2> times;
  for (const duet_stat::BenchmarkTimes& row : *rows) {
    times[absl::EndsWith(row.name, "/new")].push_back(row.sample.runs[0][0]);
  }
  std::vector<double> values;
  for (std::size_t i = 0; i + 1 < std::min(times[0].size(), times[1].size()); i += 2) {
    values.push_back(std::log((times[1][i] + times[1][i + 1]) / (times[0][i] + times[0][i + 1])));
  }
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(values, kLevelOfAll);
  if (!interval.ok()) return interval.status();
  return ObservationOf(*interval);
}

// The trials of all contestants on one workload by turns, each as long as the duet before it took.
absl::StatusOr<std::map<std::string, std::vector<Observation>>> Compete(
    const PrecisionOptions& options, const DuetWork& work, const CommonOptions& common,
    const std::vector<int>& cpus) {
  std::map<std::string, std::vector<Observation>> found;
  for (int trial = 0; trial < options.runs; ++trial) {
    const absl::StatusOr<Observation> duet =
        MeasureDuet(work, options.run_seconds, common.seed + static_cast<uint64_t>(trial),
                    common.program_arguments);
    if (!duet.ok()) return duet.status();
    found["duet"].push_back(*duet);
    for (const bool is_abba : {true, false}) {
      const absl::StatusOr<Observation> other = is_abba
                                                    ? MeasureAbba(work, duet->wall_seconds, cpus)
                                                    : MeasureRepetitions(work, duet->wall_seconds);
      if (!other.ok()) return other.status();
      found[is_abba ? "abba" : "repetitions"].push_back(*other);
    }
  }
  return found;
}

PrecisionJson RowOf(double ratio, const std::map<std::string, std::vector<Observation>>& found) {
  PrecisionJson row = {{"truth", ratio}};
  for (const char* name : kContestants) {
    const std::vector<Observation>& trials = found.at(name);
    const Accuracy accuracy =
        SummarizeAccuracy(trials, std::vector<double>(trials.size(), ratio), kMarginOfDuets);
    row[absl::StrCat(name, "_width")] = 100 * accuracy.median_width;
    row[absl::StrCat(name, "_held")] =
        absl::StrCat(accuracy.experiments - accuracy.exclude_truth, "/", accuracy.experiments);
    row[absl::StrCat(name, "_false")] = accuracy.false_verdicts;
    if (name == kContestants[0]) row["wall_s"] = accuracy.median_wall;
  }
  row["to_abba"] = row["duet_width"].get<double>() / row["abba_width"].get<double>();
  return row;
}

// Two variants of a workload whose true ratio is `ratio`: that is exact from 100 units on.
absl::StatusOr<DuetWork> WorkOf(const std::string& name, double iteration_ms, double ratio) {
  const absl::StatusOr<const Workload*> workload = FindWorkload(name);
  if (!workload.ok()) return workload.status();
  const double hundreds = iteration_ms * 1e4 / MeasureUnitNs(**workload);
  const int64_t units = std::max<int64_t>(1, std::llround(hundreds)) * 100;
  return DuetWork{name, units, std::llround(static_cast<double>(units) * ratio)};
}

// Adds a row for each load and workload, and the geometric means of each load. Loads that this
// machine cannot have are left out. Cancelled when it was interrupted.
absl::Status AddRows(const PrecisionOptions& options, const CommonOptions& common,
                     const std::vector<int>& cpus, LabReport* report) {
  std::vector<DuetWork> works;
  for (const std::string& name : options.workloads) {
    const absl::StatusOr<DuetWork> work = WorkOf(name, options.iteration_ms, options.ratio);
    if (!work.ok()) return work.status();
    works.push_back(*work);
  }
  ProgressLine progress;
  const auto total = static_cast<int>(options.loads.size() * works.size());
  for (const LoadKind kind : options.loads) {
    const std::string load_name(LoadName(kind));
    const absl::StatusOr<Load> load = Load::Start(kind, cpus);
    if (!load.ok()) {
      report->summary.push_back(
          absl::StrCat("without the load '", load_name, "': ", load.status().message()));
      continue;
    }
    std::map<std::string, std::vector<double>> quotients;
    for (const DuetWork& work : works) {
      progress.Show(absl::StrCat("load ", load_name, ", ", work.workload),
                    static_cast<int>(report->rows.size()), total, 0);
      const auto found = Compete(options, work, common, cpus);
      if (!found.ok()) return found.status();
      PrecisionJson& row = report->rows.emplace_back();
      row = {{"load", load_name}, {"workload", work.workload}};
      row.update(RowOf(options.ratio, *found));
      const double quotient = row["to_abba"].get<double>();
      quotients["geometric mean"].push_back(quotient);
      if ((*FindWorkload(work.workload))->is_held_out) quotients["held out"].push_back(quotient);
    }
    for (const auto& [name, of_set] : quotients) {
      report->rows.push_back(
          {{"load", load_name}, {"workload", name}, {"to_abba", GeometricMean(of_set)}});
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<LabReport> MeasurePrecision(const PrecisionOptions& options,
                                           const CommonOptions& common) {
  LabReport report;
  report.measurement = "precision";
  const absl::StatusOr<Machine> machine = DescribeMachine(common.cpus, &report);
  if (!machine.ok()) return machine.status();
  report.context["quick"] = options.quick;
  report.context["runs"] = options.runs;
  report.context["run_seconds"] = options.run_seconds;
  report.context["seed"] = common.seed;
  report.summary.push_back(
      absl::StrFormat("%d duets of %g s each; widths in %% of 99 %% intervals (medians) at equal "
                      "wall time. duet: the default of duetbench; abba: ten processes with ABBA "
                      "quads of batches of 200 us in one thread; repetitions: ten of Google "
                      "Benchmark for each variant, in ABBA order in one process",
                      options.runs, options.run_seconds));
  if (options.quick) {
    report.summary.emplace_back(
        "QUICK: few short runs. The order of magnitude is all that these figures show; another try "
        "gives others");
  }
  report.columns = {{"load", "load"}, {"workload", "workload"}, {"truth", "truth", 3}};
  for (const char* name : kContestants) {
    report.columns.push_back({absl::StrCat(name, "_width"), absl::StrCat(name, " [%]"), 3});
    report.columns.push_back({absl::StrCat(name, "_held"), "held"});
    report.columns.push_back({absl::StrCat(name, "_false"), "false"});
  }
  report.columns.push_back({"to_abba", "duet / abba", 2});
  report.columns.push_back({"wall_s", "wall [s]", 2});
  CatchInterrupts();
  const absl::Status status = AddRows(
      options, common, {std::begin(machine->cpus.cpus), std::end(machine->cpus.cpus)}, &report);
  if (!status.ok() && !absl::IsCancelled(status)) return status;
  NoteInterrupt(&report);
  return report;
}

}  // namespace

Measure AddPrecision(CLI::App& command) {
  const auto options = std::make_shared<PrecisionOptions>();
  command.add_option("--workloads", options->workloads, "NAME,... (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(WorkloadNames()).description(""));
  std::map<std::string, LoadKind> loads;
  for (const LoadKind kind : kAllLoads) loads.emplace(LoadName(kind), kind);
  command.add_option("--loads", options->loads, "NAME,... (default: none,one,bursts)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(CLI::CheckedTransformer(loads).description(""));
  command.add_option("--runs", options->runs, "trials of each contestant (default: 5)")
      ->check(CLI::Range(2, 100'000));
  command.add_option("--run_seconds", options->run_seconds, "of a duet (default: 1)")
      ->check(CLI::Range(0.001, 3600.0));
  command.add_option("--iteration_ms", options->iteration_ms, "length of one (default: 0.002)")
      ->check(CLI::Range(1e-6, 10'000.0));
  command.add_option("--ratio", options->ratio, "the true one (default: 1)")
      ->check(CLI::Range(0.5, 2.0));
  command.add_flag("--quick", options->quick, "less than a minute: 2 runs of 0.3 s, without loads");
  return [options, &command](const CommonOptions& common) {
    if (options->quick) {
      if (command.count("--runs") == 0) options->runs = 2;
      if (command.count("--run_seconds") == 0) options->run_seconds = 0.3;
      if (command.count("--loads") == 0) options->loads = {LoadKind::kNone};
    }
    return MeasurePrecision(*options, common);
  };
}

}  // namespace duetbench::lab
