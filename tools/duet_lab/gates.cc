#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/busy_processes.h"
#include "tools/duet_lab/experiments.h"
#include "tools/duet_lab/measurements.h"

namespace duetbench::lab {
namespace {

using Json = nlohmann::ordered_json;

Json MakeRow(const std::string& name, const Json& truth, const GateCount& count) {
  return {{"name", name},
          {"truth", truth},
          {"gates", count.gates},
          {"errors", count.errors},
          {"passed", count.passed},
          {"failed", count.failed},
          {"undecided", count.undecided},
          {"false_decisions", count.false_decisions},
          {"median_runs", count.median_runs},
          {"median_s", count.median_seconds},
          {"largest_s", count.largest_seconds},
          {"all_s", count.all_seconds}};
}

std::vector<LabReport::Column> GateColumns() {
  return {{"name", "benchmark"},
          {"truth", "truth", 4},
          {"gates", "gates"},
          {"errors", "errors"},
          {"passed", "PASS"},
          {"failed", "FAIL"},
          {"undecided", "undecided"},
          {"false_decisions", "wrong"},
          {"median_runs", "runs"},
          {"median_s", "median [s]", 2},
          {"largest_s", "largest [s]", 2},
          {"all_s", "all [s]", 1}};
}

// A row for each benchmark, and one over all of them.
void FillGates(const std::vector<BenchmarkGroup>& groups, double limit, LabReport* report) {
  std::vector<Observation> all;
  std::vector<double> all_truths;
  for (const BenchmarkGroup& group : groups) {
    const std::vector<double> truths(group.observations.size(), group.truth);
    report->rows.push_back(
        MakeRow(group.name, group.truth, CountGates(group.observations, truths, limit)));
    all.insert(all.end(), group.observations.begin(), group.observations.end());
    all_truths.insert(all_truths.end(), truths.begin(), truths.end());
  }
  const GateCount count = CountGates(all, all_truths, limit);
  report->rows.push_back(MakeRow("all", nullptr, count));
  report->checks.push_back({"no gate is decided against the truth",
                            absl::StrCat(count.false_decisions, " of ", count.gates),
                            count.false_decisions == 0});
  report->checks.push_back(
      {"39 of 40 gates, or more, are decided",
       absl::StrCat(count.gates - count.undecided, " of ", count.gates),
       count.gates > 0 && 40 * (count.gates - count.undecided) >= 39 * count.gates});
  report->checks.push_back({"every experiment brings a result",
                            absl::StrCat(count.errors, " errors"), count.errors == 0});
}

double SecondsOf(const std::vector<BenchmarkGroup>& groups) {
  double seconds = 0;
  for (const BenchmarkGroup& group : groups) {
    for (const Observation& observation : group.observations) seconds += observation.wall_seconds;
  }
  return seconds;
}

}  // namespace

absl::StatusOr<LabReport> MeasureGates(Arguments& arguments) {
  absl::StatusOr<ExperimentPlan> read = ReadExperimentPlan(arguments, 10);
  if (!read.ok()) return read.status();
  ExperimentPlan plan = *std::move(read);
  const int64_t load = arguments.Whole("load", 0, 0, 1'000);
  const double limit = arguments.Number("max_ratio", 1.05, 1e-3, 1e3);
  const bool fixed = arguments.Switch("fixed");
  LabReport report;
  report.measurement = "gates";
  const absl::StatusOr<Machine> machine = DescribeMachine(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;

  const std::vector<std::string>& rest = arguments.rest();
  plan.arguments.insert(plan.arguments.begin(), rest.begin(), rest.end());
  ExperimentPlan without_gates = plan;
  plan.arguments.push_back(absl::StrCat("--duet_max_ratio=", limit));
  report.context["binaries"] = plan.binaries;
  report.context["arguments"] = plan.arguments;
  report.context["experiments"] = plan.experiments;
  report.context["load"] = load;
  report.context["max_ratio"] = limit;
  report.context["seed"] = plan.seed;
  report.summary.push_back(absl::StrFormat(
      "%d experiments with each of %d programs, beside %d busy processes; gates at a ratio of %g",
      plan.experiments, plan.binaries.size(), load, limit));

  const absl::StatusOr<BusyProcesses> busy = BusyProcesses::Start(static_cast<int>(load));
  if (!busy.ok()) return busy.status();
  absl::StatusOr<std::vector<BenchmarkGroup>> groups = RunExperiments(plan);
  if (!groups.ok()) return groups.status();
  if (groups->empty()) return absl::CancelledError("interrupted before there was a result");
  std::sort(groups->begin(), groups->end(),
            [](const BenchmarkGroup& a, const BenchmarkGroup& b) { return a.name < b.name; });
  report.columns = GateColumns();
  FillGates(*groups, limit, &report);
  report.context["seconds"] = SecondsOf(*groups);
  report.summary.push_back(
      absl::StrFormat("with gates: %.1f s from start to end of the programs", SecondsOf(*groups)));
  if (fixed && !WasInterrupted()) {
    const absl::StatusOr<std::vector<BenchmarkGroup>> others = RunExperiments(without_gates);
    if (!others.ok()) return others.status();
    report.context["seconds_without_gates"] = SecondsOf(*others);
    report.summary.push_back(
        absl::StrFormat("without gates, in the fixed time: %.1f s", SecondsOf(*others)));
  }
  report.context["interrupted"] = WasInterrupted();
  if (WasInterrupted()) report.summary.emplace_back("interrupted: what was measured by then");
  return report;
}

}  // namespace duetbench::lab
