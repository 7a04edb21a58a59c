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
#include "duetbench/stats/interval.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/papers/widths.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

using PrecisionJson = nlohmann::ordered_json;

constexpr double kAbbaTrim = 0.2;
constexpr double kLevelOfAll = 0.99;
constexpr int kAbbaProcesses = 10;

// One interval of one contestant.
struct Trial {
  double lo = 0;
  double hi = 0;
  double ratio = 1;
  double wall_s = 0;
  bool is_false = false;  // the verdict contradicts the truth
};

Trial TrialOf(const stats::RatioInterval& interval, double truth) {
  Trial trial{interval.lo, interval.hi, interval.ratio};
  trial.is_false = (interval.lo > 1 && truth <= 1) || (interval.hi < 1 && truth >= 1);
  return trial;
}

absl::StatusOr<Trial> MeasureDuet(const PaperPlan& plan, const DuetWork& work, double truth,
                                  uint64_t seed) {
  absl::StatusOr<std::vector<Observation>> observations =
      RunDuetProgram(WorkProgram("duet", work,
                                 {absl::StrCat("--benchmark_min_time=", plan.run_seconds),
                                  absl::StrCat("--duet_seed=", seed)}));
  if (!observations.ok()) return observations.status();
  if (observations->size() != 1 || !observations->front().error.empty()) {
    return absl::InternalError(
        absl::StrCat("no result of ", work.workload, ": ",
                     observations->empty() ? "" : observations->front().error));
  }
  const Observation& observation = observations->front();
  return Trial{observation.lo, observation.hi, observation.ratio, observation.wall_seconds,
               IsFalseVerdict(observation.verdict, truth, 0.01)};
}

// Ten processes, by turns on both CPUs, each with ABBA quads of batches of 200 us of both variants
// in one thread; the t interval of their trimmed means. They take `seconds` of wall time.
absl::StatusOr<Trial> MeasureAbba(const PaperPlan& plan, const DuetWork& work, double truth,
                                  double seconds) {
  std::vector<double> values;
  const auto begin = std::chrono::steady_clock::now();
  for (int process = 0; process < kAbbaProcesses; ++process) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    absl::StatusOr<std::vector<double>> logs =
        RunAlone({work, std::max(0.0, seconds - spent.count()) / (kAbbaProcesses - process),
                  plan.cpu_numbers[static_cast<std::size_t>(process) % plan.cpu_numbers.size()]});
    if (!logs.ok()) return logs.status();
    values.push_back(stats::TrimmedMean(*std::move(logs), kAbbaTrim));
  }
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(values, kLevelOfAll);
  if (!interval.ok()) return interval.status();
  return TrialOf(*interval, truth);
}

// Repetitions of Google Benchmark in ABBA order, ten of each in one process; the t interval of the
// ratios of its quads.
absl::StatusOr<Trial> MeasureRepetitions(const DuetWork& work, double truth, double seconds) {
  const absl::StatusOr<ProgramResult> result = RunBenchmarkProgram(WorkProgram(
      "google", work, {absl::StrCat("--benchmark_min_time=", seconds / kGoogleRepetitions)}));
  if (!result.ok()) return result.status();
  const absl::StatusOr<std::vector<PlainTime>> rows = ParsePlainTimes(result->text);
  if (!rows.ok()) return rows.status();
  std::array<std::vector<double>, 2> times;
  for (const PlainTime& row : *rows) times[absl::EndsWith(row.name, "/new")].push_back(row.ns);
  std::vector<double> values;
  for (std::size_t i = 0; i + 1 < std::min(times[0].size(), times[1].size()); i += 2) {
    values.push_back(std::log((times[1][i] + times[1][i + 1]) / (times[0][i] + times[0][i + 1])));
  }
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(values, kLevelOfAll);
  if (!interval.ok()) return interval.status();
  return TrialOf(*interval, truth);
}

// Results of the trials of a contestant on one workload.
struct Precision {
  std::vector<double> widths;  // relative
  int contained = 0;
  int false_verdicts = 0;
  std::vector<double> walls;

  void Add(const Trial& trial, double truth) {
    widths.push_back((trial.hi - trial.lo) / trial.ratio);
    contained += trial.lo <= truth && truth <= trial.hi;
    false_verdicts += trial.is_false;
    walls.push_back(trial.wall_s);
  }
};

constexpr const char* kContestants[] = {"duet", "abba", "repetitions"};

// All contestants on one workload by turns, each as long as the duet before it took.
absl::StatusOr<std::map<std::string, Precision>> Compete(const PaperPlan& plan,
                                                         const Workload& workload, double ratio) {
  // Iterations of about 2 us: a benchmark as people write it; the ratio is exact from 100 units on.
  const int64_t units =
      std::max<int64_t>(100, std::llround(20 / plan.unit_ns.at(workload.name)) * 100);
  const DuetWork work = {workload.name, units, ScaledUnits(units, ratio)};
  std::map<std::string, Precision> found;
  for (int trial = 0; trial < plan.runs; ++trial) {
    const absl::StatusOr<Trial> duet =
        MeasureDuet(plan, work, ratio, plan.seed + static_cast<uint64_t>(trial));
    if (!duet.ok()) return duet.status();
    const absl::StatusOr<Trial> abba = MeasureAbba(plan, work, ratio, duet->wall_s);
    if (!abba.ok()) return abba.status();
    const absl::StatusOr<Trial> repetitions = MeasureRepetitions(work, ratio, duet->wall_s);
    if (!repetitions.ok()) return repetitions.status();
    found["duet"].Add(*duet, ratio);
    found["abba"].Add(*abba, ratio);
    found["repetitions"].Add(*repetitions, ratio);
  }
  return found;
}

PrecisionJson RowOf(double ratio, const std::map<std::string, Precision>& found) {
  PrecisionJson row = {{"truth", ratio}};
  for (const char* name : kContestants) {
    const Precision& precision = found.at(name);
    const auto trials = precision.widths.size();
    row[absl::StrCat(name, "_width")] = 100 * stats::Median(precision.widths);
    row[absl::StrCat(name, "_held")] = absl::StrCat(precision.contained, "/", trials);
    row[absl::StrCat(name, "_false")] = precision.false_verdicts;
  }
  row["wall_s"] = stats::Median(found.at("duet").walls);
  row["to_abba"] = row["duet_width"].get<double>() / row["abba_width"].get<double>();
  return row;
}

struct PrecisionOptions : PaperOptions {
  double ratio = 1;
};

absl::StatusOr<LabReport> MeasurePrecision(const PrecisionOptions& options,
                                           const CommonOptions& common) {
  LabReport report;
  report.measurement = "precision";
  const double ratio = options.ratio;
  const std::vector<std::string> all = WorkloadNames();
  const absl::StatusOr<PaperPlan> plan = MakePaperPlan(
      options, common, {all, 5, 1, {"none", "one", "bursts"}}, {all, 2, 0.3, {"none"}}, &report);
  if (!plan.ok()) return plan.status();
  report.summary.emplace_back(
      "widths in % of 99 % intervals (medians) at equal wall time. duet: the default of duetbench; "
      "abba: ten processes with ABBA quads of batches of 200 us in one thread; repetitions: ten of "
      "Google Benchmark for each variant, in ABBA order in one process");
  report.columns = {{"load", "load"}, {"workload", "workload"}, {"truth", "truth", 3}};
  for (const char* name : kContestants) {
    report.columns.push_back({absl::StrCat(name, "_width"), absl::StrCat(name, " [%]"), 3});
    report.columns.push_back({absl::StrCat(name, "_held"), "held"});
    report.columns.push_back({absl::StrCat(name, "_false"), "false"});
  }
  report.columns.push_back({"to_abba", "duet / abba", 2});
  report.columns.push_back({"wall_s", "wall [s]", 2});
  const absl::Status status = AddRows(
      *plan, &report,
      [&](LoadKind, const Workload& workload) -> absl::StatusOr<std::vector<PrecisionJson>> {
        const absl::StatusOr<std::map<std::string, Precision>> found =
            Compete(*plan, workload, ratio);
        if (!found.ok()) return found.status();
        return std::vector<PrecisionJson>{RowOf(ratio, *found)};
      });
  if (!status.ok()) return status;
  AddMeans(*plan, {{"to_abba", "duet / abba"}}, &report);
  return report;
}

}  // namespace

Measure AddPrecision(CLI::App& command) {
  const auto options = std::make_shared<PrecisionOptions>();
  AddPaperOptions(command, options.get());
  command.add_option("--ratio", options->ratio, "the true one (default: 1)")
      ->check(CLI::Range(0.5, 2.0));
  return [options](const CommonOptions& common) { return MeasurePrecision(*options, common); };
}

}  // namespace duetbench::lab
